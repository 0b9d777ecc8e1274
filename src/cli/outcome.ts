// How a command ends: exit codes and the one form in which trouble is printed.
import type { Refusal } from "../core/model/refusal.ts";
import { Failure } from "../ports/failure.ts";

export type RefusalLike = Refusal;

/** Bad flags or files; exit 2. */
export interface Usage extends Refusal {
  readonly usage: true;
}

export function usage(code: string, message: string, hint?: string, details?: readonly string[]): Usage {
  return { usage: true, code, message, ...(hint ? { hint } : {}), ...(details ? { details } : {}) };
}

export const isUsage = (value: unknown): value is Usage =>
  typeof value === "object" && value !== null && "usage" in value;

export interface Trouble {
  readonly kind: "refusal" | "usage" | "failure" | "bug";
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: readonly string[];
  readonly causes?: readonly string[];
}

export const exitCodes = { refusal: 1, usage: 2, failure: 3, bug: 70 } as const;

export function troubleOf(error: unknown): Trouble {
  if (isUsage(error)) return { kind: "usage", ...pick(error) };
  if (error instanceof Failure) {
    return {
      kind: "failure",
      code: error.code,
      message: error.message,
      ...(error.hint ? { hint: error.hint } : {}),
      causes: causes(error.cause),
    };
  }
  if (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    "message" in error &&
    !(error instanceof Error)
  ) {
    return { kind: "refusal", ...pick(error as Refusal) };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    kind: "bug",
    code: "bug",
    message,
    hint: "this is a bug in Pairflow; please report it with the lines above",
  };
}

function pick({ code, message, hint, details }: Refusal) {
  return { code, message, ...(hint ? { hint } : {}), ...(details ? { details } : {}) };
}

function causes(cause: unknown): string[] {
  if (!(cause instanceof Error)) return [];
  return [cause.message, ...causes(cause.cause)];
}

const titles = { refusal: "Refused", usage: "Error", failure: "Error", bug: "This is a bug" } as const;

export function printTrouble(trouble: Trouble): string {
  const lines = [`${titles[trouble.kind]}: ${trouble.message} (${trouble.code})`];
  for (const detail of trouble.details ?? []) lines.push(`  ${detail}`);
  for (const cause of trouble.causes ?? []) lines.push(`Caused by: ${cause}`);
  if (trouble.hint) lines.push(`Hint: ${trouble.hint}`);
  return lines.join("\n");
}
