// What a review cites, wherever it does: in what was checked, with its findings, in its SOP review and its reasons.
import type { ReviewClaim } from "../model/command.ts";
import type { CodeLocation } from "../model/review/evidence.ts";
import { readSentence } from "./evidence/sentence.ts";
import { normalizePath } from "./evidence/token.ts";

/** Whether a claim holds a review, or what was meant as one. */
export function isReview(claim: ReviewClaim): boolean {
  const { findings, noFindings, answers, checked, opinion, unreadable } = claim;
  return Boolean(
    findings?.length || noFindings || answers?.length || checked?.length || opinion || unreadable,
  );
}

/** One word for a place, so that what was found out about it can be looked up. */
export function buildLocationKey({ file, line, end_line: end, quote }: CodeLocation): string {
  const range = end === undefined ? [] : [end];
  return JSON.stringify([normalizePath(file), line ?? null, quote ?? null, ...range]);
}

/** Places in fields of their own. */
export function listTypedLocations(claim: ReviewClaim): CodeLocation[] {
  const found = (claim.findings ?? []).flatMap(({ file, ...rest }) => (file ? [{ file, ...rest }] : []));
  const sops = (claim.opinion?.sop_review ?? []).flatMap(({ evidence }) =>
    typeof evidence === "string" ? [] : evidence,
  );
  return [...(claim.checked ?? []), ...found, ...sops].map(normalizeLocation);
}

/** The place alone, in one spelling. */
export function normalizeLocation({ file, line, end_line: end, quote }: CodeLocation): CodeLocation {
  return {
    file: normalizePath(file),
    ...(line === undefined ? {} : { line }),
    ...(end === undefined ? {} : { end_line: end }),
    ...(quote === undefined ? {} : { quote }),
  };
}

/** Texts in which places are named: an SOP's evidence, and the reasons for answers. */
export function listEvidenceSentences(claim: ReviewClaim): string[] {
  const sops = (claim.opinion?.sop_review ?? []).flatMap(({ evidence }) =>
    typeof evidence === "string" ? [evidence] : [],
  );
  const reasons = (claim.answers ?? []).flatMap(({ reason }) => (reason ? [reason] : []));
  return [...new Set([...sops, ...reasons])];
}

/** Words that might name a file and are not known yet. The first look takes each for one; the second tries them all. */
export function listUnknownWords(
  claim: ReviewClaim,
  known: ReadonlyMap<string, string | undefined>,
  look: "first" | "whole",
): ReadonlyMap<string, { readonly hasLine: boolean }> {
  const asked = new Map<string, { hasLine: boolean }>();
  const names = (word: string, hasLine = false) => {
    if (known.has(word)) return known.get(word);
    asked.set(word, { hasLine: hasLine || asked.get(word)?.hasLine === true });
    return look === "first" ? word : undefined;
  };
  for (const sentence of listEvidenceSentences(claim)) readSentence(sentence, names);
  return asked;
}
