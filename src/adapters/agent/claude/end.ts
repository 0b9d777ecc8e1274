// How a turn of Claude Code ended, from what it printed. Its exit code and the word "success" say nothing: both are
// there after a refused key as well. The word for the failure stands on the message before the result.
import type { TurnEnd, TurnTrouble } from "../../../core/model/turn-end.ts";
import { keepStart } from "../../../core/model/value/sizes.ts";
import type { ProcessExit } from "../../../ports/agent/adapter.ts";
import { findAnswer } from "../answer-text.ts";
import { formatIsoTime } from "../iso-time.ts";
import { describeCrash } from "../process-output.ts";
import type { ClaudeResult } from "./lines.ts";

/** What the lines before the result said about failures. */
export interface EndSigns {
  /** The API's failure in one word, such as `rate_limit`. */
  readonly error?: string;
  /** Seconds since 1970 at which a used-up account works again. */
  readonly resetsAt?: number;
  readonly interrupted: boolean;
}

/** The end that a result line means. */
export function endOfResult(result: ClaudeResult, signs: EndSigns): TurnEnd {
  if (result.is_error || result.subtype !== "success") return buildFailure(result, signs);
  if (result.structured_output !== undefined)
    return { outcome: "answered", answer: result.structured_output };
  const found = findAnswer(result.result ?? "");
  if (found) return { outcome: "answered", ...found };
  if (result.permission_denials.length > 0) return toRefusedTrouble(result);
  return { outcome: "garbage", detail: `it ended without a structured answer${quoteLastWords(result)}` };
}

/** The end of a process that printed no result. */
export function endOfExit(exit: ProcessExit): TurnEnd {
  const { stderr } = exit;
  if (noSession.test(stderr)) return { outcome: "no-session", detail: getLastLine(stderr) };
  return { outcome: "crashed", detail: describeCrash("", exit) };
}

const noSession = /No conversation found|--resume requires a valid session/;
const unknownModel = /issue with the selected model|\bmodel\b.*\bmay not exist\b/i;
const unreachable = /Unable to connect to API|API Error: Connection error/i;
const usedUp = /usage limit reached\|(\d{9,})|hit your .*limit/i;

function buildFailure(result: ClaudeResult, signs: EndSigns): TurnEnd {
  const detail = getWords(result) || `it ended with ${result.subtype}`;
  if (noSession.test(detail)) return { outcome: "no-session", detail };
  if (result.terminal_reason === "prompt_too_long" || result.api_error_status === 413)
    return { outcome: "context-overflow", detail };
  const typed = findApiFailure(result.api_error_status ?? 0, signs, detail);
  if (typed) return typed;
  if (/^error_max_/.test(result.subtype) || signs.interrupted) return { outcome: "unfinished", detail };
  if (result.permission_denials.length > 0) return toRefusedTrouble(result);
  return { outcome: "crashed", detail };
}

/** A failure that is only known by its kind and the words on the screen. */
export function endOfApiError(error: string | undefined, words: string): TurnTrouble {
  const detail = keepStart(words.trim(), 600);
  if (/prompt is too long|exceed context limit/i.test(detail)) return { outcome: "context-overflow", detail };
  const status = Number(/API Error: (\d{3})/.exec(detail)?.[1] ?? 0);
  return (
    findApiFailure(status, { ...(error ? { error } : {}), interrupted: false }, detail) ?? {
      outcome: "crashed",
      detail,
    }
  );
}

/** A limit that the account's owner has set is reported as a bad request, with the day of its end. */
const ownLimit =
  /reached your specified API usage limits(?:.*regain access on (\d{4}-\d\d-\d\d)(?: at (\d\d:\d\d))?)?/i;

function parseOwnLimit(detail: string): TurnTrouble | undefined {
  const [found, day, time = "00:00"] = ownLimit.exec(detail) ?? [];
  if (found === undefined) return undefined;
  const until = day === undefined ? undefined : formatIsoTime(Date.parse(`${day}T${time}:00Z`));
  return { outcome: "quota", detail, ...(until === undefined ? {} : { until }) };
}

function findApiFailure(
  status: number,
  { error, resetsAt }: EndSigns,
  detail: string,
): TurnTrouble | undefined {
  const spent = parseOwnLimit(detail);
  if (spent) return spent;
  switch (error) {
    case "authentication_failed":
    case "oauth_org_not_allowed":
      return { outcome: "auth", detail };
    case "billing_error":
      return { outcome: "quota", detail };
    case "rate_limit":
      return toLimitTrouble(detail, resetsAt);
    case "overloaded":
      return { outcome: "rate-limited", detail };
  }
  if (status === 401 || status === 403) return { outcome: "auth", detail };
  if (status === 429) return toLimitTrouble(detail, resetsAt);
  // After several tries the CLI says it in words alone.
  const isBusy = status === 529 || /\b529 Overloaded/.test(detail);
  if (isBusy) return { outcome: "rate-limited", detail };
  if (unknownModel.test(detail)) return { outcome: "unknown-model", detail };
  return unreachable.test(detail) ? { outcome: "unreachable", detail } : undefined;
}

/** Too many requests: of the account's allowance, with the time of its return, or only too many at once. */
function toLimitTrouble(detail: string, resetsAt: number | undefined): TurnTrouble {
  const [isQuota, seconds] = usedUp.exec(detail) ?? [];
  const returns = resetsAt ?? (seconds === undefined ? undefined : Number(seconds));
  const until = returns === undefined ? undefined : formatIsoTime(returns * 1000);
  if (until !== undefined) return { outcome: "quota", detail, until };
  return { outcome: isQuota === undefined ? "rate-limited" : "quota", detail };
}

function toRefusedTrouble(result: ClaudeResult): TurnTrouble {
  const tools = [...new Set(result.permission_denials.map(({ tool_name }) => tool_name))].join(", ");
  return {
    outcome: "refused-tool",
    detail: `it was refused ${tools} and gave no answer${quoteLastWords(result)}`,
  };
}

function getWords({ errors, result }: ClaudeResult): string {
  return keepStart((result?.trim() ? result : errors.join("; ")).trim(), 600);
}

function quoteLastWords(result: ClaudeResult): string {
  const words = getWords(result);
  return words === "" ? "" : `; its last words: ${words}`;
}

function getLastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
