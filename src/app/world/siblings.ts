// Bubbles that a bubble makes: children that work on its tasks side by side and report back, and workflows it starts and
// leaves to themselves. Each is a bubble like any other, with a record, a branch and a driver of its own.
import { listDueEffects } from "../../core/bubble/due.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import { pausable } from "../../core/limits/pause.ts";
import { isRefusal, type Refusal } from "../../core/model/refusal.ts";
import type { Lifecycle, State } from "../../core/model/state.ts";
import { handle, load } from "../../engine/front/command.ts";
import { buildWholeReport, isHeldBack } from "../../engine/front/effects.ts";
import type { World } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import type { MadeBubble, Siblings } from "../../ports/siblings.ts";
import { buildChildBubble, buildStartedBubble } from "../making/children.ts";
import { makeBubble } from "../making/make.ts";
import { generateSiblingIds, isBranchTaken, startedByName } from "../making/names.ts";
import type { DerivedBubble } from "../making/wanted.ts";
import { ensureDriver } from "../operate/driver.ts";
import { stopBubble } from "../operate/end.ts";
import { endPauseBelow, pauseBubble } from "../operate/pause.ts";
import { startBubble } from "../operate/start.ts";

/** Children run without panes; whatever else is met is met in its own kind of seat. */
export function createSiblings(worldFor: (seat: string) => World): Siblings {
  const worlds = new Map<string, World>();
  const seated = (seat = "process"): World => {
    const known = worlds.get(seat) ?? worldFor(seat);
    worlds.set(seat, known);
    return known;
  };
  const callFor = (state: State) =>
    ({ world: seated(state.seat), bubble: state.bubbleId, via: "cli" }) as const;

  const report: Siblings["report"] = async (child, payload) => {
    const { parent, driver, bubbleId } = child;
    if (!parent) return;
    const actor = { kind: "driver", id: driver?.id ?? bubbleId } as const;
    const told = await handle(seated(), parent.bubble, { type: "child-reported", actor, ...payload });
    if (told.refusal && !isKnown(told.refusal)) throw toFailure(told.refusal);
    if (told.state && !told.refusal) await ensureDriver(callFor(told.state));
  };

  const reportEnd = async (state: State): Promise<void> => {
    const payload = await buildWholeReport(seated(), state);
    if (payload) await report(state, payload);
  };

  return {
    report,
    child: (parent, child, from) =>
      toProblem(async () => {
        const world = seated();
        const isIt = (state: State) => isUnstarted(state, { parent: parent.bubbleId, key: child.key, from });
        return makeOrFind(world, `${parent.bubbleId}-${child.key}`, {
          isIt: async (state) => isIt(state),
          make: (id) => buildChildBubble(world, { parent, child, from, id }),
        });
      }),
    async keepGoing(bubble) {
      const { state } = await loadAny(seated(), bubble);
      if (!state) return "gone";
      if (isFinal(state.lifecycle)) {
        await reportEnd(state);
        return "ended";
      }
      const above = state.pause?.parent;
      if (above && !(await loadAny(seated(), above)).state?.pause) await endPauseBelow(callFor(state), above);
      return goOn(seated(state.seat), state);
    },
    async pause(bubble, how) {
      const { state } = await loadAny(seated(), bubble);
      if (state && pausable.includes(state.lifecycle)) await pauseBubble(callFor(state), how);
    },
    async resume(bubble, parent) {
      const { state } = await loadAny(seated(), bubble);
      if (state?.pause?.parent === parent) await endPauseBelow(callFor(state), parent);
    },
    async rests(bubble) {
      const { state } = await loadAny(seated(), bubble);
      return state !== undefined && isResting(seated(), state);
    },
    async stop(bubble, reason) {
      const { state } = await loadAny(seated(), bubble);
      if (!state) return;
      if (!isFinal(state.lifecycle)) await stopBubble(callFor(state), reason);
      const after = (await load(seated(), bubble)).state;
      if (after) await reportEnd(after);
    },
    start: (parent, wish) =>
      toProblem(async () => {
        const world = seated(parent.seat);
        const by = JSON.stringify({ bubble: parent.bubbleId, reason: wish.reason });
        const made = await makeOrFind(world, `${getFirstBubble(parent)}-${wish.workflow}`, {
          isIt: async (state) => (await findStarter(world, state.bubbleId)) === by,
          make: (id) => buildStartedBubble(world, { parent, ...wish, id, by }),
        });
        const { state } = await load(world, made.bubble);
        if (state?.lifecycle === "CREATED" || state?.lifecycle === "PREPARING_WORKSPACE") {
          const { refusal } = await startBubble({ world, bubble: made.bubble, via: "cli" }, world.seats.kind);
          if (refusal) throw refusal;
        }
        await ensureDriver({ world, bubble: made.bubble, via: "cli" });
        return made;
      }),
  };
}

