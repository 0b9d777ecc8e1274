// Dotted paths, as conditions and references use them, and what stands at one in nested values. Only what a value itself
// holds is ever found: nothing inherited, no length of a text, no code.

/** Nested plain values that paths speak about. */
export type Facts = Readonly<Record<string, unknown>>;

const first = "[A-Za-z_][A-Za-z0-9_/-]*";
const further = "\\.[A-Za-z0-9_][A-Za-z0-9_/-]*";
/** Step names have `-`, `_` and `/` in them; a number is a place in a list. */
export const pathPattern = `${first}(?:${further})*`;

const whole = new RegExp(`^${pathPattern}$`);
const place = /^(?:0|[1-9]\d*)$/;

export function isPath(text: string): boolean {
  return whole.test(text);
}

/** The value at a path; undefined: there is none. */
export function getValueAt(facts: Facts, path: string): unknown {
  let value: unknown = facts;
  for (const key of path.split(".")) {
    value = getMember(value, key);
    if (value === undefined) return undefined;
  }
  return value;
}

function getMember(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && !place.test(key)) return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
