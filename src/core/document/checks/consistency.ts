// Consistency: ids that exist and exist once, nothing both in and out of scope, one value for one quantity. What
// contradicts only in meaning is a critic's question.
import { collectEntries, type Entries, type Entry, type Mention } from "../entries.ts";
import { criterionPrefixes, requirementPrefixes } from "../ids.ts";
import { shortenExcerpt } from "../inline.ts";
import type { DocumentProblem, DocumentReading } from "../problem.ts";
import { buildTrace, collectEntryKeys, getParentKey } from "../trace.ts";
import { findContradictions } from "./contradictions.ts";
import { findConflictingQuantities } from "./quantities.ts";

/** Statements of a document that cannot stand beside one another. */
export function checkConsistency(reading: DocumentReading): DocumentProblem[] {
  const entries = collectEntries(reading);
  return [
    ...findContradictions(reading),
    ...findDuplicates([...entries.requirements, ...entries.criteria]),
    ...findUnknownIds(entries),
    ...findLooseCriteria(entries),
    ...findConflictingQuantities(reading),
  ];
}

function findDuplicates(entries: readonly Entry[]): DocumentProblem[] {
  const first = new Map<string, number>();
  return [...entries]
    .sort((a, b) => a.line - b.line)
    .flatMap(({ id, line }) => {
      if (!id) return [];
      const before = first.get(id.key);
      if (before === undefined) first.set(id.key, line);
      return before === undefined
        ? []
        : [
            {
              line,
              message: `${id.shown} is already the id of line ${before}`,
              hint: "give one of them an id of its own, and look at what names it",
            },
          ];
    });
}

/** Ids that nothing in the document has. Elsewhere than among criteria only prefixes of this document are ids. */
function findUnknownIds({ requirements, criteria, mentions }: Entries): DocumentProblem[] {
  const known = new Set([...collectEntryKeys(requirements), ...collectEntryKeys(criteria)]);
  if (requirements.every(({ id }) => !id)) return [];
  const prefixes = new Set([...requirements, ...criteria].flatMap(({ id }) => (id ? [id.prefix] : [])));
  const told = new Set<string>();
  return mentions.flatMap((mention) => {
    const { id, line } = mention;
    const place = `${id.key} ${line}`;
    if (known.has(id.key) || told.has(place) || !isReference(mention, prefixes)) return [];
    told.add(place);
    if (known.has(getParentKey(id.key)) && getParentKey(id.key) !== id.key && !hasParts(known, id.key))
      return [];
    return [
      {
        line,
        message: `there is no ${id.shown} in this document`,
        hint: `define ${id.shown}, or name the one that is meant`,
      },
    ];
  });
}

function isReference({ id, strict }: Mention, prefixes: ReadonlySet<string>): boolean {
  if (prefixes.has(id.prefix)) return true;
  const isUsual = id.prefix.length > 1 || id.prefix === "R";
  return strict && isUsual && (requirementPrefixes.has(id.prefix) || criterionPrefixes.has(id.prefix));
}

/** Whether the document numbers parts of the same whole, so that a missing part is a mistake. */
function hasParts(known: ReadonlySet<string>, key: string): boolean {
  const whole = getParentKey(key);
  return ["1", "2"].some((n) => known.has(`${whole}.${n}`)) || known.has(`${whole}a`);
}

function findLooseCriteria(entries: Entries): DocumentProblem[] {
  if (entries.requirements.every(({ id }) => !id)) return [];
  const { loose } = buildTrace(entries);
  // One that names a requirement that is not there has its problem already.
  const named = loose.filter(({ refs }) => ![...refs].some(isRequirementKey));
  return named.map(({ id, line, text }) => ({
    line,
    message: `${id ? id.shown : "the criterion"} belongs to no requirement: ${shortenExcerpt(text)}`,
    hint: 'name the requirement it proves: "AC1 (R1): …"',
  }));
}

const isRequirementKey = (key: string) => requirementPrefixes.has(/^[A-Z]+/.exec(key)?.[0] ?? "");
