// The parts that a sentence of evidence is read into, each with where it stands in it.
import type { Place } from "../../model/evidence.ts";

/** Which file of the tree or the base a word names; undefined: none. */
export type Names = (word: string, hasLine?: boolean) => string | undefined;

export interface Token {
  readonly from: number;
  readonly to: number;
}

export interface PlaceToken extends Token, Omit<Place, "quote"> {}

/** `./src/a.ts` and `src/a.ts` are one file. */
export function plainPath(file: string): string {
  return file.trim().replace(/^(?:\.\/)+/, "");
}
