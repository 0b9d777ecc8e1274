// The world failed: git, tmux, disk, network. The only error class of the project; rules return refusals instead.

export class Failure extends Error {
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
