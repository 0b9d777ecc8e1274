// Conventions as two files below .pairflow: learned.ndjson for this machine, conventions.ndjson for git. Each is replaced
// whole. A lock puts changes in a row; before a file is replaced it is looked at once more, so that a lock that was broken
// by mistake costs a second try and no word of anybody.
import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { LearningFiles } from "../../core/knowledge/learning/conventions.ts";
import { parseLearned, serializeLearned } from "../../core/knowledge/learning/file.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { Failure } from "../../ports/failure.ts";
import type { Conventions } from "../../ports/record/conventions.ts";
import type { Locks } from "../../ports/system/lock.ts";

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
    if (readText(paths[name]) !== found[name]) return false;
    replace(paths[name], text);
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
  learned: readText(paths.learned),
  accepted: readText(paths.accepted),
});

/** A file that is not there says nothing; a link is not followed, because it may lead out of the project. */
function readText(path: string): string {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return readFileSync(fd, "utf8");
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return "";
    throw new Failure("conventions.unreadable", `${path} cannot be read: ${message}`, {
      hint: "it must be a plain file that you may read",
      cause: error,
    });
  }
}

function parseKept({ learned, accepted }: Texts, paths: Paths): LearningFiles {
  const read = parseLearned(learned);
  if (read.ok) return { learned: read.learned, file: accepted };
  throw new Failure("conventions.unreadable", `${paths.learned}:${read.line}: ${read.message}`, {
    hint: `correct the line, or move the file away and lose what was counted: mv ${paths.learned} ${paths.learned}.old`,
  });
}

/** Old or new, never a part; durable when it returns. */
function replace(path: string, text: string): void {
  const temporary = `${path}.tmp-${process.pid}-${Math.random().toString(36).slice(2)}`;
  try {
    const made = mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, text, { flag: "wx", flush: true });
    renameSync(temporary, path);
    const top = made === undefined ? dirname(path) : dirname(made);
    for (let folder = dirname(path); folder.length >= top.length; folder = dirname(folder))
      syncFolder(folder);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new Failure("conventions.failed", `${path} cannot be written: ${(error as Error).message}`, {
      hint: "Is the repository writable for you (ls -ld shows its owner), and the disk not full?",
      cause: error,
    });
  }
}

function syncFolder(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
