// Staying with a bubble: woken when its record changes, and once a second for the times, until the person leaves or
// the bubble has ended.
import { watchReader } from "../../app/host/reader.ts";
import { readStatus } from "../../app/record/bubble.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import type { StatusView } from "../../core/views/bubble/status.ts";
import { loadGood } from "../../engine/front/command.ts";
import { type RecordWorld, WakeUp } from "../../engine/front/world.ts";
import { renderStatus } from "../render/bubble/status.ts";
import { sayTrouble } from "../render/bubble/trouble.ts";
import { createStopSignal } from "../terminal/interrupt.ts";
import { buildLook, fitRows } from "../terminal/style.ts";
import type { Shell } from "../verb/declaration.ts";

const tickMs = 1000;

/** Aborts at Ctrl-C, when this process is told to end, or when nobody reads what it prints any more. */
export function createLeaveSignal(): AbortController {
  const abort = new AbortController();
  watchReader(() => abort.abort());
  createStopSignal().addEventListener("abort", () => abort.abort());
  return abort;
}

/** On a terminal one screen, drawn over; in a pipe one block for each change, or with --json one line. */
export async function watchStatus(shell: Shell, world: RecordWorld, bubble: string): Promise<undefined> {
  const leave = createLeaveSignal();
  const wakeUp = new WakeUp();
  leave.signal.addEventListener("abort", () => wakeUp.signal());
  const ears = listen(world, bubble, wakeUp, leave.signal);
  const draw = process.stdout.isTTY && !shell.json ? drawOver(shell, world) : printChanges(shell, world);
  while (!leave.signal.aborted) {
    const { view, trouble } = await readStatus(world, bubble);
    draw(view);
    if (trouble) sayTrouble(shell, bubble, trouble);
    // Nothing changes any more behind damage.
    if (trouble || isFinal(view.state)) leave.abort();
    else await wakeUp.wait((over) => world.clock.sleep(tickMs, over));
  }
  await ears;
  return undefined;
}

async function listen(
  world: RecordWorld,
  bubble: string,
  wakeUp: WakeUp,
  signal: AbortSignal,
): Promise<void> {
  const { head } = await loadGood(world, bubble);
  for await (const _batch of world.log.subscribe(bubble, head, signal)) wakeUp.signal();
}

function drawOver(shell: Shell, world: RecordWorld): (view: StatusView) => void {
  let start = "\u001b[2J\u001b[H";
  return (view) => {
    const { columns = 80, rows = 24 } = process.stdout;
    const text = renderStatus(view, buildLook(shell, world.clock.now()));
    const lines = fitRows(text.split("\n"), rows - 1, columns);
    shell.print(`${start}${lines.map((line) => `${line}\u001b[K`).join("\n")}\n\u001b[J`);
    start = "\u001b[H";
  };
}

function printChanges(shell: Shell, world: RecordWorld): (view: StatusView) => void {
  let seq = 0;
  return (view) => {
    if (view.seq === seq) return;
    const gap = seq > 0 ? "\n" : "";
    seq = view.seq;
    shell.print(
      shell.json ? JSON.stringify(view) : `${gap}${renderStatus(view, buildLook(shell, world.clock.now()))}`,
    );
  };
}
