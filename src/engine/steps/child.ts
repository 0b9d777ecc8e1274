// Bubbles beside this one: a child is made, set going and kept going until it has reported; one that is not needed any
// more is stopped; another workflow is started and left to itself.
import type { EffectOf } from "../../core/bubble/due.ts";
import { factsOf } from "../../core/judge/facts.ts";
import { clip } from "../../core/model/sizes.ts";
import type { State } from "../../core/model/state.ts";
import { progressOf } from "../../core/state/place.ts";
import { fillValue } from "../../core/workflow/template.ts";
import { handle, load } from "../handle/handle.ts";
import type { World } from "../world/world.ts";

const lookMs = 1000;
/** A driver needs a moment until it can be seen; one that dies again and again is started less and less often. */
const startMs = 3000;
const longestMs = 60_000;

/** Stays under way until the child's report is on the parent's record: then it is owed no more. */
export async function mindChild(
  world: World,
  state: State,
  { child: { key } }: EffectOf<"child">,
  driver: string,
  signal: AbortSignal,
): Promise<void> {
  if ((await childOf(world, state, key, driver)) === undefined) return;
  let patienceMs = startMs;
  while (!signal.aborted) {
    const bubble = await awaited(world, state, key);
    if (bubble === undefined) return;
    const went = await world.siblings.keepGoing(bubble);
    world.crashPoint("child.kept");
    if (went === "gone") return failed(world, state, { key, bubble, why: "its record is gone" }, driver);
    await world.clock.sleep(went === "started" ? patienceMs : lookMs, signal);
    if (went === "started") patienceMs = Math.min(patienceMs * 2, longestMs);
  }
}

/** The child's id, on the record before the child is started: what was made and not recorded is found again. */
async function childOf(world: World, state: State, key: string, driver: string): Promise<string | undefined> {
  const opened = state.children;
  const known = opened?.each.find(({ child }) => child.key === key);
  if (!opened || !known) return undefined;
  if (known.bubble) return known.bubble;
  const { payload } = known.child;
  const child = payload ? { ...known.child, payload: await filled(world, state, payload) } : known.child;
  const made = await world.siblings.child(state, child, opened.from);
  world.crashPoint("child.made");
  if ("problem" in made) {
    await failed(world, state, { key, bubble: "", why: made.problem }, driver);
    return undefined;
  }
  const actor = { kind: "driver", id: driver } as const;
  const { bubble } = made;
  const { refusal } = await handle(world, state.bubbleId, { type: "child-started", actor, key, bubble });
  return refusal ? undefined : bubble;
}

/** The bubble whose report is waited for: a child that was routed has another one in its place. */
async function awaited(world: World, { bubbleId }: State, key: string): Promise<string | undefined> {
  const { state } = await load(world, bubbleId);
  return state?.children?.each.find(({ child, report }) => child.key === key && !report)?.bubble;
}

/** A child that cannot speak for itself. */
async function failed(
  world: World,
  state: State,
  { key, bubble, why }: { readonly key: string; readonly bubble: string; readonly why: string },
  driver: string,
): Promise<void> {
  await handle(world, state.bubbleId, {
    type: "child-reported",
    actor: { kind: "driver", id: driver },
    key,
    bubble,
    status: "failed",
    why: clip(why, 2000),
  });
}

/** Its report, which says that it was cancelled, ends the debt; one whose record is gone cannot report. */
export async function stopChild(
  world: World,
  state: State,
  { bubble, child: { key } }: EffectOf<"stop-child">,
  driver: string,
): Promise<void> {
  await world.siblings.stop(bubble, `${state.bubbleId} does not need it any more`);
  if (await world.records.exists(bubble)) return;
  await failed(world, state, { key, bubble, why: "its record is gone" }, driver);
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

export async function startWorkflow(
  world: World,
  state: State,
  { step, key }: EffectOf<"start-workflow">,
  driver: string,
): Promise<void> {
  const { workflow } = step;
  const payload = await filled(world, state, step.payload);
  const started = await world.siblings.start(state, { workflow, payload, reason: key });
  world.crashPoint("workflow.started");
  await handle(world, state.bubbleId, {
    type: "workflow-started",
    actor: { kind: "driver", id: driver },
    step: step.name,
    workflow,
    ...("problem" in started ? { problem: clip(started.problem, 2000) } : started),
  });
}

type Payload = Readonly<Record<string, unknown>>;

/** What a payload says about this very moment of the run. */
async function filled(world: World, state: State, payload: Payload): Promise<Record<string, unknown>> {
  const bytes = state.tree?.diff ? await world.records.get(state.bubbleId, state.tree.diff) : undefined;
  const summary = progressOf(state)?.history.at(-1)?.summary ?? state.package?.what;
  const facts = factsOf(state, {
    ...(bytes ? { diff: new TextDecoder().decode(bytes) } : {}),
    ...(summary ? { summary } : {}),
  });
  return fillValue(payload, facts).value as Record<string, unknown>;
}
