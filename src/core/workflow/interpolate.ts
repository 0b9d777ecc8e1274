// What a workflow document takes from the bubble's settings, filled in when it is loaded. References to what only a run
// knows stay as they are; what nobody will ever know is a load error, never silent text.

import { suggestWord } from "../text/nearest.ts";
import { roots } from "./catalogue.ts";
import { type Facts, getValueAt } from "./path.ts";
import type { WorkflowProblem } from "./problem.ts";
import {
  findLoneReference,
  formatValue,
  mapTexts,
  parseTemplate,
  type Reference,
  resolveReference,
} from "./template.ts";

export type InterpolationResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly WorkflowProblem[] };

export function interpolate(value: unknown, scope: Facts): InterpolationResult {
  const problems: WorkflowProblem[] = [];
  const filled = mapTexts(value, (text, path) => {
    const { parts, problem } = parseTemplate(text);
    const wrong = [
      ...(problem ? [problem] : []),
      ...parts.flatMap((part) => (typeof part === "string" ? [] : listProblems(part, scope))),
    ];
    problems.push(...wrong.map((message) => ({ path, message })));
    return wrong.length > 0 ? text : fill(text, scope);
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: filled };
}

const getRoot = ({ path }: Reference): string => path.split(".")[0] ?? path;
const isOneOf = (scope: Facts, reference: Reference): boolean => Object.hasOwn(scope, getRoot(reference));

/** Known now, or known in a run. */
function listProblems(reference: Reference, scope: Facts): string[] {
  const unknown = `\${${reference.path}} is not known here`;
  if (!isOneOf(scope, reference)) {
    const root = getRoot(reference);
    return roots.includes(root) ? [] : [`${unknown}${suggestWord(root, [...Object.keys(scope), ...roots])}`];
  }
  return resolveReference(reference, scope) === undefined
    ? [`${unknown}${suggestHint(reference, scope)}`]
    : [];
}

function suggestHint({ path }: Reference, scope: Facts): string {
  const parent = getValueAt(scope, path.slice(0, Math.max(0, path.lastIndexOf("."))));
  const last = path.slice(path.lastIndexOf(".") + 1);
  return typeof parent === "object" && parent !== null ? suggestWord(last, Object.keys(parent)) : "";
}

function fill(text: string, scope: Facts): unknown {
  const only = findLoneReference(text);
  if (only) return isOneOf(scope, only) ? resolveReference(only, scope) : text;
  return parseTemplate(text)
    .parts.map((part) => {
      if (typeof part === "string") return part;
      return isOneOf(scope, part) ? formatValue(resolveReference(part, scope)) : part.written;
    })
    .join("");
}
