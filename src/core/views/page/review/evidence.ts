// Evidence by what it is evidence for: each criterion, SOP or question with every place that a counted review named for it.
import type { CriterionView } from "../../../package/criteria.ts";
import type { EvidenceItem } from "../../review/evidence.ts";

export interface EvidencePlace extends Pick<EvidenceItem, "agent" | "round" | "place" | "holds"> {
  readonly file: string;
  readonly line: number | null;
  readonly says: string;
  readonly problem: string | null;
}

export interface EvidenceGroup {
  /** `C1`, an SOP, a question; empty for what was looked at without a subject. */
  readonly id: string;
  readonly text: string;
  readonly places: readonly EvidencePlace[];
  /** Why there is none and need not be; null otherwise. */
  readonly none: string | null;
}

/** Criteria first, in their order, also those without evidence: what is missing must be seen. */
export function groupEvidence(
  criteria: readonly CriterionView[],
  items: readonly EvidenceItem[],
): EvidenceGroup[] {
  const said = items.filter(({ kind }) => kind !== "finding");
  const known = criteria.map(({ id, text, evidence }) => ({
    id,
    text,
    places: listPlaces(said.filter((item) => item.kind !== "file" && item.for === id)),
    none: evidence === null ? "judged in its own task" : null,
  }));
  const others = [...new Set(said.filter(({ kind }) => kind !== "file").map((item) => item.for))]
    .filter((id) => !criteria.some((criterion) => criterion.id === id))
    .map((id) => ({ id, text: "", places: listPlaces(said.filter((item) => item.for === id)), none: null }));
  const files = listPlaces(said.filter(({ kind }) => kind === "file"));
  return [
    ...known,
    ...others,
    ...(files.length > 0 ? [{ id: "", text: "also looked at", places: files, none: null }] : []),
  ];
}

/** The same place named again in a later review is told once, with the newest words. */
function listPlaces(items: readonly EvidenceItem[]): EvidencePlace[] {
  const newest = new Map(items.map((item) => [`${item.agent}\0${item.place}`, item]));
  return [...newest.values()].map(({ agent, round, place, holds, why, says, problem }) => ({
    ...{ agent, round, place, holds },
    ...parsePlace(place),
    says: [says, why].filter(Boolean).join(": "),
    problem: problem ?? null,
  }));
}

function parsePlace(place: string): Pick<EvidencePlace, "file" | "line"> {
  const [, file = place, line] = /^(.*?):(\d+)(?:-\d+)?$/.exec(place) ?? [];
  return { file, line: line === undefined ? null : Number(line) };
}
