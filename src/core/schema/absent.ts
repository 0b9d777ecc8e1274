// The strict form of some APIs knows no absent property: null or an empty text stands for it there. Every reader of
// answers takes these out first, so that no schema has to know about it.

/** No answer is deeper than this; what is, stays as it is and is found out as no answer. */
const deepest = 12;

/** The same value without properties that hold null or an empty text; items of lists stay. */
export const dropAbsent = (value: unknown): unknown => dropValues(isAbsent, value);

/** The same where properties can be left out: an empty text is a mistake there, and is told. */
export const dropNulls = (value: unknown): unknown => dropValues((inner) => inner === null, value);

function dropValues(isGone: (value: unknown) => boolean, value: unknown, depth = 0): unknown {
  if (depth > deepest || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => dropValues(isGone, inner, depth + 1));
  const kept = Object.entries(value).filter(([, inner]) => !isGone(inner));
  return Object.fromEntries(kept.map(([key, inner]) => [key, dropValues(isGone, inner, depth + 1)]));
}

const isAbsent = (value: unknown) =>
  value === null || value === undefined || (typeof value === "string" && value.trim() === "");

/** Whether a value has named properties. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
