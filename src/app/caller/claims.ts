// The agent verbs: who speaks (a turn's capability, or an operator on its behalf), and the command that follows.
import { nodeHash } from "../../adapters/clock/node.ts";
import type { Actor } from "../../core/model/command.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { HandedRef, VerbQuestion } from "../../core/model/sandbox-claim.ts";
import { buildSaidVerdict } from "../../core/review/claim.ts";
import { getDialect } from "../../core/state/workflow-position.ts";
import { type Claim, type ClaimCommand, putClaim } from "../../engine/front/claim.ts";
import { load } from "../../engine/front/command.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { type BubbleLocation, checkId, locateBubble } from "../host/locate.ts";
import { createRecordWorld } from "../record/world.ts";
import { buildAnswered, type ClaimResult } from "./claim-result.ts";
import { refuseAgents } from "./guard.ts";
import { findEnclosingWorktree, keepRefs, resolveHandedRefs } from "./refs.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Speech {
  readonly world: RecordWorld;
  readonly located: BubbleLocation;
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
export function findSpeaker(
  flags: { id?: string; repo?: string; as?: string },
  cwd: string,
  env: Env,
): Speech {
  const token = parseToken(env.PAIRFLOW_TURN);
  if (flags.as !== undefined) {
    refuseAgents(env, `--as ${flags.as}`);
    const located = locateBubble(flags, cwd, env);
    return {
      located,
      world: createRecordWorld(located.repo),
      actor: { kind: "operator", via: "cli", as: flags.as },
    };
  }
  const socket = token ? env.PAIRFLOW_VERBS : undefined;
  const located =
    token && socket
      ? { repo: env.PAIRFLOW_REPO ?? "", bubble: token.bubble }
      : locateBubble(token ? { ...flags, id: token.bubble } : flags, cwd, env);
  if (token && flags.id && flags.id !== token.bubble)
    throw refuse(
      "turn.other-bubble",
      `this turn belongs to ${token.bubble}, not to ${flags.id}`,
      "leave --id out",
    );
  const actor: Actor = token
    ? { kind: "agent", turn: token.turn, attempt: token.attempt, capability: sha256(token.secret) }
    : { kind: "operator", via: "cli" };
  return {
    located,
    world: createRecordWorld(located.repo),
    actor,
    ...(token && socket ? { door: buildDoor(socket, token, env) } : {}),
  };
}

const { sha256 } = nodeHash;

interface Token {
  readonly bubble: string;
  readonly turn: string;
  readonly attempt: number;
  readonly secret: string;
}

const buildDoor = (socket: string, { turn, attempt, secret }: Token, env: Env): Door => ({
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

/** A verb as it was said; `review`: the text of a review written in the bubble's dialect. */
export type SaidClaim = Claim & { readonly review?: string };

/** Puts the claim to the referee: here, or through the driver's socket where the record is out of reach. */
export async function submitClaim(
  speech: Speech,
  said: SaidClaim,
  refs: readonly string[],
  cwd: string,
): Promise<ClaimResult> {
  const { world, located, actor, door } = speech;
  const { bubble } = located;
  const digest = sha256(JSON.stringify({ ...said, refs })).slice(0, 16);
  if (door) {
    const handed = resolveHandedRefs(refs, cwd, findEnclosingWorktree(cwd));
    const { askDriver } = await import("./sandbox-client.ts");
    const question = { bubble, actor: door.speaker, said: { ...said }, digest, refs: handed };
    return askDriver(door.socket, question, door.patienceMs);
  }
  const worktree = refs.length > 0 ? await findWorktree(world, bubble) : undefined;
  return submitClaimAs({ world, bubble, actor }, said, resolveHandedRefs(refs, cwd, worktree), digest);
}

/** Who claims, and about which bubble. */
export interface ClaimSpeaker {
  readonly world: RecordWorld;
  readonly bubble: string;
  readonly actor: Actor;
}

/** The claim itself. The files it refers to become artifacts, and what it cites is looked up, first. */
export async function submitClaimAs(
  claimant: ClaimSpeaker,
  said: SaidClaim,
  refs: readonly HandedRef[],
  digest: string,
): Promise<ClaimResult> {
  const { world, bubble, actor } = claimant;
  const worktree = refs.length > 0 ? await findWorktree(world, bubble) : undefined;
  const kept = await keepRefs(world, bubble, worktree, refs);
  const { review, ...plain } = said;
  const command = await (review === undefined
    ? addTurnTree(claimant, plain)
    : readWrittenReview(claimant, plain, review));
  const full = { ...command, actor, digest, refs: kept } as ClaimCommand;
  const about = async () => {
    const { state } = await load(world, bubble);
    return state?.tree ? state : undefined;
  };
  return buildAnswered(await putClaim(world, bubble, full, about), command);
}

async function findWorktree(world: RecordWorld, bubble: string): Promise<string | undefined> {
  return (await load(world, bubble)).state?.workspace?.path;
}

/** A review from a file says the same as flags do, in the words of its dialect. */
async function readWrittenReview(
  { world, bubble }: ClaimSpeaker,
  said: Claim,
  review: string,
): Promise<Claim> {
  const { state } = await load(world, bubble);
  const { parseReview } = await import("../../core/review/dialect/read.ts");
  const parsed = parseReview(state ? getDialect(state) : "findings", review);
  if (!parsed.ok) {
    const { problems: unreadable, contradicts = false } = parsed;
    return { ...said, type: "pass", summary: "unreadable review", unreadable, contradicts };
  }
  const claimed = buildSaidVerdict(parsed.verdict);
  const summary = "summary" in said && said.summary ? { summary: said.summary } : {};
  if (claimed.type === "ask-human") return claimed;
  // Who says converged means it, whether or not the dialect has a word for it.
  return { ...claimed, ...summary, ...(said.type === "converged" ? { type: "converged" } : {}) };
}

/** Words that come one by one are about the tree of their turn. */
async function addTurnTree({ world, bubble }: ClaimSpeaker, said: Claim): Promise<Claim> {
  if (said.type === "ask-human" || !said.opinion) return said;
  const { state } = await load(world, bubble);
  const tree = state?.tree && state.turn?.tree;
  return tree ? { ...said, opinion: { tree, ...said.opinion } } : said;
}