/** The parent has the report already, or wants none any more. */
const isKnown = ({ code }: Refusal) =>
  ["child.reported", "driver.not-due", "bubble.ended", "bubble.unknown"].includes(code);

/** The driver makes the workspace, so that its troubles are the child's. */
async function goOn(world: World, state: State): Promise<"going" | "started" | "waiting"> {
  const { lifecycle, bubbleId: bubble } = state;
  if (await isResting(world, state)) return "waiting";
  if (lifecycle === "CREATED") {
    const actor = { kind: "operator", via: "cli" } as const;
    const { refusal } = await handle(world, bubble, { type: "start", actor, seat: world.seats.kind });
    if (refusal) throw toFailure(refusal);
  }
  const driver = await ensureDriver({ world, bubble, via: "cli" });
  return driver === "started" ? "started" : "going";
}

const continuesAlone: readonly Lifecycle[] = ["CREATED", "PREPARING_WORKSPACE", "RUNNING"];

/**
 * Without a human a bubble continues while it is prepared or runs, unless a spent budget above holds it back or all it waits
 * for are children that rest.
 */
async function isResting(world: World, state: State): Promise<boolean> {
  if (isFinal(state.lifecycle)) return false;
  if (!continuesAlone.includes(state.lifecycle)) return true;
  if (await isHeldBack(world, state)) return true;
  const owed = listDueEffects(state).filter(({ kind }) => kind !== "notify");
  if (state.pause && owed.length === 0) return true;
  const bubbles = owed.map((effect) =>
    effect.kind === "child" ? findBubble(state, effect.child.key) : undefined,
  );
  if (state.lifecycle !== "RUNNING" || owed.length === 0 || bubbles.includes(undefined)) return false;
  for (const bubble of bubbles) {
    const child = (await loadAny(world, bubble ?? "")).state;
    if (!child || !(await isResting(world, child))) return false;
  }
  return true;
}

/** The bubble a lineage began with: named after the last one, each further name would be longer. */
const getFirstBubble = ({ bubbleId, lineage }: State): string => lineage?.[0]?.bubble ?? bubbleId;

const findBubble = ({ children }: State, key: string) =>
  children?.each.find(({ child }) => child.key === key)?.bubble;

/** Made for this wish and never started: only so it is certainly not the child of an earlier one. */
function isUnstarted(state: State, wish: { parent: string; key: string; from: string }): boolean {
  const { parent, lifecycle, baseCommit } = state;
  const isMine = parent?.bubble === wish.parent && parent.key === wish.key;
  return isMine && lifecycle === "CREATED" && baseCommit === wish.from;
}

interface Wish {
  /** Is this bubble the one that is wished for, made before? */
  isIt(state: State): Promise<boolean>;
  make(id: string): Promise<DerivedBubble>;
}

async function makeOrFind(world: World, name: string, wish: Wish): Promise<{ bubble: string }> {
  for (const id of generateSiblingIds(name, world.hash)) {
    const { state } = await loadAny(world, id);
    if (state && (await wish.isIt(state))) return { bubble: id };
    if (state) continue;
    const wanted = await wish.make(id);
    if (await isBranchTaken(wanted.config)) continue;
    const { refusal } = await makeBubble(world, wanted);
    if (!refusal) return { bubble: id };
    if (refusal.code !== "bubble.exists") throw refusal;
  }
  throw new Failure("bubble.exists", `every name after ${name} is taken`, {
    hint: "pairflow bubble list --all",
  });
}

async function loadAny(world: World, bubble: string): Promise<{ readonly state: State | undefined }> {
  return (await world.records.exists(bubble)) ? load(world, bubble) : { state: undefined };
}

async function findStarter(world: World, bubble: string): Promise<string | undefined> {
  const bytes = await world.records.get(bubble, startedByName);
  return bytes ? new TextDecoder().decode(bytes) : undefined;
}

/** A request that cannot be met is reported to the bubble that made it; after a failure of the machine it is tried again. */
async function toProblem(make: () => Promise<MadeBubble>): Promise<MadeBubble> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof Failure || !isRefusal(error)) throw error;
    return { problem: [error.message, ...(error.details ?? [])].join("; ") };
  }
}

const toFailure = ({ code, message, hint }: Refusal): Failure =>
  new Failure(code, message, hint ? { hint } : {});
