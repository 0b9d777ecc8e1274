// Conventions that several machines share: what was learned is an entry on a server, changed by compare-and-set; it begins with what
// the first machine to change it had learned alone. The file of accepted conventions is a file of this checkout, since git carries it
// to the others.
import { join } from "node:path";
import type { LearningFiles } from "../../core/knowledge/learning/conventions.ts";
import { parseLearned, serializeLearned } from "../../core/knowledge/learning/file.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { Failure } from "../../ports/failure.ts";
import type { Conventions } from "../../ports/record/conventions.ts";
import type { Entries } from "../../ports/system/entries.ts";
import { readPlainText, replaceText } from "./text-file.ts";

export interface SharedConventionsOptions {
  /** The main checkout of the repository. */
  readonly root: string;
  readonly entries: Entries;
  readonly crashPoint?: CrashPoint;
}

const KEY = "learned";
const TRIES = 200;

export function createSharedConventions({
  root,
  entries,
  crashPoint = () => {},
}: SharedConventionsOptions): Conventions {
  const accepted = join(root, ".pairflow", "conventions.ndjson");
  const alone = join(root, ".pairflow", "learned.ndjson");
  const read = async () => {
    const entry = await entries.read(KEY);
    const learned = parseLearnedText(entry?.text ?? readPlainText(alone), entry ? "on the server" : alone);
    return { entry, kept: { learned, file: readPlainText(accepted) } };
  };

  /** Undefined: somebody changed one of them meanwhile, and the change must be made anew. */
  const attempt = async <T>(
    change: (kept: LearningFiles) => { readonly kept: LearningFiles; readonly result: T },
  ) => {
    const { entry, kept: before } = await read();
    const { kept, result } = change(before);
    // What was learned first, for the reason that the files have.
    const learned = serializeLearned(kept.learned);
    if (learned !== serializeLearned(before.learned)) {
      if (!(await entries.write(KEY, learned, entry?.revision ?? 0))) return undefined;
      crashPoint("conventions.learned.written");
    }
    if (kept.file === before.file) return { result };
    if (readPlainText(accepted) !== before.file) return undefined;
    replaceText(accepted, kept.file);
    crashPoint("conventions.accepted.written");
    return { result };
  };

  return {
    async read() {
      const { kept } = await read();
      // This machine's copy, for the day on which it works alone again.
      const learned = serializeLearned(kept.learned);
      if (readPlainText(alone) !== learned) replaceText(alone, learned);
      return kept;
    },
    async change(change) {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const done = await attempt(change);
        if (done) return done.result;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      }
      throw new Failure("conventions.busy", "other machines are changing the conventions", {
        hint: "repeat the command",
        retryable: true,
      });
    },
  };
}

function parseLearnedText(text: string, where: string): LearningFiles["learned"] {
  const read = parseLearned(text);
  if (read.ok) return read.learned;
  throw new Failure(
    "conventions.unreadable",
    `What was learned cannot be read (${where}): line ${read.line}: ${read.message}`,
    { hint: "it was not written by Pairflow; restore it from a back-up" },
  );
}
