// Why a turn of Codex failed, as the outcomes the referee knows. Codex names a kind of error; where it does not, the
// words or the status of the model's answer tell.
import type { TurnEnd } from "../../../core/model/turn-end.ts";
import { keepStart } from "../../../core/model/value/sizes.ts";
import { tryOr } from "../../../core/model/value/try-or.ts";
import { parseJson } from "../../../core/text/json.ts";
import { formatIsoTime } from "../iso-time.ts";
import { type Fields, toAmount, toFields, toList, toText } from "./wire.ts";

type FailedOutcome = Exclude<TurnEnd["outcome"], "answered">;

/** Codex's own names. An overloaded server is waited for like a limit. */
const named: Readonly<Record<string, FailedOutcome>> = {
  unauthorized: "auth",
  usageLimitExceeded: "quota",
  sessionBudgetExceeded: "quota",
  rateLimitExceeded: "rate-limited",
  serverOverloaded: "rate-limited",
  internalServerError: "rate-limited",
  flexUnavailable: "rate-limited",
  policyCapacityUnavailable: "rate-limited",
  contextWindowExceeded: "context-overflow",
  tooManyDenials: "refused-tool",
};

const statuses: Readonly<Record<number, FailedOutcome>> = { 401: "auth", 403: "auth", 429: "rate-limited" };

/** Words of errors that have no name of their own. */
const spoken: readonly (readonly [RegExp, FailedOutcome])[] = [
  [/context_length_exceeded|context window/i, "context-overflow"],
  [/Missing environment variable|not logged in|login required/i, "auth"],
  [/insufficient_quota|usage limit/i, "quota"],
  [/model_not_found|\bmodel\b.*\b(?:does not exist|is not supported|not found)\b/i, "unknown-model"],
  [/^Connection failed|error sending request|dns error|failed to lookup address/i, "unreachable"],
];

export interface FailedTurn {
  readonly error: Fields;
  /** When Codex said so, in milliseconds; names of hours without a day are counted from here. */
  readonly at: number;
  /** When the account's limits that are used up begin anew, in seconds, if Codex has told. */
  readonly resetsAt?: number | undefined;
}

/** The end of a turn that Codex calls failed. */
export function toTurnFailure({ error, at, resetsAt }: FailedTurn): TurnEnd {
  const words = readSentence(toText(error.message));
  const outcome = classifyFailure(error.codexErrorInfo, words);
  const until = findRetryTime(outcome, words, at, resetsAt);
  return { outcome, detail: words, ...(until === undefined ? {} : { until }) };
}

function classifyFailure(info: unknown, words: string): FailedOutcome {
  if (typeof info === "string" && Object.hasOwn(named, info)) return named[info] ?? "crashed";
  const status =
    Object.values(toFields(info)).map((inner) => toAmount(toFields(inner).httpStatusCode))[0] ?? 0;
  return statuses[status] ?? spoken.find(([pattern]) => pattern.test(words))?.[1] ?? "crashed";
}

/** The model's own error where Codex hands on the whole body; never more than a person wants to read. */
function readSentence(message: string): string {
  const { error } = toFields(message.startsWith("{") ? tryOr(() => parseJson(message), {}) : {});
  const { code, message: inner } = toFields(error);
  const words = toText(inner) === "" ? message : `${toText(code)}: ${toText(inner)}`;
  return keepStart(words, 500) || "Codex gave no reason";
}

function findRetryTime(
  outcome: FailedOutcome,
  words: string,
  at: number,
  resetsAt?: number,
): string | undefined {
  if (outcome === "quota") {
    const moment = resetsAt === undefined ? parseNamedTime(words, at) : resetsAt * 1000;
    return moment === undefined ? undefined : formatIsoTime(moment);
  }
  const [, wait, unit] = /try again in ([\d.]+) ?(ms|s|m)/i.exec(words) ?? [];
  if (outcome !== "rate-limited" || wait === undefined || at === 0) return undefined;
  const unitMs = unit === "ms" ? 1 : unit === "m" ? 60_000 : 1000;
  return formatIsoTime(at + Math.ceil(Number(wait) * unitMs));
}

const clockPattern = /try again at (?:(\w{3})\w* (\d+)\w*, (\d{4}) )?(\d+):(\d\d) ?([AP]M)/i;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** "try again at Nov 16th, 2026 1:55 AM" or "… at 1:55 AM": the hour of this machine, whole minutes. */
function parseNamedTime(words: string, at: number): number | undefined {
  const [found, month, day, year, hour, minute, half] = clockPattern.exec(words) ?? [];
  if (found === undefined || at === 0) return undefined;
  const date = new Date(at);
  if (year !== undefined)
    date.setFullYear(Number(year), months.indexOf(`${month}`.toLowerCase()), Number(day));
  // The seconds are cut off; a minute later it is certainly over.
  date.setHours((Number(hour) % 12) + (half?.toUpperCase() === "PM" ? 12 : 0), Number(minute) + 1, 0, 0);
  if (year === undefined && date.getTime() <= at) date.setDate(date.getDate() + 1);
  return date.getTime();
}

/** When the limits that are used up begin anew, in seconds: the latest of them counts. */
export function findResetTime(rateLimits: Fields): number | undefined {
  const used = toList([rateLimits.primary, rateLimits.secondary]).filter(
    ({ usedPercent }) => toAmount(usedPercent) >= 100,
  );
  const moments = used.map(({ resetsAt }) => toAmount(resetsAt)).filter((moment) => moment > 0);
  return moments.length === 0 ? undefined : Math.max(...moments);
}

/** The end of a turn whose thread could not be opened. */
export function toThreadFailure(reason: string): TurnEnd {
  const isUnknown = /no rollout found|invalid session id|thread not found/i.test(reason);
  return {
    outcome: isUnknown ? "no-session" : "crashed",
    detail: keepStart(reason, 500) || "Codex gave no reason",
  };
}
