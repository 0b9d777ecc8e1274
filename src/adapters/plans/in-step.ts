// plan.json and plan.md say the same. Either may be edited by hand; `.in-step.json` keeps the plan as it was when both
// last agreed, which tells who changed what, and is what a committed plan is held against.
import type { Plan } from "../../core/model/plan.ts";
import { documentOf, type PlanDocument, tidy } from "../../core/plan/document.ts";
import { differences, fixedDifferences } from "./layout.ts";
import { fixedFields, frozen, twoEdits, wrongFolder } from "./refusals.ts";

/** What the files of a plan say now; a file that is missing says nothing. */
export interface Found {
  readonly json: () => Plan | undefined;
  readonly markdown: () => PlanDocument | undefined;
}

/** The plan that counts; undefined when there is none. Throws a refusal when that cannot be told. */
export function settle(slug: string, found: Found, known: Plan | undefined): Plan | undefined {
  if (known === undefined) return first(slug, found);
  if (known.committed) return untouched(known, found);
  const json = found.json();
  const markdown = found.markdown();
  const fields = json ? fixedDifferences(known, json) : [];
  if (fields.length > 0) throw fixedFields(slug, fields);
  const hasJsonEdit = json !== undefined && differences(json, known).length > 0;
  const hasMarkdownEdit = markdown !== undefined && differences(markdown, known).length > 0;
  const apart = hasJsonEdit && hasMarkdownEdit ? differences(json, markdown) : [];
  if (apart.length > 0) throw twoEdits(slug, apart, false);
  if (hasJsonEdit) return { ...known, ...documentOf(json) };
  return hasMarkdownEdit ? { ...known, ...markdown } : known;
}

/** A plan nobody here has seen yet, as after a clone: plan.json counts, and plan.md must agree. */
function first(slug: string, found: Found): Plan | undefined {
  const json = found.json();
  if (!json) return undefined;
  if (json.slug !== slug) throw wrongFolder(slug, json.slug);
  const markdown = found.markdown();
  const apart = markdown ? differences(json, markdown) : [];
  if (apart.length > 0) throw twoEdits(slug, apart, true);
  return tidy(json);
}

/** A committed plan, if its files still say so. */
function untouched(known: Plan, found: Found): Plan {
  const changes = [
    ...changesOf("plan.json", found.json, (json) => [
      ...fixedDifferences(known, json),
      ...differences(json, known),
    ]),
    ...changesOf("plan.md", found.markdown, (markdown) => differences(markdown, known)),
  ];
  if (changes.length > 0) throw frozen(known.slug, changes);
  return known;
}

/** A file that cannot be read any more was changed as well. */
function changesOf<T>(
  file: string,
  read: () => T | undefined,
  compare: (value: T) => readonly string[],
): string[] {
  try {
    const value = read();
    const parts = value === undefined ? [] : compare(value);
    return parts.length > 0 ? [`changed in ${file}: ${parts.join(", ")}`] : [];
  } catch (error) {
    return [`${file} cannot be read any more: ${(error as { message: string }).message}`];
  }
}
