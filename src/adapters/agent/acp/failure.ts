// What an error that an agent reports means. The protocol has a code for a missing login and one for a missing session;
// everything else is told by the HTTP status some agents use as code, and by the words of the message.

import type { Outcome, TurnEnd } from "../../../core/model/outcome.ts";
import { keepStart } from "../../../core/model/sizes.ts";
import type { Method, WireError } from "./wire.ts";

type Failed = Exclude<Outcome, "answered">;

const byCode: Readonly<Record<number, Failed>> = {
  [-32000]: "auth",
  401: "auth",
  403: "auth",
  429: "rate-limited",
};

/** The first that fits counts: a used-up quota is often told as a rate limit too. */
const byWords: readonly (readonly [RegExp, Failed])[] = [
  [/quota|usage limit|insufficient (credit|balance|fund)|billing|payment required/i, "quota"],
  [/rate.?limit|too many requests|resource.?exhausted|overloaded|\b(429|529)\b/i, "rate-limited"],
  [
    /context (length|window)|prompt is too long|too many tokens|token limit|maximum context/i,
    "context-overflow",
  ],
  [
    /auth_required|authenticat|unauthori[sz]ed|not logged in|log ?in required|api.?key|credential|\b401\b/i,
    "auth",
  ],
];

const going: readonly Method[] = ["session/load", "session/resume"];

/** The end of a turn whose request `method` was answered with an error. */
export function endAfter(method: Method, error: WireError): TurnEnd {
  const words = [error.message, detailOf(error.data)].filter(Boolean).join(": ");
  return { outcome: outcomeOf(method, error, words), detail: `${method}: ${words}` };
}

function outcomeOf(method: Method, { code }: WireError, words: string): Failed {
  const told = byWords.find(([pattern]) => pattern.test(words))?.[1];
  // A quota is told with the code of a rate limit; waiting seconds for it would be of no use.
  if (told === "quota") return told;
  const known = byCode[code] ?? told;
  // Whatever else keeps an earlier session from going on, a new one is the way out.
  return known ?? (going.includes(method) ? "no-session" : "crashed");
}

function detailOf(data: unknown): string {
  if (data === undefined || data === null) return "";
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return keepStart(text, 500);
}
