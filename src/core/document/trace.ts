// Which criterion proves which requirement, from whatever names both: the criterion, the requirement, or a table.
import type { Entries, Entry } from "./entries.ts";

export interface Trace {
  /** Keys of requirements that some criterion of the document proves. */
  readonly proven: ReadonlySet<string>;
  /** The criteria that belong to no requirement of the document. */
  readonly loose: readonly Entry[];
}

/** Follows every reference between requirements and criteria, in both directions. */
export function buildTrace({ requirements, criteria, links }: Entries): Trace {
  const known = collectEntryKeys(requirements);
  const isKnown = (key: string) => known.has(key) || known.has(getParentKey(key));
  const names = new Set(criteria.map(getName));
  const groups = [
    ...requirements.map(({ id, refs }) => (id ? [id.key, ...[...refs].filter((key) => names.has(key))] : [])),
    ...criteria.map((entry) => [getName(entry), ...[...entry.refs].filter(isKnown)]),
    ...links,
  ];
  const proven = new Set<string>();
  const tied = new Set<string>();
  for (const keys of groups) {
    const proofs = keys.filter((key) => names.has(key));
    const claims = keys.filter(isKnown);
    for (const key of proofs.length > 0 ? claims : []) proven.add(key);
    for (const name of claims.length > 0 ? proofs : []) tied.add(name);
  }
  return {
    proven: addRelatives(proven, known),
    loose: criteria.filter((entry) => !tied.has(getName(entry))),
  };
}

/** A criterion without an id is known by its line. */
const getName = ({ id, line }: Entry): string => id?.key ?? `line ${line}`;

export const collectEntryKeys = (entries: readonly Entry[]): Set<string> =>
  new Set(entries.flatMap(({ id }) => (id ? [id.key] : [])));

/** R3.1 and R3a are parts of R3. */
export const getParentKey = (key: string): string => key.replace(/(?:\.\d{1,4}|[a-z])$/, "");

/** Proof of a whole is proof of its parts; proof of a part counts for the whole. */
function addRelatives(proven: ReadonlySet<string>, known: ReadonlySet<string>): Set<string> {
  const all = new Set(proven);
  for (const key of proven) all.add(getParentKey(key));
  for (const key of known) if (proven.has(getParentKey(key))) all.add(key);
  return all;
}
