// The last line of a terminal while a run is driven from it: drawn over once a second, gone before anything else is said. Where
// stderr is no terminal there is none.
import { readLiveGates } from "../../app/record/live-gates.ts";
import type { State } from "../../core/model/state.ts";
import { buildStatusView } from "../../core/views/bubble/status.ts";
import type { World } from "../../engine/front/world.ts";
import type { Beat } from "../../ports/record/records.ts";
import { renderLifeLine } from "../render/bubble/life-line.ts";
import { canDrawLastLine, createLastLine } from "../terminal/last-line.ts";
import type { Shell } from "../verb/declaration.ts";

export interface LifeLine {
  /** Says a line above it. */
  say(line: string): void;
  /** What is known now. */
  show(state: State, beat: Beat): void;
  end(): void;
}

const drawMs = 1000;

export function createLifeLine(
  shell: Pick<Shell, "say"> & Partial<Pick<Shell, "colour" | "json">>,
  world: World,
  bubble: string,
): LifeLine {
  if (!canDrawLastLine(shell)) return { say: shell.say, show: () => {}, end: () => {} };
  let newest: { readonly state: State; readonly beat: Beat } | undefined;
  let isOver = false;
  const last = createLastLine(shell.say);
  const draw = async () => {
    if (!newest) return;
    const { state, beat } = newest;
    const gates = await readLiveGates(world, bubble).catch(() => []);
    const now = world.clock.now();
    const { pid, seat, doing, lastSignAt } = beat;
    const driver = { pid, seat, ...(doing ? { doing } : {}), ...(lastSignAt ? { lastSignAt } : {}) };
    const view = buildStatusView(state, { now, gates, driver });
    const look = { now, colour: shell.colour ?? false, width: process.stderr.columns ?? 80 };
    const line = renderLifeLine(view, look);
    if (!isOver) last.draw(line);
  };
  const timer = setInterval(() => void draw(), drawMs);
  timer.unref();
  return {
    say: last.say,
    show: (state, beat) => {
      newest = { state, beat };
    },
    end: () => {
      isOver = true;
      clearInterval(timer);
      last.draw();
    },
  };
}
