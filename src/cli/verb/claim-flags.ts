// Flags that stand for fields of a claim: their kind, whether they repeat, and what help says of them are the field's own.

import { getPartFlag, ProducerPackage, packageParts } from "../../core/model/record/package.ts";
import { type Field, getDescription } from "../../core/model/value/field.ts";
import { handoff, paper, questionFields, refs, review, scoring } from "../../core/schema/claim.ts";

type KindOf<T> = T extends readonly unknown[] ? "list" : T extends number ? "number" : "text";

interface FlagTexts {
  /** What the value looks like. */
  readonly value: string;
  /** Whose flag it is. */
  readonly who?: string;
  /** What is said on a command line only. */
  readonly note?: string;
  readonly required?: true;
}

/** The flag of a field. A document is given as a file, so its flag is a text as well. */
function buildFlag<T, const S extends FlagTexts>(field: Field<T>, { value, who, note, ...rest }: S) {
  const kind = ({ array: "list", number: "number" }[getInnerType(field)] ?? "text") as KindOf<NonNullable<T>>;
  const about = [getDescription(field), ...(note ? [note] : [])].join("; ");
  return { kind, value, about: who ? `${who}: ${about}` : about, ...rest };
}

/** The type of what a field holds, whether or not it may be left out. */
function getInnerType(field: Field): string {
  const { wrapped } = field as { readonly wrapped?: Field };
  return wrapped ? getInnerType(wrapped) : field.type;
}

const words = '"<text>"';

export const summaryFlag = buildFlag(handoff.summary, { value: words });
export const refFlag = buildFlag(refs, { value: "<path>" });

export const questionFlags = {
  question: buildFlag(questionFields.question, { value: words, required: true }),
  option: buildFlag(questionFields.options, { value: "<answer>" }),
};

/** What producers, authors and judges say. */
export const handoverFlags = {
  dispute: buildFlag(handoff.disputes, { value: "ID:reason", who: "implementer" }),
  "no-change": buildFlag(handoff.no_change, { value: "<reason>", who: "implementer" }),
  checkpoint: buildFlag(handoff.checkpoint, {
    value: '"<name>"',
    who: "producer",
    note: "where the workflow says so, the roles switch after this round",
  }),
  score: buildFlag(scoring.score, { value: "0.0–1.0", who: "judge" }),
  paper: buildFlag(paper.paper, {
    value: "<json>|-",
    who: "author",
    note: "as a file or on standard input (pairflow schema)",
  }),
};

export const evidenceFlags = {
  checked: buildFlag(review.checked, {
    value: "'[C1] file:line [`quote`] why'",
    who: "reviewer",
    note: "file:39-41 is a range; C1, sop:<slug> or for:<question> in front says what it proves",
  }),
  sop: buildFlag(review.sop_review, {
    value: "'slug passed|violated|not_applicable evidence'",
    who: "reviewer",
    note: "evidence is file:line, `quoted code` and what it shows",
  }),
  confidence: buildFlag(review.confidence, { value: "0.0–1.0", who: "reviewer" }),
};

type PartFlag = { readonly kind: "text"; readonly value: string; readonly about: string };

export const packageFlags = Object.fromEntries(
  packageParts.map((part) => {
    const shown = { value: words, who: "implementer, package" };
    return [getPartFlag(part), buildFlag(ProducerPackage.entries[part], shown)];
  }),
) as Readonly<Record<ReturnType<typeof getPartFlag>, PartFlag>>;
