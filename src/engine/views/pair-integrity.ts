// Before a turn of a pair starts: is what the pair rests on still what was written? The record of its task must verify,
// its view must be the one that was written last, and its state must not contradict itself. What does not hold goes to
// a human with everything that can still be read.
import { evolve } from "../../core/bubble/evolve.ts";
import type { ProgramTask } from "../../core/model/program.ts";
import type { Envelope } from "../../core/model/record/envelope.ts";
import type { TaskProgress } from "../../core/model/run.ts";
import type { State } from "../../core/model/state.ts";
import { findPairContradiction } from "../../core/state/pair-state.ts";
import { findTask, getCurrentTask } from "../../core/state/workflow-position.ts";
import { nameSalvagedSession, salvagePairSession } from "../../core/views/pair/salvage.ts";
import { serializePairSession } from "../../core/views/pair/session.ts";
import { toTroubleFailure } from "../../ports/record/log.ts";
import { handle, load, loadCache } from "../handle/command.ts";
import type { RecordWorld } from "../world/world.ts";
import { writePairSession } from "./pair-session.ts";

/** What is wrong with the pair's state, in one sentence; undefined when nothing is, or a human has answered for it. */
export async function checkPairState(
  world: RecordWorld,
  state: State,
  task: ProgramTask,
): Promise<string | undefined> {
  const progress = state.tasks?.[task.key];
  if (task.overlay !== "paired_workflow" || !progress) return undefined;
  const known = await readAnswered(world, state.bubbleId, task.key);
  for (const look of [findRecordProblem, findViewProblem, findStateProblem]) {
    const problem = await look(world, state, task.key, progress);
    if (problem !== undefined && !known.includes(problem)) return problem;
  }
  return undefined;
}

/** False when the pair's state is not to be trusted: then a human is asked, and no turn starts. */
export async function isPairSound(world: RecordWorld, state: State, driver: string): Promise<boolean> {
  const task = getCurrentTask(state);
  if (!task) return true;
  const problem = await checkPairState(world, state, task);
  if (problem === undefined) {
    await rewriteView(world, state, task.key, driver);
    return true;
  }
  await askAboutPair(world, state, task, driver, problem);
  return false;
}

/** Puts everything that can still be read before a human. False: nobody can be asked now. */
async function askAboutPair(
  world: RecordWorld,
  state: State,
  task: ProgramTask,
  driver: string,
  problem: string,
): Promise<boolean> {
  const { envelopes } = await readPair(world, state.bubbleId);
  const progress = state.tasks?.[task.key] ?? { seq: 0, firstRound: 1 };
  const rest = salvagePairSession(envelopes, task, progress, problem);
  const { name } = await world.records.put(
    state.bubbleId,
    nameSalvagedSession(task.key),
    `${JSON.stringify(rest, null, 2)}\n`,
  );
  world.crashPoint("pair-corrupt.salvaged");
  const { refusal } = await handle(world, state.bubbleId, {
    type: "pair-corrupt",
    actor: { kind: "driver", id: driver },
    task: task.key,
    problem,
    artifact: name,
  });
  if (!refusal) await remember(world, state.bubbleId, task.key, problem);
  return refusal === undefined;
}

/**
 * Writes the view of a pair. One that somebody has changed since it was written, during a turn perhaps, is looked at
 * first: what it said is kept, and a human is asked.
 */
export async function renewPairSession(
  world: RecordWorld,
  state: State,
  key: string,
  driver: string,
): Promise<void> {
  const task = findTask(state, key);
  const view = state.tasks?.[key]?.view;
  const problem = view && (await findViewProblem(world, state, key, { view }));
  if (task && view && problem && !(await readAnswered(world, state.bubbleId, key)).includes(problem)) {
    await keepChanged(world, state, view.artifact, driver, problem);
    await askAboutPair(world, state, task, driver, problem);
  }
  await writePairSession(world, state, key, driver);
}

async function keepChanged(
  world: RecordWorld,
  state: State,
  artifact: string,
  driver: string,
  problem: string,
): Promise<void> {
  const bytes = await world.records.get(state.bubbleId, artifact);
  if (!bytes) return;
  const { name } = await world.records.put(
    state.bubbleId,
    artifact.replace(/\.json$/, ".changed.json"),
    bytes,
  );
  await handle(world, state.bubbleId, {
    type: "warn",
    actor: { kind: "driver", id: driver },
    code: "pair.view-changed",
    message: `${problem}; what it said is kept as ${name}`,
  });
}

