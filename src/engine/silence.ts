// Looking for signs of life of the running turn: its output, hooks, changed files. When none is left, the referee
// is told the time and decides.
import type { State } from "../core/model/state.ts";
import { millis } from "../core/model/time.ts";
import { minutesEndAt } from "../core/policy/budget.ts";
import { deadline } from "../core/policy/watchdog.ts";
import { handle } from "./handle.ts";
import { placeOf, type World } from "./world.ts";

/** Between two looks when no turn runs: the log wakes the driver, this is only its heartbeat. */
const restMs = 15_000;

export interface Signs {
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

  async look(state: State): Promise<Signs> {
    const { world } = this;
    if (state.turn?.status !== "running") return { waitMs: restMs };
    const lastSignAt = await lastSign(world, state, this.treeChangedAt);
    const due = deadline(state, lastSignAt);
    if (!due) return { waitMs: restMs, ...(lastSignAt ? { lastSignAt } : {}) };
    const left = due.at - millis(world.clock.now());
    if (left <= 0) await this.escalate(state, due.reason === "silent", lastSignAt);
    const budget = minutesEndAt(state);
    const untilBudget = budget === undefined ? left : budget - millis(world.clock.now());
    return {
      waitMs: Math.min(1000, Math.max(50, Math.min(left, untilBudget))),
      ...(lastSignAt ? { lastSignAt } : {}),
    };
  }

  private async escalate(state: State, silent: boolean, lastSignAt: string | undefined): Promise<void> {
    if (silent && (await this.filesChanged(state))) return;
    await handle(this.world, state.bubbleId, {
      type: "watchdog",
      actor: { kind: "driver", id: this.driver },
      ...(lastSignAt ? { lastSignAt } : {}),
    });
  }

  /** Asked only when everything else is silent: comparing trees costs a few git calls. */
  private async filesChanged(state: State): Promise<boolean> {
    const tree = await this.world.workspace.treeId(placeOf(this.world, state));
    const known = this.lastTree || state.turn?.tree;
    this.lastTree = tree;
    if (tree === known) return false;
    this.treeChangedAt = this.world.clock.now();
    return true;
  }
}

/** The newest sign of the running turn that can be read from files: its output, a hook. */
export async function lastSign(
  world: Pick<World, "scratch" | "runtime">,
  state: State,
  also = "",
): Promise<string | undefined> {
  const output = state.turn?.output ? await world.scratch.modifiedAt(state.turn.output) : undefined;
  const hook = await world.runtime.lastSign(state.bubbleId);
  return [output, hook, also]
    .filter((at): at is string => Boolean(at))
    .sort()
    .at(-1);
}
