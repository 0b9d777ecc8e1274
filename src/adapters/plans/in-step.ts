// plan.json and plan.md say the same. Either may be edited by hand; `.in-step.json` keeps the plan as it was when both
// last agreed, which tells who changed what, and is what a committed plan is held against.
import type { Plan } from "../../core/model/plan.ts";
import { type PlanDocument, pickPlanDocument, tidy } from "../../core/plan/document.ts";
import { listFixedDifferences, listPlanDifferences } from "./layout.ts";
import { refuseFixedFields, refuseFrozen, refuseTwoEdits, refuseWrongFolder } from "./refusals.ts";

/** What the files of a plan say now; a file that is missing says nothing. */
export interface PlanSources {
  readonly json: () => Plan | undefined;
  readonly markdown: () => PlanDocument | undefined;
}

/** The plan that counts; undefined when there is none. Throws a refusal when that cannot be told. */
export function settlePlanFiles(slug: string, found: PlanSources, known: Plan | undefined): Plan | undefined {
  if (known === undefined) return readFirstTime(slug, found);
  if (known.committed) return requireUntouched(known, found);
  const json = found.json();
  const markdown = found.markdown();
  const fields = json ? listFixedDifferences(known, json) : [];
  if (fields.length > 0) throw refuseFixedFields(slug, fields);
  const hasJsonEdit = json !== undefined && listPlanDifferences(json, known).length > 0;
  const hasMarkdownEdit = markdown !== undefined && listPlanDifferences(markdown, known).length > 0;
  const apart = hasJsonEdit && hasMarkdownEdit ? listPlanDifferences(json, markdown) : [];
  if (apart.length > 0) throw refuseTwoEdits(slug, apart, false);
  if (hasJsonEdit) return { ...known, ...pickPlanDocument(json) };
  return hasMarkdownEdit ? { ...known, ...markdown } : known;
}

/** A plan nobody here has seen yet, as after a clone: plan.json counts, and plan.md must agree. */
function readFirstTime(slug: string, found: PlanSources): Plan | undefined {
  const json = found.json();
  if (!json) return undefined;
  if (json.slug !== slug) throw refuseWrongFolder(slug, json.slug);
  const markdown = found.markdown();
  const apart = markdown ? listPlanDifferences(json, markdown) : [];
  if (apart.length > 0) throw refuseTwoEdits(slug, apart, true);
  return tidy(json);
}

/** A committed plan, if its files still say so. */
function requireUntouched(known: Plan, found: PlanSources): Plan {
  const changes = [
    ...listChanges("plan.json", found.json, (json) => [
      ...listFixedDifferences(known, json),
      ...listPlanDifferences(json, known),
    ]),
    ...listChanges("plan.md", found.markdown, (markdown) => listPlanDifferences(markdown, known)),
  ];
  if (changes.length > 0) throw refuseFrozen(known.slug, changes);
  return known;
}

/** A file that cannot be read any more was changed as well. */
function listChanges<T>(
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
