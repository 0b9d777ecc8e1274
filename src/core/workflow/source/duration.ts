// Times as people write them: `30s`, `5m`, `1h30m`, `500ms`.
import * as v from "valibot";

const units: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };
const form = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;
const part = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/** In seconds; undefined for what is no time, and for no time at all. */
export function parseDuration(text: string): number | undefined {
  if (!form.test(text)) return undefined;
  const parts = [...text.matchAll(part)].map(([, amount, unit]) => Number(amount) * (units[unit ?? ""] ?? 0));
  const sum = parts.reduce((total, seconds) => total + seconds, 0);
  return sum > 0 ? sum : undefined;
}

const message = "must be a time such as 30s, 5m or 1h30m";

/** A time in a workflow document. */
export const Duration = v.pipe(
  v.string(message),
  v.maxLength(40, message),
  v.check((text) => parseDuration(text) !== undefined, message),
);
