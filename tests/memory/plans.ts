// Plans in memory: the same promises and the same refusals as the files.

import { listFixedDifferences, listPlanDifferences } from "../../src/adapters/plans/layout.ts";
import { refuseFrozenSave } from "../../src/adapters/plans/refusals.ts";
import type { Amendment, Plan, PlanTasks } from "../../src/core/model/plan.ts";
import { tidy } from "../../src/core/plan/document.ts";
import type { Plans } from "../../src/ports/record/plans.ts";

export function createMemoryPlans(given: readonly Plan[] = []): Plans {
  const plans = new Map(given.map((plan) => [plan.slug, plan]));
  const tasks = new Map<string, PlanTasks>();
  const amendments = new Map<string, readonly Amendment[]>();
  return {
    list: async () => [...plans.keys()].sort(),
    read: async (slug) => plans.get(slug),
    async save(plan) {
      const wanted = tidy(plan);
      const before = plans.get(plan.slug);
      const parts = before
        ? [...listFixedDifferences(before, wanted), ...listPlanDifferences(before, wanted)]
        : [];
      if (before?.committed && parts.length > 0) throw refuseFrozenSave(plan.slug, parts);
      plans.set(plan.slug, wanted);
    },
    readTasks: async (slug) => tasks.get(slug),
    async saveTasks(slug, given) {
      tasks.set(slug, given);
    },
    async amend(slug, amendment) {
      const before = amendments.get(slug) ?? [];
      if (before.some(({ bubble }) => bubble === amendment.bubble)) return;
      amendments.set(slug, [...before, amendment]);
    },
    amendments: async (slug) => amendments.get(slug) ?? [],
  };
}
