// A run watched as a tree: on a terminal drawn over in place, elsewhere one line for each change.
import { readTree } from "../../app/execute/read-tree.ts";
import type { TreeNode } from "../../core/views/tree/run.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { describeTree, renderTree } from "../render/bubble/tree.ts";
import { fitRows } from "../terminal/style.ts";
import { isTerminal, writeAll } from "../terminal/terminal.ts";
import type { Shell } from "../verb/declaration.ts";

/** A few times a second is enough for eyes, and costs nothing beside what agents do. */
const drawMs = 400;

export interface TreeScreen {
  /** Draws until told to leave; `look` sees each tree. */
  watch(signal: AbortSignal, look?: (tree: TreeNode) => void): Promise<void>;
}

export function createTreeScreen(shell: Shell, world: RecordWorld, bubble: string): TreeScreen {
  const tell = tellChanges(shell);
  return {
    async watch(signal, look = () => {}) {
      // Whatever was said in between stays: the next drawing begins below it.
      const show = shell.json ? () => {} : isTerminal(2) ? drawOver(shell, world) : tell;
      for (;;) {
        // A record that is just being replaced or deleted is looked at again a moment later.
        const tree = await readTree(world, bubble).catch(() => undefined);
        if (tree) {
          show(tree);
          look(tree);
        }
        if (signal.aborted) return;
        await world.clock.sleep(drawMs, signal);
      }
    },
  };
}

/** The cursor goes back to the first line and every line is written over: nothing is cleared, so nothing flickers. */
function drawOver(shell: Shell, world: RecordWorld): (tree: TreeNode) => void {
  let height = 0;
  let before = "";
  return (tree) => {
    const { columns = 80, rows = 24 } = process.stderr;
    const look = { now: world.clock.now(), colour: shell.colour, width: columns };
    const lines = fitRows(renderTree(tree, look, { live: true }).split("\n"), rows - 1, columns);
    const text = lines.join("\n");
    if (text === before) return;
    const up = height > 0 ? `\u001b[${height}A` : "";
    writeAll(2, `${up}\r${lines.map((line) => `${line}\u001b[K\n`).join("")}\u001b[J`);
    before = text;
    height = lines.reduce((sum, line) => sum + getHeight(line, columns), 0);
  };
}

const colours = new RegExp(`${"\u001b"}\\[\\d*m`, "gu");

/** A command may run over the edge. */
const getHeight = (line: string, columns: number): number =>
  Math.max(1, Math.ceil(line.replace(colours, "").length / columns));

function tellChanges(shell: Shell): (tree: TreeNode) => void {
  let before: ReadonlyMap<string, string> = new Map();
  return (tree) => {
    const story = describeTree(tree);
    for (const [name, line] of story) if (before.get(name) !== line) shell.say(line);
    before = story;
  };
}
