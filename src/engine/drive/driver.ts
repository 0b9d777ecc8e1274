// The driver: does what is owed, as long as something is. It holds no rules and no state of its own; killed at any
// point, the next driver folds the log and continues.
import { listDueEffects } from "../../core/bubble/due.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import type { Turn } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import { isWorktreeOn } from "../../core/state/hosts.ts";
import { Failure } from "../../ports/failure.ts";
import type { Head } from "../../ports/record/log.ts";
import { handle, load } from "../handle/command.ts";
import { PipelineViews } from "../views/pipeline.ts";
import { SilenceWatch } from "../watch/silence.ts";
import { requireTrust } from "../world/trust.ts";
import { WakeUp } from "../world/wake-up.ts";
import { buildTurnMarker, buildWorkMarker, getWorkspacePlace, type World } from "../world/world.ts";
import { Jobs } from "./jobs.ts";
import { performEffect } from "./perform.ts";
import { buildFirstBeat, endUnheardWork, endWorkHere, HeldPlace, loadKnown } from "./place.ts";
import { type DriveOptions, type Driving, driveRound, type Left } from "./round.ts";

/** Drives one bubble until it has ended (or waits, if asked to leave then). Refuses when somebody else drives it. */
export async function drive(world: World, bubble: string, options: DriveOptions): Promise<State> {
  await requireTrust(world, await loadKnown(world, bubble));
  let state = await driveUntilLeft(world, bubble, options);
  while (options.leaveWhenWaiting && !options.signal.aborted && (await isLeftAlone(world, state)))
    state = await driveUntilLeft(world, bubble, options);
  return state;
}

/** A command that is given while a driver leaves still sees it and starts no other one: so it looks back once more. */
async function isLeftAlone(world: World, left: State): Promise<boolean> {
  const { seq, lifecycle, pause } = await loadKnown(world, left.bubbleId);
  const isContinued = seq !== left.seq && lifecycle === "RUNNING" && !pause;
  return isContinued && !(await world.runtime.living(left.bubbleId));
}

async function driveUntilLeft(world: World, bubble: string, options: DriveOptions): Promise<State> {
  const driver = world.chance.id();
  const beat = buildFirstBeat(world, bubble, driver);
  const place = new HeldPlace(world, bubble, beat);
  const claim = await world.runtime.claim(bubble, beat);
  if (!claim.ok) {
    const { pid, host } = claim.holder;
    await endWorkHere(world, bubble, driver);
    throw new Failure("driver.running", `${bubble} is driven already by process ${pid} on ${host}`, {
      hint: `pairflow bubble attach --id ${bubble}`,
    });
  }
  const wakeUp = new WakeUp();
  const ears = new AbortController();
  const stop = () => wakeUp.signal();
  options.signal.addEventListener("abort", stop);
  const jobs = buildJobs(world, bubble, driver, { wakeUp, place }, options);
  const door = await world.verbs.listen(bubble);
  let lost: Left["lost"];
  try {
    world.records.pace?.(cacheMs);
    const { state: first, head, hasClaimed } = await takeOver(world, bubble, driver);
    void listen(world, bubble, head, wakeUp, ears.signal);
    const left = await driveRounds(
      world,
      bubble,
      {
        ...{ beat, place, hasClaimed, jobs, wakeUp, first },
        silence: new SilenceWatch(world, driver),
        views: new PipelineViews(world, driver),
      },
      options,
    );
    lost = left.lost;
    return left.state;
  } finally {
    options.signal.removeEventListener("abort", stop);
    ears.abort();
    // First nobody is heard here any more: what an agent says while it is ended does not count.
    if (lost) await door.close();
    const ended = jobs.endAll();
    if (lost) {
      if (lost === "unheard") await endUnheardWork(world, bubble);
      else await endWorkHere(world, bubble, driver);
    }
    await ended;
    const endsTurn = world.seats.kind === "process" || world.offers !== undefined;
    if (!lost && options.signal.aborted && endsTurn) await endOwnTurn(world, bubble, driver);
    await door.close();
    world.records.pace?.(0);
    await leavePlace(world, bubble, driver);
  }
}

/** A place that cannot be given back, because nobody can be asked, runs out by itself. */
async function leavePlace(world: World, bubble: string, driver: string): Promise<void> {
  try {
    await world.runtime.release(bubble, driver);
  } catch (error) {
    const runsOut = world.runtime.leaseMs !== undefined;
    if (!(runsOut && error instanceof Failure && error.retryable)) throw error;
  }
}

/** Steps may follow one another faster than anybody reads the cache. */
const cacheMs = 50;
/** Between two looks at a store that cannot be reached. */
const unreachableMs = 1000;

/** Rounds until there is a reason to leave, or until the place is lost in the middle of one because nobody answers. */
async function driveRounds(
  world: World,
  bubble: string,
  driving: Driving & { readonly first: State },
  options: DriveOptions,
): Promise<Left> {
  const over = new AbortController();
  const seen: Seen = { over: over.signal, last: driving.first };
  const unheard = driving.place.waitUntilUnheard(over.signal);
  try {
    return await Promise.race([
      driveRoundAfterRound(world, bubble, { driving, seen }, options),
      unheard.then((): Left => ({ state: seen.last, lost: "unheard" })),
    ]);
  } finally {
    over.abort();
  }
}

