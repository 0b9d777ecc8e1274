// What the disk says, in the words of the project. One table, because reading, writing and syncing fail alike.
import { Failure } from "../../ports/failure.ts";

const full = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
const forbidden = new Set(["EACCES", "EPERM", "EROFS"]);

export function toDiskFull(path: string, cause?: unknown): Failure {
  return new Failure("log.disk-full", `No room left to write ${path}; the command did not happen.`, {
    hint: "Free some space (df -h shows how much is left), then repeat the command.",
    cause,
  });
}

/** The failure that an error of a write or sync stands for. */
export function writeFailure(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code && full.has(code)) return toDiskFull(path, error);
  if (code && forbidden.has(code))
    return new Failure("log.read-only", `${path} cannot be written: ${message}`, {
      hint: "The folder .pairflow must be writable for you (ls -ld shows its owner).",
      cause: error,
    });
  return new Failure("log.write-failed", `Writing ${path} failed: ${message}`, {
    hint: "Repeat the command; whether the first try counted is found out then, and it never counts twice.",
    cause: error,
    retryable: true,
  });
}

/** Written, and the disk did not say that it is there. */
export function toUnknownWrite(path: string, bubble: string, cause: unknown): Failure {
  return new Failure(
    "log.sync-failed",
    `It is not known whether the command counted: ${path} was written, but the disk did not confirm it (${(cause as Error).message}).`,
    {
      hint: `Look at the disk (df -h for space, dmesg for errors), then: pairflow bubble status --id ${bubble}    # shows whether it counted; repeated, it never counts twice`,
      cause,
      retryable: true,
    },
  );
}

/** An earlier command's lines are still not confirmed; nothing may be built on them. */
export function toUnconfirmedWrite(path: string, cause: unknown): Failure {
  return new Failure(
    "log.in-doubt",
    `The disk did not confirm the last lines of ${path}, and still does not (${(cause as Error).message}); the command did not happen.`,
    {
      hint: "Look at the disk (df -h for space, dmesg for errors), then repeat the command.",
      cause,
      retryable: true,
    },
  );
}

export function readFailure(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("log.read-failed", `Reading ${path} failed: ${(error as Error).message}`, {
    cause: error,
  });
}

/** The log no longer holds the line a head names; the caller folds from the start. */
export function toHeadLost(bubble: string, seq: number): Failure {
  return new Failure(
    "log.head-lost",
    `The transcript of ${bubble} no longer holds message ${seq} as it was read.`,
    {
      hint: `pairflow verify --id ${bubble}`,
    },
  );
}
