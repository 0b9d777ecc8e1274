// The agent verbs: who speaks (a turn's capability, or an operator on its behalf), and the command that follows.
import { nodeHash } from "../../adapters/clock/node.ts";
import type { Actor, ReviewFacts } from "../../core/model/command.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { HandedRef, VerbQuestion } from "../../core/model/verb-question.ts";
import type { Opinion } from "../../core/model/verdict.ts";
import { isReview } from "../../core/review/citations.ts";
import { claimOf } from "../../core/review/claim.ts";
import { dialectOf } from "../../core/state/place.ts";
import { handle, load } from "../../engine/handle/handle.ts";
import type { RecordWorld } from "../../engine/world/world.ts";
import { checkId, type Located, locate } from "../host/locate.ts";
import { recordWorld } from "../record/world.ts";
import { refuseAgents } from "./guard.ts";
import { type Answered, answeredOf, type ClaimCommand } from "./outcome.ts";
import { handedRefs, keepRefs, worktreeAround } from "./refs.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Speech {
  readonly world: RecordWorld;
  readonly located: Located;
  readonly actor: Actor;
  /** Where a driver listens for what is said inside a sandbox. */
  readonly door?: Door;
}

interface Door {
  readonly socket: string;
  /** What shows whose turn it is. */
  readonly speaker: VerbQuestion["actor"];
  /** How long a driver is waited for. */
  readonly patienceMs: number;
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
  const socket = token ? env.PAIRFLOW_VERBS : undefined;
  const located =
    token && socket
      ? { repo: env.PAIRFLOW_REPO ?? "", bubble: token.bubble }
      : locate(token ? { ...flags, id: token.bubble } : flags, cwd, env);
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
  return {
    located,
    world: recordWorld(located.repo),
    actor,
    ...(token && socket ? { door: doorAt(socket, token, env) } : {}),
  };
}

const { sha256 } = nodeHash;

interface Token {
  readonly bubble: string;
  readonly turn: string;
  readonly attempt: number;
  readonly secret: string;
}

const doorAt = (socket: string, { turn, attempt, secret }: Token, env: Env): Door => ({
  socket,
  speaker: { kind: "agent", turn, attempt, secret },
  patienceMs: Number(env.PAIRFLOW_VERB_WAIT_MS) || 60_000,
});

function parseToken(token: string | undefined): Token | undefined {
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

type WithoutSpeaker<T> = T extends unknown ? Omit<T, "actor" | "digest" | "refs"> : never;

/** A verb as it was said; `review`: the text of a review written in the bubble's dialect. */
export type Said = WithoutSpeaker<ClaimCommand> & { readonly review?: string };

/** Puts the claim to the referee: here, or through the driver's socket where the record is out of reach. */
export async function claim(
  speech: Speech,
  said: Said,
  refs: readonly string[],
  cwd: string,
): Promise<Answered> {
  const { world, located, actor, door } = speech;
  const { bubble } = located;
  const digest = sha256(JSON.stringify({ ...said, refs })).slice(0, 16);
  if (door) {
    const handed = handedRefs(refs, cwd, worktreeAround(cwd));
    const { askDriver } = await import("./inside.ts");
    const question = { bubble, actor: door.speaker, said: { ...said }, digest, refs: handed };
    return askDriver(door.socket, question, door.patienceMs);
  }
  const worktree = refs.length > 0 ? await worktreeOf(world, bubble) : undefined;
  return claimAs({ world, bubble, actor }, said, handedRefs(refs, cwd, worktree), digest);
}

/** Who claims, and about which bubble. */
export interface Claimant {
  readonly world: RecordWorld;
  readonly bubble: string;
  readonly actor: Actor;
}

/** The claim itself. The files it refers to become artifacts, and what it cites is looked up, first. */
export async function claimAs(
  claimant: Claimant,
  said: Said,
  refs: readonly HandedRef[],
  digest: string,
): Promise<Answered> {
  const { world, bubble, actor } = claimant;
  const worktree = refs.length > 0 ? await worktreeOf(world, bubble) : undefined;
  const kept = await keepRefs(world, bubble, worktree, refs);
  const { review, ...plain } = said;
  const command = review === undefined ? plain : await written(claimant, plain, review);
  const looked = await lookedUp(claimant, command, review === undefined);
  const full = { ...command, ...looked, actor, digest, refs: kept } as ClaimCommand;
  return answeredOf(await handle(world, bubble, full), command);
}

async function worktreeOf(world: RecordWorld, bubble: string): Promise<string | undefined> {
  return (await load(world, bubble)).state?.workspace?.path;
}

/** A review from a file says the same as flags do, in the words of its dialect. */
async function written(
  { world, bubble }: Claimant,
  said: WithoutSpeaker<ClaimCommand>,
  review: string,
): Promise<WithoutSpeaker<ClaimCommand>> {
  const { state } = await load(world, bubble);
  const { parseReview } = await import("../../core/review/dialect/index.ts");
  const parsed = parseReview(state ? dialectOf(state) : "findings", review);
  if (!parsed.ok) {
    const { problems: unreadable, contradicts = false } = parsed;
    return { ...said, type: "pass", summary: "unreadable review", unreadable, contradicts };
  }
  const claimed = claimOf(parsed.verdict);
  const summary = "summary" in said && said.summary ? { summary: said.summary } : {};
  if (claimed.type === "ask-human") return claimed;
  // Who says converged means it, whether or not the dialect has a word for it.
  return { ...claimed, ...summary, ...(said.type === "converged" ? { type: "converged" } : {}) };
}

/** What a review cites, looked up in git. Words that come one by one are about the tree of their turn. */
async function lookedUp(
  { world, bubble }: Claimant,
  command: WithoutSpeaker<ClaimCommand>,
  isSpoken: boolean,
): Promise<{ facts?: ReviewFacts; opinion?: Opinion }> {
  if (command.type === "ask-human" || !isReview(command)) return {};
  const { state } = await load(world, bubble);
  if (!state?.tree) return {};
  const tree = state.turn?.tree;
  // Loaded when needed: what a producer hands over cites nothing.
  const { reviewFacts } = await import("../../engine/facts/facts.ts");
  return {
    facts: await reviewFacts(world, state, command),
    ...(command.opinion && isSpoken && tree ? { opinion: { tree, ...command.opinion } } : {}),
  };
}
