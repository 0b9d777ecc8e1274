// The process of the status pane: it keeps the last actions of the record in mind and draws the pane anew whenever
// something has changed, the size of the pane included.
import { type LiveGate, readLiveGates } from "../../app/record/live-gates.ts";
import type { State } from "../../core/model/state.ts";
import { buildStatusView } from "../../core/views/bubble/status.ts";
import { buildTimelineRow, type TimelineRow } from "../../core/views/history/timeline.ts";
import type { World } from "../../engine/front/world.ts";
import type { Head } from "../../ports/record/log.ts";
import type { Beat } from "../../ports/record/records.ts";
import { mostActions, renderStatusPane } from "../render/bubble/status-pane.ts";
import { isHousekeeping } from "../render/bubble/timeline.ts";

interface StatusPane {
  show(state: State, beat: Beat): void;
}

export function openStatusPane(world: World, bubble: string): StatusPane {
  const news = followActions(world, bubble);
  let gates: readonly LiveGate[] = [];
  let newest: { readonly state: State; readonly beat: Beat } | undefined;
  let shown = "";
  const draw = () => {
    if (!newest) return;
    const { columns = 80, rows = 24 } = process.stdout;
    const now = world.clock.now();
    const view = buildStatusView(newest.state, { now, gates, driver: buildDriver(newest.beat) });
    // No line end after the last one: it would push the state out of a pane that is just high enough.
    const text = renderStatusPane(view, news.actions(), { now, colour: true, width: columns, rows }).join(
      "\n",
    );
    const drawn = `${columns}x${rows}\n${text}`;
    if (drawn === shown) return;
    shown = drawn;
    process.stdout.write(`\u001b[2J\u001b[H${text}`);
  };
  process.stdout.on("resize", draw);
  return {
    show(state, beat) {
      newest = { state, beat };
      draw();
      void Promise.all([readLiveGates(world, bubble), news.read()]).then(([running]) => {
        gates = running;
        draw();
      });
    },
  };
}

const buildDriver = ({ pid, seat, doing, lastSignAt }: Beat) => ({
  ...{ pid, seat },
  ...(doing ? { doing } : {}),
  ...(lastSignAt ? { lastSignAt } : {}),
});

/** The newest lines of the record that people care about; only what is new is read. */
function followActions(world: World, bubble: string) {
  let head: Head | undefined;
  let actions: readonly TimelineRow[] = [];
  let reading = Promise.resolve();
  const readNews = async () => {
    for await (const batch of world.log.read(bubble, head)) {
      head = batch.head;
      const rows = batch.envelopes.filter((one) => !isHousekeeping(one)).map(buildTimelineRow);
      actions = [...actions, ...rows].slice(-mostActions);
    }
  };
  return {
    actions: () => actions,
    // What cannot be read is the driver's trouble, which tells it; the pane shows what it knows.
    read: () => (reading = reading.then(readNews).catch(() => undefined)),
  };
}
