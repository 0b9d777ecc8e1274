// What a project's critics have noticed and what its people said to it: candidates with their evidence, which stay on this
// machine, and the file of accepted conventions, which is meant for git.
import type { LearningFiles } from "../../core/knowledge/learning/conventions.ts";

/**
 * N1 what was changed is there after a crash, and each file is whole: as before the change or as after it
 * N2 changes come one after the other, whichever processes make them: each sees what the one before it left
 * N3 a change that changes nothing writes nothing
 * N4 what cannot be read is told as a failure and never overwritten
 */
export interface Conventions {
  read(): Promise<LearningFiles>;
  /** Puts a change into effect. It may be called more than once, with newer values each time, and must not wait. */
  change<T>(
    change: (kept: LearningFiles) => { readonly kept: LearningFiles; readonly result: T },
  ): Promise<T>;
}
