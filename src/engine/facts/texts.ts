// Files of pinned trees as reviews are looked up in them: each is read once, and without secrets.
import type { State } from "../../core/model/state.ts";
import type { Text } from "../../core/review/facts.ts";
import type { FileText } from "../../ports/record/trees.ts";
import type { RecordWorld } from "../world/world.ts";

export type TreeReading = Pick<RecordWorld, "trees" | "records" | "hash" | "redaction">;

interface Wanted {
  readonly tree: string;
  readonly path: string;
}

export interface TextReader {
  load(wanted: readonly Wanted[]): Promise<void>;
  get(tree: string, path: string): Text;
}

export function createTextReader(world: TreeReading, state: State): TextReader {
  const texts = new Map<string, Text>();
  const keyOf = ({ tree, path }: Wanted) => `${tree}:${path}`;
  return {
    async load(wanted) {
      const missing = [...new Map(wanted.map((one) => [keyOf(one), one])).values()].filter(
        (one) => !texts.has(keyOf(one)),
      );
      const read = await world.trees.read(state, missing);
      for (const [i, one] of missing.entries())
        texts.set(keyOf(one), buildText(read[i], world.redaction.redact));
    },
    get: (tree, path) => texts.get(keyOf({ tree, path })),
  };
}

function buildText(read: FileText | undefined, redact: (text: string) => string): Text {
  if (!read || read.kind === "absent") return undefined;
  return read.kind === "text" ? redact(read.text) : null;
}
