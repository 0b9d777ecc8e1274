// Files of pinned trees as reviews are looked up in them: each is read once, and without secrets.
import type { State } from "../../core/model/state.ts";
import type { Text } from "../../core/review/facts.ts";
import type { FileText, WantedFile } from "../../ports/record/trees.ts";
import type { RecordWorld } from "../world/world.ts";

export type TreeReading = Pick<RecordWorld, "trees" | "records" | "hash" | "redaction">;

type Wanted = Omit<WantedFile, "only">;

export interface TextReader {
  /** Reads these files, and of those in `near` whether they are there, all at once. */
  load(wanted: readonly Wanted[], near?: readonly Wanted[]): Promise<void>;
  /** The text; `null` for what is there and is none, or was only looked for. */
  get(tree: string, path: string): Text;
  /** Whether a file that was loaded, or looked for, is there. */
  has(tree: string, path: string): boolean;
}

export function createTextReader(world: TreeReading, state: State): TextReader {
  const read = new Map<string, FileText>();
  const texts = new Map<string, Text>();
  const keyOf = ({ tree, path, only }: WantedFile) => `${tree}:${path}\0${only ?? ""}`;
  return {
    async load(wanted, near = []) {
      const asked = [...wanted, ...near.map((one) => ({ ...one, only: "presence" as const }))];
      const missing = [...new Map(asked.map((one) => [keyOf(one), one])).values()].filter(
        (one) => !read.has(keyOf(one)),
      );
      const found = await world.trees.read(state, missing);
      for (const [i, one] of missing.entries()) read.set(keyOf(one), found[i] ?? { kind: "absent" });
    },
    // Secrets are taken out of what is looked at, which is less than what was read.
    get(tree, path) {
      const key = keyOf({ tree, path });
      const found = read.get(key);
      if (!found) return isThere(read.get(keyOf({ tree, path, only: "presence" }))) ? null : undefined;
      if (!texts.has(key)) texts.set(key, buildText(found, world.redaction.redact));
      return texts.get(key);
    },
    has: (tree, path) =>
      isThere(read.get(keyOf({ tree, path })) ?? read.get(keyOf({ tree, path, only: "presence" }))),
  };
}

const isThere = (found: FileText | undefined): boolean => found !== undefined && found.kind !== "absent";

function buildText(read: FileText, redact: (text: string) => string): Text {
  if (read.kind === "absent") return undefined;
  return read.kind === "text" ? redact(read.text) : null;
}
