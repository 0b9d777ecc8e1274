// The end of a turn without a terminal: the figures are kept, the process is ended, and what it answered is put to the
// referee. An answer that is refused goes back to the agent with the reason.
import { type AnswerKind, type Understood, understand, understandText } from "../../core/answer/answer.ts";
import { translateFlagsToFields } from "../../core/answer/flags.ts";
import { getAnswerKind } from "../../core/interpreter/interpret.ts";
import type { Actor } from "../../core/model/command.ts";
import { buildArtifactRef } from "../../core/model/record/named-artifacts.ts";
import type { Usage } from "../../core/model/record/usage.ts";
import type { Refusal } from "../../core/model/refusal.ts";
import type { Turn } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import { formatAskedQuestion, type TurnEnd } from "../../core/model/turn-end.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import { parseJson } from "../../core/text/json.ts";
import { type Claim, type ClaimCommand, putClaim } from "../facts/claim.ts";
import { handle } from "../handle/command.ts";
import { getWorkspacePlace, type World } from "../world/world.ts";

interface Concluding {
  readonly state: State;
  readonly turn: Turn;
  readonly driver: string;
  readonly work: string;
  readonly end: TurnEnd;
  readonly usage: Usage | undefined;
  /** Its process was gone when this driver came. */
  readonly unseen?: boolean;
  /** Its CLI never told of a session. */
  readonly sessionless?: boolean;
}

/** A worker may leave its signal here instead of saying it. */
const signalFile = "worker-signal.json";

export async function conclude(world: World, what: Concluding): Promise<void> {
  const { state, turn, driver, usage } = what;
  const actor: Actor = { kind: "driver", id: driver, turn: turn.id, attempt: turn.attempt };
  const ref = { turn: turn.id, attempt: turn.attempt };
  const writeDown = async () => {
    if (usage) await handle(world, state.bubbleId, { type: "usage", actor, ...ref, usage });
    world.crashPoint("talk.usage");
  };
  // Nothing may change behind the snapshot. What it used is written down while it goes.
  await Promise.all([world.seats.end(what.work), writeDown()]);
  world.crashPoint("talk.ended");
  if (what.end.outcome === "over-budget") {
    const { refusal } = await handle(world, state.bubbleId, { type: "check-budget", actor });
    // Refused, because the budget was raised meanwhile: the turn simply continues, as its next attempt.
    if (!refusal) return;
  }
  const understood = await readUnderstood(world, what);
  if (!understood) {
    const { outcome, detail, until } = what.end as Exclude<TurnEnd, { outcome: "answered" }>;
    await handle(world, state.bubbleId, {
      type: "turn-ended",
      actor,
      ...ref,
      outcome,
      detail,
      ...(until ? { until } : {}),
      ...(what.unseen ? { unseen: true } : {}),
      ...(what.sessionless ? { sessionless: true } : {}),
    });
    return;
  }
  await submit(world, what, actor, understood);
}

/** What was answered, or left as a signal; undefined when the process ended otherwise. */
async function readUnderstood(
  world: World,
  { state, turn, end }: Concluding,
): Promise<Understood | undefined> {
  const kind = getAnswerKind(state);
  const said = end.outcome === "answered" ? understandAnswer(kind, end) : undefined;
  if (said && said.kind !== "garbage") return said;
  const left = await readLeftSignal(world, state, turn);
  return left === undefined
    ? said
    : understandText(
        kind,
        left,
        tryOr(() => parseJson(left), `${signalFile} is no JSON`),
      );
}

function understandAnswer(
  kind: AnswerKind,
  { answer, text }: Extract<TurnEnd, { outcome: "answered" }>,
): Understood {
  return text === undefined ? understand(kind, answer) : understandText(kind, text, answer);
}

async function readLeftSignal(world: World, state: State, turn: Turn): Promise<string | undefined> {
  const file = `${world.paths.out(getWorkspacePlace(world, state).path, turn.id)}/${signalFile}`;
  const writtenAt = await world.scratch.modifiedAt(file);
  if (!writtenAt || writtenAt < (turn.startedAt ?? "")) return undefined;
  return world.scratch.text(file);
}

async function submit(world: World, what: Concluding, actor: Actor, understood: Understood): Promise<void> {
  const { state, turn } = what;
  const ended = (outcome: "asked" | "garbage" | "crashed" | "unfinished", detail: string) =>
    handle(world, state.bubbleId, {
      type: "turn-ended",
      actor,
      turn: turn.id,
      attempt: turn.attempt,
      outcome,
      detail,
    });
  switch (understood.kind) {
    case "garbage":
      await ended("garbage", `the answer was refused: ${understood.problem}`);
      return;
    case "failed":
      await ended("crashed", `it reports an error: ${understood.message}`);
      return;
    case "unfinished":
      await ended("unfinished", understood.message);
      return;
    case "asks": {
      const refused = await putAnswer(world, what, actor, buildQuestionClaim(understood));
      if (refused) await ended("garbage", describeRefusal(refused));
      else await ended("asked", "the answers continue in the same session");
      return;
    }
    case "claim": {
      const refused = await putAnswer(world, what, actor, understood.claim);
      if (refused) await ended("garbage", describeRefusal(refused));
    }
  }
}

function buildQuestionClaim({
  questions: [first, ...others],
  tree,
}: Extract<Understood, { kind: "asks" }>): Claim {
  return {
    type: "ask-human",
    question: first ? formatAskedQuestion(first) : "",
    ...(first?.options ? { options: first.options } : {}),
    others,
    ...(tree === undefined ? {} : { tree }),
  };
}

/** The refusal that the agent should hear about; one that only says that its turn is over concerns nobody. */
async function putAnswer(
  world: World,
  { state, turn }: Concluding,
  actor: Actor,
  said: Claim,
): Promise<Refusal | undefined> {
  const digest = world.hash.sha256(JSON.stringify([turn.id, turn.attempt, said])).slice(0, 16);
  const refs = said.type === "ask-human" ? [] : await listHandedFiles(world, state, turn);
  const command = { ...said, refs, actor, digest } as ClaimCommand;
  const { refusal } = await putClaim(world, state.bubbleId, command, async () => state);
  return refusal && !/^(turn|bubble)\./.test(refusal.code) ? refusal : undefined;
}

/** Without a terminal nobody names files one by one: what lies in the turn's folder is handed in. */
async function listHandedFiles(world: World, state: State, turn: Turn): Promise<string[]> {
  const folder = world.paths.out(getWorkspacePlace(world, state).path, turn.id);
  const files = (await world.scratch.filesIn(folder)).filter(({ name }) => name !== signalFile);
  const refs: string[] = [];
  for (const { name, bytes } of files)
    refs.push(buildArtifactRef((await world.records.put(state.bubbleId, `refs/${name}`, bytes)).name));
  return refs;
}

function describeRefusal({ message, details = [], hint = "" }: Refusal): string {
  const lines = [`the referee refused the answer: ${message}`, ...details, hint && `hint: ${hint}`];
  return translateFlagsToFields(lines.filter(Boolean).join("\n"));
}
