// The places a review cites: named in fields of their own, or as `file:line` and quoted code inside a sentence.
import type { ReviewClaim } from "../model/command.ts";

const mostRemembered = 2000;

/** One review is asked for the same sentence several times over: what it cites is found once. */
function remembered<T>(find: (sentence: string) => T): (sentence: string) => T {
  const known = new Map<string, T>();
  return (sentence) => {
    const found = known.get(sentence) ?? find(sentence);
    if (known.size >= mostRemembered) known.clear();
    known.set(sentence, found);
    return found;
  };
}

/** How far from the named line a quote may stand, and what still is the same place. */
export const tolerance = 2;

export interface Cited {
  readonly file: string;
  readonly line?: number | undefined;
  readonly quote?: string | undefined;
}

/** Whether a claim holds a review, or what was meant as one. */
export function isReview(claim: ReviewClaim): boolean {
  const { findings, noFindings, answers, checked, opinion, unreadable } = claim;
  return Boolean(
    findings?.length || noFindings || answers?.length || checked?.length || opinion || unreadable,
  );
}

/** One word for a place, so that what was found out about it can be looked up. */
export function placeKey({ file, line, quote }: Cited): string {
  return JSON.stringify([plainPath(file), line ?? null, quote ?? null]);
}

/** `./src/a.ts` and `src/a.ts` are one file. */
export function plainPath(file: string): string {
  return file.trim().replace(/^(?:\.\/)+/, "");
}

const spot = /(?:^|[\s(["'`,;<])((?:[\w@.+-]+\/)*[\w@.+-]+):(\d{1,7})(?![\w.]*\/)/g;
const bareFile =
  /(?:^|[\s(["'`,;<])((?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}|(?:[\w@.+-]+\/)+[\w@.+-]+)/g;
const code = /`([^`\n]{1,2000})`/g;
const namedFiles = /^(?:[A-Z]\w*file|LICENSE|README|CHANGELOG)$/;

/** `file:line` in a sentence. Only what looks like a file counts: 10:30 and note:3 do not. */
export function placesIn(sentence: string): Cited[] {
  return [...sentence.matchAll(spot)].flatMap(([, file = "", line = ""]) =>
    looksLikeFile(file) && Number(line) > 0 ? [{ file: plainPath(file), line: Number(line) }] : [],
  );
}

/** Files a sentence names, with or without a line. */
export const filesIn = remembered((sentence: string): readonly string[] => {
  const bare = [...sentence.matchAll(bareFile)].map(([, file = ""]) =>
    plainPath(file.replace(/(?<!\.)\.+$/, "")),
  );
  return [...new Set([...placesIn(sentence).map(({ file }) => file), ...bare])];
});

/** Code quoted in a sentence, long enough to say something. */
export function quotesIn(sentence: string): string[] {
  return [...sentence.matchAll(code)].map(([, quote = ""]) => quote).filter((quote) => isSubstantial(quote));
}

function looksLikeFile(word: string): boolean {
  return /[A-Za-z]/.test(word) && (word.includes("/") || /\w\.[A-Za-z]/.test(word) || namedFiles.test(word));
}

const substantial = 8;

/** Fewer than eight letters or digits are no evidence. */
export function isSubstantial(words: string): boolean {
  return (words.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= substantial;
}

const praise =
  /\b(?:lgtm|looks? (?:good|fine|ok|okay|great|right|correct)(?: to me)?|all good|good to go|no (?:issues?|problems?|findings?|concerns?|bugs?|defects?)(?: (?:is|are|was|were))?(?: (?:found|here|seen|left))?|nothing (?:found|to report|wrong)|(?:meets?|satisf(?:y|ies)|fulfil?ls?) (?:all |the |this |every ){0,3}(?:requirements?|criteri(?:on|a)|rules?|sops?)|tests? (?:pass|passes|passed|are green)|(?:is |are |was )?(?:good|fine|ok|okay|great|correct|right|perfect|done|checked|reviewed|verified|passed|approved|clean|complete|met|nice|solid|excellent)|as expected|works?|everything|the code|this (?:file|code|change)|change|overall|very|well)\b/gi;
/** Words that carry nothing once the praise beside them is gone. */
const fillers =
  /\b(?:the|an?|and|or|but|its?|this|that|is|are|was|were|be|been|ha[sd]|have|i|we|to|in|of|on|for|with|all|every|here|there|now|code|implementations?|changes?|files?|requirements?|criteri(?:on|a)|rules?)\b/gi;

/** Something is left when empty praise is taken away. */
export function saysSomething(words: string): boolean {
  const left = words.replace(praise, "");
  return isSubstantial(left === words ? words : left.replace(fillers, ""));
}

/** Letters and digits alone, in small letters: a full stop more or less makes no other sentence. */
export const bareWords = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** What a sentence says beside the places it names. */
export const withoutPlaces = (sentence: string): string => sentence.replace(spot, " ");

/** Every place the review cites: in `checked`, with its findings, in its SOP review and its reasons. */
export function placesOf(claim: ReviewClaim): Cited[] {
  const checked = (claim.checked ?? []).map(({ file, line, quote }) => ({
    file: plainPath(file),
    line,
    quote,
  }));
  const found = (claim.findings ?? []).flatMap(({ file, line }) =>
    file ? [{ file: plainPath(file), line }] : [],
  );
  const sops = (claim.opinion?.sop_review ?? []).flatMap(({ evidence }) => evidencePlaces(evidence));
  const reasons = (claim.answers ?? []).flatMap(({ reason }) => placesIn(reason ?? ""));
  return [...checked, ...found, ...sops, ...reasons];
}

/** What a sentence of evidence cites: its places, and code it quotes from the file it names first. */
export const evidencePlaces = remembered((evidence: string): readonly Cited[] => {
  const places = placesIn(evidence);
  const file = places[0]?.file ?? filesIn(evidence)[0];
  const quoted = file ? quotesIn(evidence).map((quote) => ({ file, quote })) : [];
  return [...places, ...quoted.filter(({ quote }) => !isFileName(quote))];
});

const isFileName = (quote: string) => filesIn(quote).some((file) => quote.trim().startsWith(file));

/** Every file the review names, wherever it does. */
export function filesNamed(claim: ReviewClaim): string[] {
  const sops = (claim.opinion?.sop_review ?? []).flatMap(({ evidence }) => filesIn(evidence));
  return [...new Set([...placesOf(claim).map(({ file }) => file), ...sops])];
}
