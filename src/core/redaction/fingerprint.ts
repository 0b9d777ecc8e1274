// Secrets that another process knows. An agent does not get the keys of the others, and yet may find one in the tree and quote
// it; so processes leave fingerprints for one another, by which a value is recognised without being revealed.
import type { SecretSpan } from "./redact.ts";

export interface Fingerprint {
  /** A quick sum over the first characters: says where a closer look is worth it. */
  readonly head: number;
  readonly length: number;
  /** The beginning of a salted hash over the whole value: says that it is this one. */
  readonly check: string;
}

export interface Recognition {
  readonly prints: readonly Fingerprint[];
  readonly salt: string;
  readonly sha256: (text: string) => string;
}

/** Shorter values could be guessed from their fingerprint. */
const shortest = 16;
const headLength = 16;

export function computeFingerprint(
  value: string,
  { salt, sha256 }: Omit<Recognition, "prints">,
): Fingerprint | undefined {
  if (value.length < shortest) return undefined;
  const factor = getFactor(salt);
  let head = 0;
  for (let i = 0; i < headLength; i++) head = (Math.imul(head, factor) + value.charCodeAt(i)) | 0;
  return { head, length: value.length, check: computeCheck(value, { salt, sha256 }) };
}

/** Where values with one of these fingerprints stand in a text. One pass, however many there are. */
export function findFingerprinted(text: string, known: Recognition): SecretSpan[] {
  if (known.prints.length === 0 || text.length < shortest) return [];
  const heads = new Set(known.prints.map((print) => print.head));
  const factor = getFactor(known.salt);
  let leaving = 1;
  for (let i = 0; i < headLength; i++) leaving = Math.imul(leaving, factor);
  const spans: SecretSpan[] = [];
  let head = 0;
  for (let i = 0; i < text.length; i++) {
    head = (Math.imul(head, factor) + text.charCodeAt(i)) | 0;
    if (i >= headLength) head = (head - Math.imul(leaving, text.charCodeAt(i - headLength))) | 0;
    if (i >= headLength - 1 && heads.has(head))
      spans.push(...listValuesAt(text, i - headLength + 1, head, known));
  }
  return spans;
}

function listValuesAt(text: string, from: number, head: number, known: Recognition): SecretSpan[] {
  return known.prints
    .filter((print) => print.head === head && from + print.length <= text.length)
    .filter((print) => computeCheck(text.slice(from, from + print.length), known) === print.check)
    .map((print) => ({ from, to: from + print.length, kind: "env" }));
}

const computeCheck = (value: string, { salt, sha256 }: Omit<Recognition, "prints">): string =>
  sha256(`${salt}\n${value}`).slice(0, 24);

/** An odd number of the salt's own, so that heads of two repositories tell nothing about one another. */
function getFactor(salt: string): number {
  let factor = 0x9e3779b1;
  for (let i = 0; i < salt.length; i++) factor = Math.imul(factor ^ salt.charCodeAt(i), 0x85ebca6b);
  return factor | 1;
}
