// Short names of what evidence is for: the same everywhere, in flags, in JSON and in tools.
import type { ReviewClaim } from "../model/command.ts";

const sopPrefix = "source.doc.sops.";

/** `error-handling` and `sop:error-handling` are short for the SOP's whole id. */
export function expandSopId(word: string): string {
  const slug = word.startsWith("sop:") ? word.slice(4) : word;
  return slug.startsWith(sopPrefix) ? slug : `${sopPrefix}${slug}`;
}

/** `sop:slug` is short for an SOP's id, `for:word` names a question of the pass's duty. */
export function expandSubjectId(word: string): string {
  if (word.startsWith("sop:")) return expandSopId(word);
  return word.startsWith("for:") ? word.slice(4) : word;
}

/** The claim with whole names in place of short ones. */
export function expandNames<T extends Pick<ReviewClaim, "checked" | "opinion">>(claim: T): T {
  const { checked, opinion } = claim;
  return {
    ...claim,
    ...(checked && { checked: checked.map(expandSubjects) }),
    ...(opinion && {
      opinion: {
        ...opinion,
        sop_review: opinion.sop_review.map((entry) => ({ ...entry, sop_id: expandSopId(entry.sop_id) })),
      },
    }),
  };
}

type Looked = NonNullable<ReviewClaim["checked"]>[number];

const expandSubjects = (looked: Looked): Looked =>
  looked.for ? { ...looked, for: looked.for.map(expandSubjectId) } : looked;
