// Plans that several machines share: entries on a server, changed by compare-and-set. People who want them as files and in git
// export them; here is no second text that could fall out of step.
import type { Amendment, Plan, PlanTasks } from "../../core/model/plan.ts";
import { tidy } from "../../core/plan/document.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { Failure } from "../../ports/failure.ts";
import type { Plans } from "../../ports/record/plans.ts";
import type { Entries } from "../../ports/system/entries.ts";
import { listFixedDifferences, listPlanDifferences } from "./layout.ts";
import { refuseFrozenSave } from "./refusals.ts";

const TRIES = 100;

export interface SharedPlansOptions {
  readonly entries: Entries;
  readonly crashPoint?: CrashPoint;
}

export function createSharedPlans({ entries, crashPoint = () => {} }: SharedPlansOptions): Plans {
  const readJson = async <T>(key: string): Promise<T | undefined> => {
    const entry = await entries.read(key);
    return entry && (JSON.parse(entry.text) as T);
  };
  /** Replaces an entry by what `change` makes of it; undefined leaves it as it is. */
  const change = async <T>(key: string, make: (before: T | undefined) => T | undefined): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const entry = await entries.read(key);
      const wanted = make(entry && (JSON.parse(entry.text) as T));
      if (wanted === undefined) return;
      crashPoint("plans.before-write");
      const isDone = await entries.write(key, JSON.stringify(wanted), entry?.revision ?? 0);
      crashPoint("plans.after-write");
      if (isDone) return;
    }
    throw new Failure("plans.busy", `${TRIES} other changes of ${key} were faster`, {
      hint: "repeat the command",
      retryable: true,
    });
  };

  return {
    read: (slug) => readJson<Plan>(`plan.${slug}`),
    save: (plan) =>
      change<Plan>(`plan.${plan.slug}`, (before) => {
        const wanted = tidy(plan);
        const parts = before
          ? [...listFixedDifferences(before, wanted), ...listPlanDifferences(before, wanted)]
          : [];
        if (before?.committed && parts.length > 0) throw refuseFrozenSave(plan.slug, parts);
        return wanted;
      }),
    readTasks: (slug) => readJson<PlanTasks>(`plan-tasks.${slug}`),
    saveTasks: (slug, tasks) => change<PlanTasks>(`plan-tasks.${slug}`, () => tasks),
    amend: (slug, amendment) =>
      change<readonly Amendment[]>(`plan-amendments.${slug}`, (before = []) =>
        before.some(({ bubble }) => bubble === amendment.bubble) ? undefined : [...before, amendment],
      ),
    amendments: async (slug) => (await readJson<readonly Amendment[]>(`plan-amendments.${slug}`)) ?? [],
  };
}
