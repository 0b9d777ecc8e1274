// A rule said no. Refusals are values that `decide` returns; they carry what a person or an agent
// needs to continue: a dotted code, one sentence, and a hint that can be pasted.

export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** A command to paste, or one short sentence. */
  readonly hint?: string;
  /** Further lines, one fact each, shown under the message. */
  readonly details?: readonly string[];
}

export function refuse(code: string, message: string, hint?: string, details?: readonly string[]): Refusal {
  return { code, message, ...(hint ? { hint } : {}), ...(details?.length ? { details } : {}) };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}

/** Something that cannot happen happened; the shell reports it as a bug. */
export function assertInvariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${message}`);
}