/** A whole second reading of the log, and what the cache says about the same line. */
async function findRecordProblem(world: RecordWorld, state: State, key: string): Promise<string | undefined> {
  // The cache first: a command that is at work now makes the log longer than the cache, never shorter.
  const cached = await loadCache(world, state.bubbleId);
  const { envelopes } = await readPair(world, state.bubbleId);
  const before = cached?.head.seq ?? 0;
  if (!cached) return undefined;
  const refolded = foldTo(envelopes, before);
  if (typeof refolded === "string") return refolded;
  return describePairPart(refolded, key) === describePairPart(cached.state, key)
    ? undefined
    : `the pair's state differs from the fold of the transcript at message ${before}`;
}

interface Readable {
  readonly envelopes: readonly Envelope[];
}

/** Every line from the first byte; throws when the log cannot be built on: then nobody can be asked on the record. */
async function readPair(world: RecordWorld, bubble: string): Promise<Readable> {
  const envelopes: Envelope[] = [];
  for await (const batch of world.log.read(bubble)) {
    envelopes.push(...batch.envelopes);
    if (batch.trouble) throw toTroubleFailure(bubble, batch.trouble);
  }
  return { envelopes };
}

function foldTo(envelopes: readonly Envelope[], seq: number): State | undefined | string {
  let state: State | undefined;
  for (const envelope of envelopes) {
    if (envelope.seq > seq) break;
    try {
      state = evolve(state, envelope);
    } catch (error) {
      return `message ${envelope.seq} (${envelope.type}) cannot follow what is before it: ${(error as Error).message}`;
    }
  }
  return state;
}

function describePairPart(state: State | undefined, key: string): string {
  return JSON.stringify([state?.round, state?.roles, state?.tasks?.[key]], sortKeys);
}

/** The order in which a state got its fields says nothing. */
function sortKeys(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A view that is gone was deleted, which is allowed; one that says something else was changed. */
async function findViewProblem(
  world: RecordWorld,
  state: State,
  key: string,
  { view }: Pick<TaskProgress, "view">,
): Promise<string | undefined> {
  const found = view && (await findChangedView(world, state, key, view));
  if (!found) return undefined;
  // It may have been written anew this moment: then the record knows its hash now, or is about to.
  const { state: now = state } = await load(world, state.bubbleId);
  const latest = now.tasks?.[key]?.view ?? view;
  const again = await findChangedView(world, now, key, latest);
  return (
    again &&
    `${latest.artifact} was changed after it was written (message ${latest.seq}): its sha256 begins with ${again}`
  );
}

/** A view that was deleted, or changed and answered for, is written anew from the record before the pair continues. */
async function rewriteView(world: RecordWorld, state: State, key: string, driver: string): Promise<void> {
  const view = state.tasks?.[key]?.view;
  if (!view || view.sha256 === "") return;
  const isThere = (await world.records.get(state.bubbleId, view.artifact)) !== undefined;
  if (isThere && (await findViewProblem(world, state, key, { view })) === undefined) return;
  await writePairSession(world, state, key, driver);
}

/** The first digits of what the view's hash is now; undefined when it is as written, or not there. */
async function findChangedView(
  world: RecordWorld,
  state: State,
  key: string,
  { artifact, sha256 }: NonNullable<TaskProgress["view"]>,
): Promise<string | undefined> {
  const bytes = sha256 === "" ? undefined : await world.records.get(state.bubbleId, artifact);
  if (!bytes) return undefined;
  const found = world.hash.sha256(bytes);
  const isOwn = found === sha256 || found === world.hash.sha256(serializePairSession(state, key));
  return isOwn ? undefined : found.slice(0, 12);
}

async function findStateProblem(
  world: RecordWorld,
  state: State,
  key: string,
  { seq }: TaskProgress,
): Promise<string | undefined> {
  const problem = findPairContradiction(state, key);
  if (problem === undefined) return undefined;
  // A human who takes back a step leaves rounds without a result behind.
  const { envelopes } = await readPair(world, state.bubbleId);
  return envelopes.some((line) => line.type === "STEP_REDONE" && line.seq > seq) ? undefined : problem;
}

// What a human was asked about already is not asked again: a broken line stays broken, and the run may continue.
// This is no truth: when it is lost, the human is asked once more.

const getNoteName = (task: string) => `pair-problems-${task.replaceAll("/", "-")}`;

async function readAnswered(world: RecordWorld, bubble: string, task: string): Promise<string[]> {
  const note = await world.runtime.noted(bubble, getNoteName(task));
  try {
    const problems: unknown = JSON.parse(note ?? "[]");
    return Array.isArray(problems) ? problems.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

async function remember(world: RecordWorld, bubble: string, task: string, problem: string): Promise<void> {
  const known = await readAnswered(world, bubble, task);
  await world.runtime.note(bubble, getNoteName(task), JSON.stringify([...known, problem]));
}
