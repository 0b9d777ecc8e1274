// A paper: a typed JSON document that an agent hands in instead of files. The referee checks it, completes what only it
// knows, and puts it into a tree of its own, so that critics can quote it line by line.
import type * as v from "valibot";
import type { Gate } from "../model/gate.ts";

export type PaperValue = Readonly<Record<string, unknown>>;

/** What a paper is checked against. */
export interface PaperContext {
  /** The time it is handed in. */
  readonly at: string;
  /** Papers accepted before, by kind. */
  readonly papers: Readonly<Record<string, PaperValue>>;
  /** What the run was started with; `payload.settings` are the settings of a pipeline. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The gates that the human has confirmed. */
  readonly gates: readonly Gate[];
}

export interface PaperKind {
  readonly name: string;
  /** One sentence for its author. */
  readonly about: string;
  /** What its author hands in, each part described. */
  readonly schema: v.GenericSchema<unknown, PaperValue>;
  /** A whole example, shown to authors. */
  readonly example: PaperValue;
  /** Rules beyond the form, one sentence each. */
  problems(value: PaperValue, context: PaperContext): readonly string[];
  /** What the referee adds: ids, times, defaults. Done twice it changes nothing. */
  complete(value: PaperValue, context: PaperContext): PaperValue;
}

/** The same kind while its own type is known: `problems` and `complete` see what the schema lets through. */
export interface PaperKindOf<T extends PaperValue>
  extends Omit<PaperKind, "schema" | "problems" | "complete"> {
  readonly schema: v.GenericSchema<unknown, T>;
  problems(value: T, context: PaperContext): readonly string[];
  complete(value: T, context: PaperContext): PaperValue;
}

export const definePaperKind = <T extends PaperValue>(kind: PaperKindOf<T>): PaperKind => kind as PaperKind;
