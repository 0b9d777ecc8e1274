// One call of a tool: who speaks, a sign of life, what is meant, and the claim put to the referee. It is the same way
// that `pairflow pass` takes; only the words arrive as values.

import { realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { ClaimResult } from "../app/caller/claim-result.ts";
import { findSpeaker, type Speech, submitClaim } from "../app/caller/claims.ts";
import { getOutFolder } from "../app/host/locate.ts";
import type { EnvelopeType } from "../core/model/record/envelope.ts";
import { refuse } from "../core/model/refusal.ts";
import type { State } from "../core/model/state.ts";
import { tryOr } from "../core/model/value/try-or.ts";
import { load } from "../engine/front/command.ts";
import type { Tool, ToolClaim } from "./tools.ts";

/** Where the server stands: the environment is the capability. */
export interface CallSurroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What the agent is told. Throws refusals, usage errors and failures, as the verbs do. */
export async function call(tool: Tool, given: unknown, here: CallSurroundings): Promise<string> {
  const { speech, turn } = buildSpeaker(here);
  const { world, located, door } = speech;
  // Behind a door the record is out of reach; the driver that listens there looks.
  const { state } = door ? { state: undefined } : await load(world, located.bubble);
  if (hasTheTurn(state, speech)) await world.runtime.sign(located.bubble);
  const meant = tool.read(given);
  const worktree = state?.workspace?.path ?? here.cwd;
  const refs = resolveRefs(meant.refs, worktree, turn);
  const handled = await submitClaim(speech, meant.claim, refs, worktree);
  if (handled.refusal) throw handled.refusal;
  return describeAccepted(meant, handled);
}

/** Notes for a hook that holds the first request back that this turn's session can use the tools now. */
export async function noteKnownTools(here: CallSurroundings): Promise<void> {
  try {
    const { speech } = buildSpeaker(here);
    const { actor, world, located } = speech;
    if (actor.kind === "agent")
      await world.runtime.note(located.bubble, `tools.${actor.turn}.${actor.attempt}`, "listed");
  } catch {
    // A server outside of a turn has nobody to tell.
  }
}

/** Only a turn's capability speaks here: nobody is an operator through a tool. */
function buildSpeaker({ cwd, env }: CallSurroundings): { speech: Speech; turn: string } {
  const speech = env.PAIRFLOW_TURN ? findSpeaker({}, cwd, env) : undefined;
  if (speech?.actor.kind === "agent") return { speech, turn: speech.actor.turn };
  throw refuse(
    "turn.no-capability",
    "this session is no agent's turn: PAIRFLOW_TURN is not in the environment of the server",
    "Pairflow gives it to the agents it starts; where a server's environment is an allow-list, name PAIRFLOW_TURN and PAIRFLOW_REPO in it",
  );
}

/** What a process that was replaced still says is no sign of the one that has the turn now. */
function hasTheTurn(state: State | undefined, { actor }: Speech): boolean {
  const turn = state?.turn;
  return (
    actor.kind === "agent" &&
    turn?.id === actor.turn &&
    turn.attempt === actor.attempt &&
    turn.capability === actor.capability
  );
}

/** A claim that was accepted, or that had been accepted before, in words. */
function describeAccepted({ claim }: ToolClaim, handled: ClaimResult): string {
  if (handled.said === "ask-human" || claim.type === "ask-human") return describeAsked(handled);
  if (handled.said === "converged" || claim.type === "converged")
    return `Convergence claimed (line ${findLine(handled, "CONVERGENCE")}). ${itIsOver}`;
  const passed = handled.repeats === undefined ? "Passed" : "Already passed";
  return [`${passed} (line ${findLine(handled, "PASS")}). ${itIsOver}`, ...listPackageNote(handled)].join(
    "\n",
  );
}

const itIsOver = "Your turn is over; end this session.";

function describeAsked(handled: ClaimResult): string {
  const line = findLine(handled, "HUMAN_QUESTION");
  const isOpen = line === undefined || handled.open.includes(line);
  return isOpen
    ? `Asked (line ${line}). Do nothing more and wait for the answer; it will be delivered to you.`
    : `Already asked (line ${line}) and answered; continue with the answer you were given.`;
}

/** A repeated call is told the line of the first one. */
function findLine({ repeats, envelopes }: ClaimResult, type: EnvelopeType): number | undefined {
  return repeats ?? envelopes.find((envelope) => envelope.type === type)?.seq;
}

/** The package is asked for late; a producer hears early what it still lacks. */
function listPackageNote({ lacks }: ClaimResult): readonly string[] {
  return lacks.length > 0
    ? [`Note: the package still lacks ${lacks.join(", ")}; it is needed before this bubble can converge`]
    : [];
}

/**
 * The files by their real paths; refuses what lies elsewhere, also by a link. This server runs outside the agent's sandbox, so
 * it must not become a way to read what the sandbox hides. Artifacts of the bubble are named freely.
 */
function resolveRefs(refs: readonly string[], worktree: string, turn: string): string[] {
  const out = getOutFolder(worktree, turn);
  const allowed = [worktree, out].map(toRealPath);
  return refs.map((ref) => {
    if (ref.startsWith("artifact://")) return ref;
    const path = toRealPath(resolve(worktree, ref));
    if (!statSync(path, { throwIfNoEntry: false })?.isFile())
      throw refuse("ref.not-found", `there is no file ${ref}`, "give the path of a file, or leave refs out");
    if (!allowed.some((folder) => path.startsWith(folder + sep)))
      throw refuse(
        "ref.outside",
        `${ref} is neither in the worktree nor in ${out}`,
        `copy it to ${out} first`,
      );
    return path;
  });
}

/** The path without links; as it is where there is nothing. */
function toRealPath(path: string): string {
  return tryOr(() => realpathSync(path), path);
}
