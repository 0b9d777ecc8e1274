// The parts that a sentence of evidence is read into, each with where it stands in it.
import type { CodeLocation } from "../../model/review/evidence.ts";

/** Which file of the tree or the base a word names; undefined: none. */
export type Names = (word: string, hasLine?: boolean) => string | undefined;

export interface EvidenceToken {
  readonly from: number;
  readonly to: number;
}

export interface PlaceToken extends EvidenceToken, Omit<CodeLocation, "quote"> {}

/** `./src/a.ts` and `src/a.ts` are one file. */
export function normalizePath(file: string): string {
  return file.trim().replace(/^(?:\.\/)+/, "");
}
