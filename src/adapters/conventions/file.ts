// Conventions as two files below .pairflow: learned.ndjson for this machine, conventions.ndjson for git. Each is replaced
// whole. A lock puts changes in a row; before a file is replaced it is looked at once more, so that a lock that was broken
// by mistake costs a second try and no word of anybody.
import { join } from "node:path";
import type { LearningFiles } from "../../core/knowledge/learning/conventions.ts";
import { parseLearned, serializeLearned } from "../../core/knowledge/learning/file.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { Failure } from "../../ports/failure.ts";
import type { Conventions } from "../../ports/record/conventions.ts";
import type { Locks } from "../../ports/system/lock.ts";
import { readPlainText, replaceText } from "./text-file.ts";

export interface FileConventionsOptions {
  /** The main checkout of the repository. */
  readonly root: string;
  readonly locks: Locks;
  readonly crashPoint?: CrashPoint;
}

/** No bubble's id, so that no bubble's lock is ever mistaken for this one. */
const lock = ".conventions";
const maxTries = 5;

export function createFileConventions({
  root,
  locks,
  crashPoint = () => {},
}: FileConventionsOptions): Conventions {
  const paths: Paths = {
    learned: join(root, ".pairflow", "learned.ndjson"),
    accepted: join(root, ".pairflow", "conventions.ndjson"),
  };

  /** Undefined: somebody changed a file meanwhile, and the change must be made anew. */
  function attempt<T>(change: Change<T>): { readonly result: T } | undefined {
    const found = buildTexts(paths);
    const before = parseKept(found, paths);
    const { kept, result } = change(before);
    // What was learned first: an accepted line without its candidate is still an accepted line, and a retired
    // candidate whose line is still there is retired by the next try.
    const learned = serializeLearned(kept.learned);
    if (learned !== serializeLearned(before.learned) && !put("learned", found, learned)) return undefined;
    if (kept.file !== before.file && !put("accepted", found, kept.file)) return undefined;
    return { result };
  }

  function put(name: keyof Texts, found: Texts, text: string): boolean {
    if (readPlainText(paths[name]) !== found[name]) return false;
    replaceText(paths[name], text);
    crashPoint(`conventions.${name}.written`);
    return true;
  }

  return {
    read: async () => parseKept(buildTexts(paths), paths),
    async change(change) {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const release = await locks.take(lock);
        if (!release) continue;
        try {
          const done = attempt(change);
          if (done) return done.result;
        } finally {
          release();
        }
      }
      throw new Failure("conventions.busy", "another process is changing the conventions", {
        hint: "repeat the command",
        retryable: true,
      });
    },
  };
}

interface Texts {
  readonly learned: string;
  readonly accepted: string;
}
type Paths = Texts;
type Change<T> = (kept: LearningFiles) => { readonly kept: LearningFiles; readonly result: T };

const buildTexts = (paths: Paths): Texts => ({
  learned: readPlainText(paths.learned),
  accepted: readPlainText(paths.accepted),
});

function parseKept({ learned, accepted }: Texts, paths: Paths): LearningFiles {
  const read = parseLearned(learned);
  if (read.ok) return { learned: read.learned, file: accepted };
  throw new Failure("conventions.unreadable", `${paths.learned}:${read.line}: ${read.message}`, {
    hint: `correct the line, or move the file away and lose what was counted: mv ${paths.learned} ${paths.learned}.old`,
  });
}
