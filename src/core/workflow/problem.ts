// Something wrong with a workflow document, and the path of the value it is about.

export interface WorkflowProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** What to write instead. */
  readonly hint?: string;
}
