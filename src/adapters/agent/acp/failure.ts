// What an error that an agent reports means. The protocol has a code for a missing login and one for a missing session;
// everything else is recognised by the HTTP status some agents use as code, and by the words of the message.

import * as v from "valibot";
import type { TurnEnd, TurnOutcome, TurnTrouble } from "../../../core/model/turn-end.ts";
import { keepStart } from "../../../core/model/value/sizes.ts";
import type { Method, WireError } from "./wire.ts";

type Failed = Exclude<TurnOutcome, "answered">;

const byCode: Readonly<Record<number, Failed>> = {
  [-32000]: "auth",
  401: "auth",
  403: "auth",
  429: "rate-limited",
};

/** Words that some agents send along as the kind of the error: `errorKind`, `codexErrorInfo`. */
const byKind: Readonly<Record<string, Failed>> = {
  authentication_failed: "auth",
  unauthorized: "auth",
  billing_error: "quota",
  usageLimitExceeded: "quota",
  rate_limit: "rate-limited",
  overloaded: "rate-limited",
  serverOverloaded: "rate-limited",
  model_not_found: "unknown-model",
  contextWindowExceeded: "context-overflow",
};

/** The first that fits counts: a used-up quota is often told as a rate limit too. */
const byWords: readonly (readonly [RegExp, Failed])[] = [
  [
    /quota|usage.?limits?|credit balance|insufficient (credit|balance|fund)|billing|payment required/i,
    "quota",
  ],
  [/rate.?limit|too many requests|resource.?exhausted|overloaded|\b(429|529)\b/i, "rate-limited"],
  [
    /context (length|window)|prompt is too long|too many tokens|token limit|maximum context/i,
    "context-overflow",
  ],
  [
    /model_not_found|issue with the selected model|\bmodel\b.*\b(?:not found|does not exist|is not supported|may not exist)\b|\bnot found\b.*\bmodel\b|: model: \S+$/i,
    "unknown-model",
  ],
  [
    /auth_required|authenticat|unauthori[sz]ed|not logged in|log ?in required|api.?key|credential|\b401\b/i,
    "auth",
  ],
  [
    /unable to connect|cannot connect|connection (?:refused|error|failed|reset)|error sending request|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|dns error|failed to lookup|fetch failed|network (?:error|is unreachable)/i,
    "unreachable",
  ],
];

const going: readonly Method[] = ["session/load", "session/resume"];
const setting: readonly Method[] = ["initialize", "session/set_mode", "session/set_config_option"];

/** The end of a turn whose request `method` was answered with an error. */
export function buildEndAfter(method: Method, error: WireError): TurnEnd {
  const words = [error.message, getDetail(error.data)].filter(Boolean).join(": ");
  return { outcome: classifyError(method, error, words), detail: `${method}: ${words}` };
}

/** What the words of an error mean, where an agent says it in place of an answer; undefined when they are none. */
export function findTrouble(words: string): TurnTrouble | undefined {
  const outcome = findOutcomeInWords(words);
  return outcome && { outcome, detail: `the agent reports an error: ${keepStart(words.trim(), 500)}` };
}

const findOutcomeInWords = (words: string): Failed | undefined =>
  byWords.find(([pattern]) => pattern.test(words))?.[1];

function classifyError(method: Method, { code, message, data }: WireError, words: string): Failed {
  const told = findOutcomeInWords(message) ?? findOutcomeInWords(words);
  // A quota is reported with the code of a rate limit; waiting seconds for it would be of no use.
  if (told === "quota") return told;
  const known = byKind[getKind(data)] ?? byCode[code] ?? told;
  // Whatever else keeps an earlier session from continuing, a new one is the way out.
  return known ?? (going.includes(method) ? "no-session" : classifyUnknown(method));
}

/** An agent that does not take what it is set to will not take it the next time. */
const classifyUnknown = (method: Method): Failed => (setting.includes(method) ? "misconfigured" : "crashed");

const Kind = v.union([
  v.pipe(
    v.looseObject({ errorKind: v.string() }),
    v.transform(({ errorKind }) => errorKind),
  ),
  v.pipe(
    v.looseObject({ codexErrorInfo: v.string() }),
    v.transform(({ codexErrorInfo }) => codexErrorInfo),
  ),
]);

function getKind(data: unknown): string {
  const kind = v.safeParse(Kind, data);
  return kind.success ? kind.output : "";
}

function getDetail(data: unknown): string {
  if (data === undefined || data === null) return "";
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return keepStart(text, 500);
}
