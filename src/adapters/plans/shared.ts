// Plans that several machines share: entries on a server, changed by compare-and-set. What was written there by another version or by
// somebody else is read as strictly as a file.
import type { Amendment, Plan, PlanTasks } from "../../core/model/plan.ts";
import { tidy } from "../../core/plan/document.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { Failure } from "../../ports/failure.ts";
import type { Plans } from "../../ports/record/plans.ts";
import type { Entries } from "../../ports/system/entries.ts";
import type { PlanReader } from "./files.ts";
import { listFixedDifferences, listPlanDifferences, renderPlanJson } from "./layout.ts";
import { refuseFrozenSave } from "./refusals.ts";

const TRIES = 100;

export interface SharedPlansOptions {
  readonly entries: Entries;
  readonly reader: Pick<PlanReader, "plan" | "tasks" | "amendments">;
  readonly crashPoint?: CrashPoint;
}

export interface SharedPlans extends Plans {
  /** False when the plan is another one than `before` by now: then nothing was written. */
  replace(before: Plan | undefined, plan: Plan): Promise<boolean>;
}

export function createSharedPlans({
  entries,
  reader,
  crashPoint = () => {},
}: SharedPlansOptions): SharedPlans {
  type Parse<T> = (text: string, file: string) => T;
  const parse = <T>(key: string, text: string | undefined, read: Parse<T>): T | undefined =>
    text === undefined ? undefined : read(text, `${key} on the server`);
  const readEntry = async <T>(key: string, read: Parse<T>): Promise<T | undefined> =>
    parse(key, (await entries.read(key))?.text, read);
  /** Replaces an entry by what `make` makes of it; undefined leaves it as it is. */
  const change = async <T>(
    key: string,
    read: Parse<T>,
    make: (before: T | undefined) => T | undefined,
  ): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const entry = await entries.read(key);
      const wanted = make(parse(key, entry?.text, read));
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
    list: async () => (await entries.list("plan")).map((key) => key.slice("plan.".length)).sort(),
    read: (slug) => readEntry(`plan.${slug}`, reader.plan),
    save: (plan) =>
      change<Plan>(`plan.${plan.slug}`, reader.plan, (before) => {
        const wanted = tidy(plan);
        const parts = before
          ? [...listFixedDifferences(before, wanted), ...listPlanDifferences(before, wanted)]
          : [];
        if (before?.committed && parts.length > 0) throw refuseFrozenSave(plan.slug, parts);
        return wanted;
      }),
    async replace(before, plan) {
      const key = `plan.${plan.slug}`;
      const entry = await entries.read(key);
      const now = parse(key, entry?.text, reader.plan);
      if ((now && renderPlanJson(now)) !== (before && renderPlanJson(before))) return false;
      return entries.write(key, JSON.stringify(tidy(plan)), entry?.revision ?? 0);
    },
    readTasks: (slug) => readEntry(`plan-tasks.${slug}`, reader.tasks),
    saveTasks: (slug, tasks) => change<PlanTasks>(`plan-tasks.${slug}`, reader.tasks, () => tasks),
    amend: (slug, amendment) =>
      change<readonly Amendment[]>(`plan-amendments.${slug}`, reader.amendments, (before = []) =>
        before.some(({ bubble }) => bubble === amendment.bubble) ? undefined : [...before, amendment],
      ),
    amendments: async (slug) => (await readEntry(`plan-amendments.${slug}`, reader.amendments)) ?? [],
  };
}
