// The world failed: git, tmux, disk, network. The only error class of the project; rules return refusals instead.

/** Known by this sign and not by its class: a chunk that is loaded by itself has a class of its own. */
const sign = Symbol.for("pairflow.failure");

export class Failure extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && sign in value;
  }

  readonly [sign] = true;
  readonly code: string;
  readonly hint: string | undefined;
  /** True when the same call may succeed later without anybody changing anything. */
  readonly retryable: boolean;

  constructor(
    code: string,
    message: string,
    more: { hint?: string; cause?: unknown; retryable?: boolean } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "Failure";
    this.code = code;
    this.hint = more.hint;
    this.retryable = more.retryable ?? false;
  }
}

const full = ["ENOSPC", "EDQUOT", "EFBIG"];
const forbidden = ["EACCES", "EPERM", "EROFS"];
const exhausted = ["EMFILE", "ENFILE"];
const misplaced = ["ENOTDIR", "EISDIR", "ELOOP", "ENAMETOOLONG"];

/** What the system's own refusal stands for: no room, no right, no handle left, no such path, a disk that fails. Undefined for others. */
export function toSystemFailure(error: unknown): Failure | undefined {
  const { code = "", message, syscall } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || syscall === undefined) return undefined;
  const more = { cause: error, retryable: true };
  if (full.includes(code)) {
    const hint = "Free some space (df -h shows how much is left), then repeat the command.";
    return new Failure("disk.full", `No room is left on the disk: ${message}`, { ...more, hint });
  }
  if (forbidden.includes(code)) {
    const hint = "ls -ld shows the owner of a folder; then repeat the command.";
    return new Failure("disk.read-only", `A file may not be written or read by you: ${message}`, {
      ...more,
      hint,
    });
  }
  if (exhausted.includes(code)) {
    const hint =
      "ulimit -n    # the limit; close programs that hold many files open, then repeat the command";
    return new Failure("disk.too-many-files", `Too many files are open: ${message}`, { ...more, hint });
  }
  if (misplaced.includes(code)) {
    const hint = "ls -ld shows what is at that path; name another one, then repeat the command.";
    return new Failure("disk.bad-path", `A path cannot be used: ${message}`, { ...more, hint });
  }
  const hint = "Look at the disk (dmesg tells its errors), then repeat the command.";
  return code === "EIO"
    ? new Failure("disk.failed", `The disk does not do what it was asked: ${message}`, { ...more, hint })
    : undefined;
}

/** Does what may fail without stopping anybody; everything but a Failure is thrown on. */
export async function ignoreFailure(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}
