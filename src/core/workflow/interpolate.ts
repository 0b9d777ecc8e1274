// `${path}` and `${path:-default}` in a workflow document. A string that is nothing but one reference keeps the
// referenced value's type; an unknown path is a load error, never silent text.
import type { Problem } from "./problem.ts";

const whole = /^\$\{([^}]+)\}$/;
const inside = /\$\{([^}]+)\}/g;

export type Filled =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export function interpolate(value: unknown, scope: Readonly<Record<string, unknown>>): Filled {
  const problems: Problem[] = [];
  const filled = walk(value, [], scope, problems);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: filled };
}

function walk(
  value: unknown,
  path: (string | number)[],
  scope: Readonly<Record<string, unknown>>,
  problems: Problem[],
): unknown {
  if (typeof value === "string") return fill(value, path, scope, problems);
  if (Array.isArray(value)) return value.map((item, i) => walk(item, [...path, i], scope, problems));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, walk(item, [...path, key], scope, problems)]),
  );
}

function fill(
  text: string,
  path: (string | number)[],
  scope: Readonly<Record<string, unknown>>,
  problems: Problem[],
): unknown {
  if (text.replace(inside, "").includes("${"))
    problems.push({ path, message: `${JSON.stringify(text)} has a reference that is empty or not closed` });
  const only = whole.exec(text);
  if (only?.[1]) return lookUp(only[1], path, scope, problems);
  return text.replace(inside, (_match, reference: string) =>
    String(lookUp(reference, path, scope, problems) ?? ""),
  );
}

function lookUp(
  reference: string,
  path: (string | number)[],
  scope: Readonly<Record<string, unknown>>,
  problems: Problem[],
): unknown {
  const at = reference.indexOf(":-");
  const name = at < 0 ? reference : reference.slice(0, at);
  const fallback = at < 0 ? undefined : reference.slice(at + 2);
  let value: unknown = scope;
  for (const key of name.split(".")) {
    value =
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined;
  }
  if (value !== undefined) return value;
  if (fallback !== undefined) return literal(fallback);
  problems.push({ path, message: `\${${name}} is not known here` });
  return undefined;
}

function literal(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
