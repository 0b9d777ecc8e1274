// A program on its way: expanded from its source, with the way back from each step to the words it was made from.
import type { Loop, ProgramTask, Step } from "../../model/program.ts";
import type { WorkflowProblem } from "../problem.ts";

export type SourcePath = readonly (string | number)[];

/** A text of the source that is read by machines: a condition, or one with references. */
export interface WrittenText {
  readonly as: "condition" | "template";
  readonly value: unknown;
  readonly path: SourcePath;
}

/** Not yet checked: the values may still be anything that the source says. */
export interface DraftProgram {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly start: string;
  readonly loop: Loop;
  readonly steps: readonly Step[];
  readonly tasks?: readonly ProgramTask[];
  readonly phases?: readonly ProgramTask[];
  readonly max_concurrent?: number;
  readonly timeout_s?: number;
}

export interface ProgramDraft {
  readonly program: DraftProgram;
  readonly problems: readonly WorkflowProblem[];
  readonly warnings: readonly WorkflowProblem[];
  readonly written: readonly WrittenText[];
  /** Where the step with this number, or one of its keys or routes, stands in the source. */
  place(step: number, ...keys: readonly (string | number)[]): SourcePath;
  /** False where nothing in the source bounds the rounds. */
  readonly limited: boolean;
  /** The source itself says what the loop is. */
  readonly ownLoop: boolean;
}
