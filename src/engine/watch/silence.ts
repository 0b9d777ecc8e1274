// Looking for signs of life of the running turn: its output, hooks, changed files. When none is left, the referee
// is told the time and decides.

import { findMinutesEnd } from "../../core/limits/budget.ts";
import { getTurnStart, measureWatchdogLeft } from "../../core/limits/watchdog.ts";
import type { Ages } from "../../core/model/command.ts";
import type { State } from "../../core/model/state.ts";
import { parseTime } from "../../core/model/value/time.ts";
import { handle } from "../handle/command.ts";
import { computeMeasuredNow, getStopwatch, measureTurnMs, recordNow } from "../world/stopwatch.ts";
import { getWorkspacePlace, type World } from "../world/world.ts";

/** Between two looks when no turn runs: the log wakes the driver, this is only its heartbeat. */
const restMs = 15_000;

export interface SignsOfLife {
  readonly lastSignAt?: string;
  /** How long nothing needs to be looked at, if nothing else happens. */
  readonly waitMs: number;
}

/** Remembers the last tree it saw, so that edited files count as life without watching every file. */
export class SilenceWatch {
  private lastTree = "";
  private treeChangedAt = "";
  private readonly world: World;
  private readonly driver: string;

  constructor(world: World, driver: string) {
    this.world = world;
    this.driver = driver;
  }

  async look(state: State): Promise<SignsOfLife> {
    const { world } = this;
    if (state.turn?.status !== "running" || state.pause) return { waitMs: restMs };
    const signs = await listSigns(world, state, this.treeChangedAt);
    const lastSignAt = findNewest(signs);
    const sign = lastSignAt ? { lastSignAt } : {};
    const now = recordNow(world, state);
    const ages = this.measure(state, signs, now);
    const due = measureWatchdogLeft(state, { now, ...sign, ...(ages ? { ages } : {}) });
    if (!due || !ages) return { waitMs: restMs, ...sign };
    if (due.leftMs <= 0) await this.escalate(state, due.reason === "silent", { ...sign, ages });
    const budget = findMinutesEnd(state);
    const untilBudget =
      budget === undefined ? due.leftMs : budget - parseTime(computeMeasuredNow(world, state));
    return { waitMs: Math.min(1000, Math.max(50, Math.min(due.leftMs, untilBudget))), ...sign };
  }

  /** Any sign that changes is life, also one with an earlier time than the last: the clock may have been set back. */
  private measure(state: State, signs: readonly string[], now: string): Ages | undefined {
    const turn = measureTurnMs(this.world, state);
    const begun = getTurnStart(state);
    if (turn === undefined || begun === undefined) return undefined;
    const all = [...signs, state.lastCommandAt];
    const moment = Math.max(begun, ...all.map(parseTime));
    const seen = `${state.turn?.id}.${state.turn?.attempt} ${begun} ${all.join(" ")}`;
    const signMs = getStopwatch(this.world).since(`${state.bubbleId} sign`, {
      seen,
      moment,
      now: parseTime(now),
    });
    return { turnMs: turn, signMs: Math.min(signMs, turn) };
  }

  private async escalate(
    state: State,
    silent: boolean,
    found: { readonly lastSignAt?: string; readonly ages: Ages },
  ): Promise<void> {
    if (silent && (await this.filesChanged(state))) return;
    await handle(this.world, state.bubbleId, {
      type: "watchdog",
      actor: { kind: "driver", id: this.driver },
      ...found,
    });
  }

  /** Asked only when everything else is silent: comparing trees costs a few git calls. */
  private async filesChanged(state: State): Promise<boolean> {
    const tree = await this.world.workspace.treeId(getWorkspacePlace(this.world, state));
    const known = this.lastTree || state.turn?.tree;
    this.lastTree = tree;
    if (tree === known) return false;
    this.treeChangedAt = this.world.clock.now();
    return true;
  }
}

/** The newest sign of the running turn that can be read from files: its output, a hook. */
export async function findLastSign(
  world: Pick<World, "scratch" | "runtime">,
  state: State,
): Promise<string | undefined> {
  return findNewest(await listSigns(world, state));
}

const findNewest = (signs: readonly string[]): string | undefined => signs.toSorted().at(-1);

async function listSigns(
  world: Pick<World, "scratch" | "runtime">,
  state: State,
  also = "",
): Promise<string[]> {
  const output = state.turn?.output ? await world.scratch.modifiedAt(state.turn.output) : undefined;
  const hook = await world.runtime.lastSign(state.bubbleId);
  return [output, hook, also].filter((at): at is string => Boolean(at));
}