/** Where a loop of rounds is; `over`: whoever waits in a round that has been left does nothing more. */
interface Seen {
  readonly over: AbortSignal;
  last: State;
}

async function driveRoundAfterRound(
  world: World,
  bubble: string,
  { driving, seen }: { readonly driving: Driving; readonly seen: Seen },
  options: DriveOptions,
): Promise<Left> {
  for (;;) {
    let waitMs = unreachableMs;
    try {
      const round = await driveRound(world, bubble, { driving, over: seen.over }, options);
      if (!("waitMs" in round)) return round;
      ({ state: seen.last, waitMs } = round);
    } catch (error) {
      if (driving.place.isLost(error)) return { state: seen.last, lost: "unheard" };
      if (!driving.place.outlasts(error)) throw error;
    }
    await driving.wakeUp.wait((over) => world.clock.sleep(waitMs, over));
  }
}

function buildJobs(
  world: World,
  bubble: string,
  driver: string,
  { wakeUp, place }: { readonly wakeUp: WakeUp; readonly place: HeldPlace },
  options: DriveOptions,
): Jobs {
  return new Jobs({
    async perform(effect, signal) {
      const state = await loadKnown(world, bubble);
      world.crashPoint(`drive.${effect.kind}.before`);
      if (listDueEffects(state).some((owed) => owed.key === effect.key))
        await performEffect({ world, state, driver, signal }, effect);
      world.crashPoint(`drive.${effect.kind}.after`);
    },
    pause: (ms) => world.clock.sleep(ms, options.signal),
    onFailure: (failure) => options.onFailure?.(failure),
    outlasts: (failure) => place.outlasts(failure),
    async giveUp(failure, effect) {
      if (isOfTheMachine(failure)) throw failure;
      const message = `${effect.kind}: ${failure.message}${failure.hint ? ` (${failure.hint})` : ""}`;
      await handle(world, bubble, {
        type: "fail",
        actor: { kind: "driver", id: driver },
        code: failure.code,
        message,
      });
    },
    changed: () => wakeUp.signal(),
  });
}

/** A full disk, somebody's lock or a log one cannot build on leaves nothing to record: the driver leaves, and the next one finds all as it is. */
function isOfTheMachine({ code, retryable }: Failure): boolean {
  return retryable || /\.(disk-full|read-only|read-failed)$|^log\.(damaged|newer)$/.test(code);
}

/** A new driver ends the gates its predecessor left behind; living turns are adopted by whoever watches them. */
async function takeOver(
  world: World,
  bubble: string,
  driver: string,
): Promise<{ readonly state: State; readonly head: Head; readonly hasClaimed: boolean }> {
  const { state, head } = await load(world, bubble, true);
  if (!state)
    throw new Failure("bubble.unknown", `there is no bubble ${bubble}`, { hint: "pairflow bubble list" });
  if (isFinal(state.lifecycle)) return { state, head, hasClaimed: false };
  await world.processes.end(buildWorkMarker(world, bubble, "gate-*"));
  await world.processes.end(buildWorkMarker(world, bubble, "setup*"));
  world.crashPoint("drive.leftovers");
  const agents = [...new Set(Object.values(state.config.agents))];
  await world.seats.open(bubble, {
    cwd: isWorktreeOn(state, world.host) ? getWorkspacePlace(world, state).path : world.repo,
    agents,
    title: state.task.title,
  });
  await handle(world, bubble, {
    type: "claim-driver",
    actor: { kind: "driver", id: driver },
    pid: world.pid,
    host: world.host,
    seat: world.seats.kind,
  });
  return { state, head, hasClaimed: true };
}

async function listen(
  world: World,
  bubble: string,
  from: Head,
  wakeUp: WakeUp,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const _batch of world.log.subscribe(bubble, from, signal)) wakeUp.signal();
  } catch {
    // The loop's own timer still wakes it; a broken subscription only costs promptness.
    wakeUp.signal();
  }
}

// A driver that is asked to end (SIGTERM, SIGHUP, Ctrl-C). Only the driver reads the output of an agent without a terminal, so
// that agent is ended and its turn is owed again in the same session. Agents in panes continue where people see them, unless other
// machines share the work: one of them would begin the turn again. A turn that waits for a human's answer keeps waiting: it costs nothing.
async function endOwnTurn(world: World, bubble: string, driver: string): Promise<void> {
  const { state } = await load(world, bubble);
  const turn = state?.turn;
  if (!state || turn?.status !== "running" || turn.seat !== world.seats.kind || isAsking(state, turn)) return;
  const work = buildTurnMarker(world, bubble, turn);
  if (!(await world.seats.find(work))) return;
  await world.seats.end(work);
  await handle(world, bubble, {
    type: "turn-ended",
    actor: { kind: "driver", id: driver, turn: turn.id, attempt: turn.attempt },
    turn: turn.id,
    attempt: turn.attempt,
    outcome: "superseded",
    detail:
      "its driver was asked to leave; the turn continues in the same session when the bubble is resumed",
  });
}

const isAsking = ({ questions }: State, { id }: Turn): boolean => questions.some(({ turn }) => turn === id);
