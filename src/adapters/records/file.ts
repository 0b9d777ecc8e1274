// The records of a repository's bubbles as files beside the transcript. Only artifacts must last; everything
// else here can be made again from the log, so failing to write it is at most a warning.
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";
import { createHash } from "../../core/text/sha256.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { Failure } from "../../ports/failure.ts";
import type { Records } from "../../ports/record/records.ts";
import { getErrorCode, makeFolder, replaceFile, syncFolder } from "../disk/files.ts";
import { isOutsideTop, makeFoldersFor, privateFolder, readPlain, storeOnce, toDiskFailure } from "./disk.ts";
import { listRecords } from "./listing.ts";
import { toBubbleExists, toBubbleNotFound } from "./missing.ts";
import { buildNthName, checkName, topLevelViews } from "./names.ts";
import { createStateCache } from "./state-cache.ts";

const NAMES_TRIED = 10_000;

export interface FileRecordsOptions {
  /** The repository whose `.pairflow` holds the bubbles. */
  readonly root: string;
  readonly crashPoint?: CrashPoint;
  /** Told when a cache or view could not be written; the command itself continues. */
  readonly onWarning?: (message: string) => void;
}

/** The file records of a repository; keeps S1, S2, B1 and B2. */
export function createFileRecords({
  root,
  crashPoint = () => {},
  onWarning = () => {},
}: FileRecordsOptions): Records {
  const bubbles = join(root, ".pairflow", "bubbles");
  const folderOf = (bubble: string) => join(bubbles, bubble);
  const artifactsOf = (bubble: string) => join(bubbles, bubble, "artifacts");
  const logOf = (bubble: string) => join(bubbles, bubble, "transcript.ndjson");
  const configOf = (bubble: string) => join(bubbles, bubble, "bubble.toml");

  const pathOf = (bubble: string, name: string) => {
    checkName(name);
    return join(topLevelViews.includes(name) ? folderOf(bubble) : artifactsOf(bubble), name);
  };
  const attempt = (what: string, write: () => void): string | undefined => {
    try {
      write();
      return undefined;
    } catch (error) {
      onWarning(`${what} could not be written: ${(error as Error).message}`);
      return getReason(error);
    }
  };

  const read = (bubble: string, name: string): Buffer | undefined => {
    checkName(name);
    const path = join(artifactsOf(bubble), name);
    try {
      if (isOutsideTop(artifactsOf(bubble), dirname(path))) return undefined;
      return readPlain(path);
    } catch (error) {
      if (getErrorCode(error) === "ENOENT") return undefined;
      throw toDiskFailure("artifact", path, error);
    }
  };
  /** What this process put, by bubble and name: the bytes it meant, whatever happens to the file. */
  const hashes = new Map<string, string>();

  const cache = createStateCache({
    fileOf: (bubble) => join(folderOf(bubble), "state.json"),
    logOf,
    attempt,
  });

  return {
    async load(bubble) {
      return tryOr(() => cache.load(bubble), undefined);
    },
    async save(bubble, snapshot, summary) {
      crashPoint("records.before-save");
      cache.save(bubble, snapshot, summary);
      crashPoint("records.after-save");
    },
    pace: cache.pace,
    summaries: async () => listRecords(bubbles, join(root, ".pairflow", "runtime", "summaries.json")),
    exists: async (bubble) => isThere(folderOf(bubble)),
    create: async (bubble) => createFolder(bubble, folderOf(bubble), artifactsOf(bubble)),
    archive: async (bubble) => moveAway(bubble, folderOf(bubble), join(root, ".pairflow", "archive")),

    async put(bubble, name, content) {
      const top = artifactsOf(bubble);
      const path = join(top, name);
      checkName(name);
      const bytes = Buffer.from(content as Uint8Array);
      try {
        crashPoint("records.before-put");
        if (!isThere(folderOf(bubble))) throw toBubbleNotFound(bubble);
        makeFoldersFor(top, path);
        const used = storeUnderFreeName(top, name, bytes);
        crashPoint("records.after-put");
        const sha256 = hashOf(bytes);
        hashes.set(`${bubble}/${used}`, sha256);
        return { name: used, sha256 };
      } catch (error) {
        throw toDiskFailure("artifact", path, error);
      }
    },
    get: async (bubble, name) => read(bubble, name),
    async hash(bubble, name) {
      const known = hashes.get(`${bubble}/${name}`);
      if (known) return known;
      const bytes = isArtifact(join(artifactsOf(bubble), name)) ? read(bubble, name) : undefined;
      return bytes && hashOf(bytes);
    },
    async names(bubble, folder) {
      checkName(folder);
      const path = join(artifactsOf(bubble), folder);
      return existsSync(path) ? readdirSync(path).map((name) => `${folder}/${name}`) : [];
    },
    async view(bubble, name, content) {
      const path = pathOf(bubble, name);
      const problem = attempt(path, () => {
        if (!existsSync(folderOf(bubble))) throw toBubbleNotFound(bubble);
        if (isArtifact(path)) throw new Error("an artifact has this name");
        makeFoldersFor(folderOf(bubble), path);
        replaceFile(path, content);
      });
      crashPoint("records.after-view");
      return problem;
    },
    path: pathOf,
    here: async (bubble, name) => pathOf(bubble, name),

    readConfig: async (bubble) => readText(configOf(bubble)),
    async writeConfig(bubble, toml) {
      try {
        replaceFile(configOf(bubble), toml, { durable: true });
      } catch (error) {
        if (getErrorCode(error) === "ENOENT") throw toBubbleNotFound(bubble);
        throw toDiskFailure("record", configOf(bubble), error);
      }
    },
  };
}

