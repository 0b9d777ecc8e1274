// The agent verbs: who speaks (a turn's capability, or an operator on its behalf), and the command that follows.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, resolve } from "node:path";
import { nodeHash } from "../adapters/clock/node.ts";
import type { Actor, Command, ReviewFacts } from "../core/model/command.ts";
import { refuse } from "../core/model/refusal.ts";
import type { Opinion } from "../core/model/verdict.ts";
import { dialectOf } from "../core/policy/place.ts";
import { isReview } from "../core/review/citations.ts";
import { claimOf } from "../core/review/claim.ts";
import { type Handled, handle, load } from "../engine/handle.ts";
import type { RecordWorld } from "../engine/world.ts";
import { refuseAgents } from "./guard.ts";
import { checkId, type Located, locate } from "./locate.ts";
import { recordWorld } from "./record-world.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Speech {
  readonly world: RecordWorld;
  readonly located: Located;
  readonly actor: Actor;
}

/** Finds the bubble and the speaker: PAIRFLOW_TURN speaks for an agent, `--as role` for an operator. */
export function speakerFrom(
  flags: { id?: string; repo?: string; as?: string },
  cwd: string,
  env: Env,
): Speech {
  const token = parseToken(env.PAIRFLOW_TURN);
  if (flags.as !== undefined) {
    refuseAgents(env, `--as ${flags.as}`);
    const located = locate(flags, cwd, env);
    return {
      located,
      world: recordWorld(located.repo),
      actor: { kind: "operator", via: "cli", as: flags.as },
    };
  }
  const located = locate(token ? { ...flags, id: token.bubble } : flags, cwd, env);
  if (token && flags.id && flags.id !== token.bubble) {
    throw refuse(
      "turn.other-bubble",
      `this turn belongs to ${token.bubble}, not to ${flags.id}`,
      "leave --id out",
    );
  }
  const actor: Actor = token
    ? { kind: "agent", turn: token.turn, attempt: token.attempt, capability: sha256(token.secret) }
    : { kind: "operator", via: "cli" };
  return { located, world: recordWorld(located.repo), actor };
}

const { sha256 } = nodeHash;

function parseToken(
  token: string | undefined,
): { bubble: string; turn: string; attempt: number; secret: string } | undefined {
  if (!token) return undefined;
  const found = /^([^:]+):(t\d+)\.(\d+):([\w-]+)$/.exec(token);
  if (!found)
    throw refuse(
      "turn.bad-token",
      "PAIRFLOW_TURN is not a capability of Pairflow",
      "end this session: the referee starts the next turn itself",
    );
  const [, bubble = "", turn = "", attempt = "0", secret = ""] = found;
  return { bubble: checkId(bubble), turn, attempt: Number(attempt), secret };
}

type ClaimCommand = Extract<Command, { type: "pass" | "converged" | "ask-human" }>;
type WithoutSpeaker<T> = T extends unknown ? Omit<T, "actor" | "digest" | "refs"> : never;

/** A verb as it was said; `review`: the text of a review written in the bubble's dialect. */
export type Said = WithoutSpeaker<ClaimCommand> & { readonly review?: string };

/** What became of a claim, and what kind it was: a written review may turn out to converge or to ask. */
export type Answered = Handled & { readonly said: ClaimCommand["type"] };

/** Puts the claim to the referee. The files it refers to become artifacts, and what it cites is looked up, first. */
export async function claim(
  speech: Speech,
  said: Said,
  refs: readonly string[],
  cwd: string,
): Promise<Answered> {
  const { world, located, actor } = speech;
  const digest = sha256(JSON.stringify({ ...said, refs })).slice(0, 16);
  const kept = await keepRefs(speech, refs, cwd);
  const { review, ...plain } = said;
  const command = review === undefined ? plain : await written(speech, plain, review);
  const looked = await lookedUp(speech, command, review === undefined);
  const full = { ...command, ...looked, actor, digest, refs: kept } as ClaimCommand;
  return { ...(await handle(world, located.bubble, full)), said: command.type };
}

/** A review from a file says the same as flags do, in the words of its dialect. */
async function written(
  { world, located }: Speech,
  said: WithoutSpeaker<ClaimCommand>,
  review: string,
): Promise<WithoutSpeaker<ClaimCommand>> {
  const { state } = await load(world, located.bubble);
  const { parseReview } = await import("../core/review/dialect/index.ts");
  const parsed = parseReview(state ? dialectOf(state) : "findings", review);
  if (!parsed.ok) return { ...said, type: "pass", summary: "unreadable review", unreadable: parsed.problems };
  const claimed = claimOf(parsed.verdict);
  const summary = "summary" in said && said.summary ? { summary: said.summary } : {};
  if (claimed.type === "ask-human") return claimed;
  // Who says converged means it, whether or not the dialect has a word for it.
  return { ...claimed, ...summary, ...(said.type === "converged" ? { type: "converged" } : {}) };
}

/** What a review cites, looked up in git. Words that come one by one are about the tree of their turn. */
async function lookedUp(
  { world, located }: Speech,
  command: WithoutSpeaker<ClaimCommand>,
  isSpoken: boolean,
): Promise<{ facts?: ReviewFacts; opinion?: Opinion }> {
  if (command.type === "ask-human" || !isReview(command)) return {};
  const { state } = await load(world, located.bubble);
  if (!state?.tree) return {};
  const tree = state.turn?.tree;
  // Loaded when needed: what a producer hands over cites nothing.
  const { reviewFacts } = await import("../engine/facts.ts");
  return {
    facts: await reviewFacts(world, state, command),
    ...(command.opinion && isSpoken && tree ? { opinion: { tree, ...command.opinion } } : {}),
  };
}

/** Paths inside the worktree are named; other files are copied, so that the record does not point at what may vanish. */
async function keepRefs({ world, located }: Speech, refs: readonly string[], cwd: string): Promise<string[]> {
  if (refs.length === 0) return [];
  const { state } = await load(world, located.bubble);
  const worktree = state?.workspace?.path;
  const kept: string[] = [];
  for (const ref of refs) {
    if (ref.startsWith("artifact://")) {
      if (!(await world.records.get(located.bubble, ref.slice(11))))
        throw refuse("ref.not-found", `there is no artifact ${ref}`, "give the path of a file");
      kept.push(ref);
      continue;
    }
    const path = resolve(cwd, ref);
    if (!existsSync(path))
      throw refuse("ref.not-found", `there is no file ${ref}`, "give the path of a file, or leave --ref out");
    const inside = worktree && realpathSync(path).startsWith(`${realpathSync(worktree)}/`);
    if (inside) kept.push(`worktree://${realpathSync(path).slice(realpathSync(worktree).length + 1)}`);
    else
      kept.push(
        `artifact://${(await world.records.put(located.bubble, `refs/${basename(path)}`, readFileSync(path))).name}`,
      );
  }
  return kept;
}
