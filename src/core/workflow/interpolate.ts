// What a workflow document takes from the bubble's settings, filled in when it is loaded. References to what only a run
// knows stay as they are; what nobody will ever know is a load error, never silent text.

import { nearest } from "../text/nearest.ts";
import { roots } from "./catalogue.ts";
import { type Facts, valueAt } from "./path.ts";
import type { Problem } from "./problem.ts";
import { loneReference, mapTexts, type Reference, referredTo, templateOf, written } from "./template.ts";

export type Filled =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export function interpolate(value: unknown, scope: Facts): Filled {
  const problems: Problem[] = [];
  const filled = mapTexts(value, (text, path) => {
    const { parts, problem } = templateOf(text);
    const wrong = [
      ...(problem ? [problem] : []),
      ...parts.flatMap((part) => (typeof part === "string" ? [] : problemsOf(part, scope))),
    ];
    problems.push(...wrong.map((message) => ({ path, message })));
    return wrong.length > 0 ? text : fill(text, scope);
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: filled };
}

const rootOf = ({ path }: Reference): string => path.split(".")[0] ?? path;
const isOf = (scope: Facts, reference: Reference): boolean => Object.hasOwn(scope, rootOf(reference));

/** Known now, or known in a run. */
function problemsOf(reference: Reference, scope: Facts): string[] {
  const unknown = `\${${reference.path}} is not known here`;
  if (!isOf(scope, reference)) {
    const root = rootOf(reference);
    return roots.includes(root) ? [] : [`${unknown}${nearest(root, [...Object.keys(scope), ...roots])}`];
  }
  return referredTo(reference, scope) === undefined ? [`${unknown}${hint(reference, scope)}`] : [];
}

function hint({ path }: Reference, scope: Facts): string {
  const parent = valueAt(scope, path.slice(0, Math.max(0, path.lastIndexOf("."))));
  const last = path.slice(path.lastIndexOf(".") + 1);
  return typeof parent === "object" && parent !== null ? nearest(last, Object.keys(parent)) : "";
}

function fill(text: string, scope: Facts): unknown {
  const only = loneReference(text);
  if (only) return isOf(scope, only) ? referredTo(only, scope) : text;
  return templateOf(text)
    .parts.map((part) => {
      if (typeof part === "string") return part;
      return isOf(scope, part) ? written(referredTo(part, scope)) : part.written;
    })
    .join("");
}
