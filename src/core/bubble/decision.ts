// What deciding a command gives, and the form of the rules that decide.
import type { DecisionBatch } from "../interpreter/batch.ts";
import type { Command, CommandOf } from "../model/command.ts";
import type { Draft } from "../model/record/envelope.ts";
import { type Refusal, refuse } from "../model/refusal.ts";

/** What follows: lines to append, and/or a refusal. A refused claim may leave a warning on the record. */
export interface RefereeDecision {
  readonly drafts: readonly Draft[];
  readonly refusal?: Refusal;
  /** The same verb was accepted before in this turn; its first outcome stands. */
  readonly repeats?: number;
}

/** One command's rule: it writes what follows and gives nothing, or it refuses. A verb that was accepted before is repeated. */
export type Rule<T extends Command["type"]> = (
  batch: DecisionBatch,
  command: CommandOf<T>,
) => Refusal | { readonly repeats: number } | undefined;

/** A driver's report about something that is over, or was never asked for. */
export const refuseNotDue = (what: string): Refusal =>
  refuse("driver.not-due", `${what} is not due any more`);
