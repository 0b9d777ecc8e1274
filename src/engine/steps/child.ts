// Bubbles beside this one: a child is made, set going and kept going until it has reported; one that is not needed any
// more is stopped; another workflow is started and left to itself.
import type { EffectOf } from "../../core/bubble/due/effect.ts";
import { buildFacts } from "../../core/judge/facts.ts";
import type { State } from "../../core/model/state.ts";
import { clip } from "../../core/model/value/sizes.ts";
import { getTaskProgress } from "../../core/state/workflow-position.ts";
import { fillValue } from "../../core/workflow/template.ts";
import { load } from "../handle/command.ts";
import { type Job, report, type ShortJob } from "../handle/job.ts";
import type { World } from "../world/world.ts";

const lookMs = 1000;
/** A driver needs a moment until it can be seen; one that dies again and again is started less and less often. */
const startMs = 3000;
const longestMs = 60_000;

/** Stays under way until the child's report is on the parent's record: then it is owed no more. */
export async function superviseChild(job: Job, { child: { key } }: EffectOf<"child">): Promise<void> {
  const { world, state, signal } = job;
  if ((await findChild(job, key)) === undefined) return;
  let patienceMs = startMs;
  while (!signal.aborted) {
    const bubble = await findAwaitedBubble(world, state, key);
    if (bubble === undefined) return;
    const went = await world.siblings.keepGoing(bubble);
    world.crashPoint("child.kept");
    if (went === "gone") return reportFailedChild(job, { key, bubble, why: "its record is gone" });
    await world.clock.sleep(went === "started" ? patienceMs : lookMs, signal);
    if (went === "started") patienceMs = Math.min(patienceMs * 2, longestMs);
  }
}

/** The child's id, on the record before the child is started: what was made and not recorded is found again. */
async function findChild(job: ShortJob, key: string): Promise<string | undefined> {
  const { world, state } = job;
  const opened = state.children;
  const known = opened?.each.find(({ child }) => child.key === key);
  if (!opened || !known) return undefined;
  if (known.bubble) return known.bubble;
  const { payload } = known.child;
  const child = payload ? { ...known.child, payload: await fillPayload(world, state, payload) } : known.child;
  const made = await world.siblings.child(state, child, opened.from);
  world.crashPoint("child.made");
  if ("problem" in made) {
    await reportFailedChild(job, { key, bubble: "", why: made.problem });
    return undefined;
  }
  const { bubble } = made;
  const { refusal } = await report(job, { type: "child-started", key, bubble });
  return refusal ? undefined : bubble;
}

/** The bubble whose report is waited for: a child that was routed has another one in its place. */
async function findAwaitedBubble(
  world: World,
  { bubbleId }: State,
  key: string,
): Promise<string | undefined> {
  const { state } = await load(world, bubbleId);
  return state?.children?.each.find(({ child, report }) => child.key === key && !report)?.bubble;
}

/** A child that cannot speak for itself. */
async function reportFailedChild(
  job: ShortJob,
  { key, bubble, why }: { readonly key: string; readonly bubble: string; readonly why: string },
): Promise<void> {
  await report(job, {
    type: "child-reported",
    key,
    bubble,
    status: "failed",
    why: clip(why, 2000),
  });
}

/** Its report, which says that it was cancelled, ends the debt; one whose record is gone cannot report. */
export async function stopChild(
  job: ShortJob,
  { bubble, child: { key } }: EffectOf<"stop-child">,
): Promise<void> {
  const { world, state } = job;
  await world.siblings.stop(bubble, `${state.bubbleId} does not need it any more`);
  if (await world.records.exists(bubble)) return;
  await reportFailedChild(job, { key, bubble, why: "its record is gone" });
}

/** Who pauses a bubble pauses those that work for it. */
export async function pauseChild(
  world: World,
  { bubbleId, pause }: State,
  { bubble }: EffectOf<"pause-child">,
): Promise<void> {
  await world.siblings.pause(bubble, {
    parent: bubbleId,
    message: pause?.message ?? "",
    now: pause?.now ?? false,
  });
}

export async function startWorkflow(job: ShortJob, { step, key }: EffectOf<"start-workflow">): Promise<void> {
  const { world, state } = job;
  const { workflow } = step;
  const payload = await fillPayload(world, state, step.payload);
  const started = await world.siblings.start(state, { workflow, payload, reason: key });
  world.crashPoint("workflow.started");
  await report(job, {
    type: "workflow-started",
    step: step.name,
    workflow,
    ...("problem" in started ? { problem: clip(started.problem, 2000) } : started),
  });
}

type Payload = Readonly<Record<string, unknown>>;

/** What a payload says about this very moment of the run. */
async function fillPayload(world: World, state: State, payload: Payload): Promise<Record<string, unknown>> {
  const bytes = state.tree?.diff ? await world.records.get(state.bubbleId, state.tree.diff) : undefined;
  const summary = getTaskProgress(state)?.history.at(-1)?.summary ?? state.package?.what;
  const facts = buildFacts(state, {
    ...(bytes ? { diff: new TextDecoder().decode(bytes) } : {}),
    ...(summary ? { summary } : {}),
  });
  return fillValue(payload, facts).value as Record<string, unknown>;
}