/** A record one may not look at is there all the same. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw toDiskFailure("record", path, error);
  }
}

function createFolder(bubble: string, folder: string, artifacts: string): void {
  try {
    makeFolder(dirname(folder), privateFolder);
    mkdirSync(folder, { mode: privateFolder });
    makeFolder(join(artifacts, "messages"), privateFolder);
    syncFolder(dirname(folder));
  } catch (error) {
    if (getErrorCode(error) !== "EEXIST") throw toDiskFailure("record", folder, error);
    throw toBubbleExists(bubble);
  }
}

function moveAway(bubble: string, folder: string, archive: string): string {
  try {
    makeFolder(archive, privateFolder);
    for (let n = 1; ; n += 1) {
      const target = join(archive, n === 1 ? bubble : `${bubble}-${n}`);
      if (existsSync(target)) continue;
      renameSync(folder, target);
      syncFolder(archive);
      syncFolder(dirname(folder));
      return target;
    }
  } catch (error) {
    if (getErrorCode(error) !== "ENOENT") throw toDiskFailure("record", folder, error);
    throw toBubbleNotFound(bubble);
  }
}

const hashOf = createHash(
  (bytes) => process.getBuiltinModule("node:crypto").hash("sha256", bytes, "hex"),
  (one, other) => Buffer.compare(one, other) === 0,
);

function storeUnderFreeName(top: string, name: string, bytes: Buffer): string {
  for (let n = 1; n <= NAMES_TRIED; n += 1) {
    const candidate = buildNthName(name, n);
    if (storeOnce(join(top, candidate), bytes)) return candidate;
  }
  throw new Failure("artifact.name-taken", `${name} and ${NAMES_TRIED} names after it are taken.`);
}

// Artifacts are stored read-only, which is also how a view knows not to replace one.
function isArtifact(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & 0o222) === 0;
}

/** Without the path, which for a view is that of a passing temporary file. */
function getReason(error: unknown): string {
  return (error as Error).message.replace(/, \w+ '.*$/s, "");
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return undefined;
    throw toDiskFailure("record", path, error);
  }
}
