// What every answer of the page's server looks like: a payload, or why there is none, in the words of the terminal.
import type { Refusal } from "../../model/refusal.ts";

export type RefusedPayload = { readonly ok: false } & Refusal;

/** The header of every page. */
export interface PageHeader {
  /** The two words that the terminal shows too. */
  readonly words: string;
  readonly repositories: readonly string[];
  /** How much waits for the person in all; null on pages that do not count it. */
  readonly waiting: number | null;
}

/** The header alone, for pages that do not count what waits. */
export interface HeaderPage extends PageHeader {
  readonly page: "header";
  readonly waiting: number;
}
