// How a command ends: its exit code and the one form in which trouble is printed.
import type { UsageError } from "../../app/host/usage.ts";
import type { Refusal } from "../../core/model/refusal.ts";
import { Failure, toSystemFailure } from "../../ports/failure.ts";
import { wrap } from "../terminal/style.ts";

export type RefusalLike = Refusal;

export const isUsage = (value: unknown): value is UsageError =>
  typeof value === "object" && value !== null && "usage" in value;

export interface CommandTrouble {
  readonly kind: "refusal" | "usage" | "failure" | "bug";
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: readonly string[];
  readonly causes?: readonly string[];
}

/** Why a file that was named could not be read. */
export function explainUnread(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOENT" ? "there is no such file" : message;
}

export const exitCodes = { refusal: 1, usage: 2, failure: 3, bug: 70 } as const;

export function toTrouble(thrown: unknown): CommandTrouble {
  if (isUsage(thrown)) return { kind: "usage", ...pick(thrown) };
  const error = toSystemFailure(thrown) ?? thrown;
  if (error instanceof Failure)
    return {
      kind: "failure",
      code: error.code,
      message: error.message,
      ...(error.hint ? { hint: error.hint } : {}),
      causes: listCauses(error.cause, error.message),
    };
  if (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    "message" in error &&
    !(error instanceof Error)
  )
    return { kind: "refusal", ...pick(error as Refusal) };
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

/** What lies behind it, unless it has been said already. */
function listCauses(cause: unknown, said = ""): string[] {
  if (!(cause instanceof Error)) return [];
  const { message } = cause;
  return [...(said.includes(message) ? [] : [message]), ...listCauses(cause.cause, said + message)];
}

const titles = { refusal: "Refused", usage: "Error", failure: "Error", bug: "This is a bug" } as const;

/** Sentences are broken between words; a hint never is, because it is pasted. */
export function printTrouble(trouble: CommandTrouble, width = Number.POSITIVE_INFINITY): string {
  const lines = [wrap(`${titles[trouble.kind]}: ${trouble.message} (${trouble.code})`, width, 2)];
  for (const detail of trouble.details ?? []) lines.push(wrap(`  ${detail}`, width, 4));
  for (const cause of trouble.causes ?? []) lines.push(wrap(`Caused by: ${cause}`, width, 2));
  if (trouble.hint) lines.push(`Hint: ${trouble.hint}`);
  return lines.join("\n");
}
