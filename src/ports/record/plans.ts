// Where plans are kept: `.pairflow/plans/<slug>/`.
//
// Promises:
// 1. What was written is there after a crash, whole or not at all.
// 2. A committed plan is never changed: `save` of other content is refused (code `plan.frozen`).
// 3. Each call done twice is done once.
// 4. `list` names every plan that was saved, in the order of their slugs.
import type { Amendment, Plan, PlanTasks } from "../../core/model/plan.ts";

export interface Plans {
  /** The slugs of all plans. */
  list(): Promise<readonly string[]>;
  /** The plan as it is now; undefined when there is none of that slug. */
  read(slug: string): Promise<Plan | undefined>;
  save(plan: Plan): Promise<void>;
  readTasks(slug: string): Promise<PlanTasks | undefined>;
  saveTasks(slug: string, tasks: PlanTasks): Promise<void>;
  /** Beside the plan, which stays as it is. */
  amend(slug: string, amendment: Amendment): Promise<void>;
  amendments(slug: string): Promise<readonly Amendment[]>;
}
