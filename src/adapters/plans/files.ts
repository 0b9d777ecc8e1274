// Plans as files under `.pairflow/plans/<slug>/`, which are meant to be committed to git: plan.json and plan.md kept in
// step, tasks.json, amendments.json.
import { dirname, join } from "node:path";
import * as v from "valibot";
import { type Amendment, Plan, type PlanTasks } from "../../core/model/plan.ts";
import { type PlanDocument, tidy } from "../../core/plan/document.ts";
import { isSlug } from "../../core/plan/slug.ts";
import { parseJson } from "../../core/text/json.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { Failure } from "../../ports/failure.ts";
import type { Plans } from "../../ports/record/plans.ts";
import type { Locks } from "../../ports/system/lock.ts";
import { listSortedNames, readText, writePlanFile } from "./disk.ts";
import { type PlanSources, settlePlanFiles } from "./in-step.ts";
import {
  dropStaleConfirmation,
  getPlanFilePath,
  listFixedDifferences,
  listPlanDifferences,
  type PlanFile,
  plansFolder,
  renderPlanJson,
  renderPlanMarkdown,
  serializeAmendments,
  serializeJson,
  serializeTasks,
} from "./layout.ts";
import {
  refuseFrozen,
  refuseFrozenSave,
  refuseNothingKnown,
  refuseUnknownPlan,
  refuseWrongFolder,
} from "./refusals.ts";

/** Reads the text of a file strictly; `file` is what it is called in messages. */
export interface PlanReader {
  plan(text: string, file: string): Plan;
  markdown(text: string, file: string): PlanDocument;
  tasks(text: string, file: string): PlanTasks;
  amendments(text: string, file: string): Amendment[];
}

export interface FilePlansOptions {
  /** The repository whose `.pairflow` holds the plans. */
  readonly root: string;
  readonly reader: PlanReader;
  readonly locks?: Locks;
  readonly crashPoint?: CrashPoint;
}

/** What only files can do beyond the port. */
export interface PlanFiles extends Plans {
  /** Takes what one of the two files says over into the other. */
  take(slug: string, from: "md" | "json"): Promise<Plan>;
  /** Writes the plan into both files as it was when they last agreed. */
  putBack(slug: string): Promise<Plan>;
  /** Writes this plan into both files, whatever stands there. */
  overwrite(plan: Plan): Promise<void>;
  /** The path of a plan's file, from the top of the repository. */
  path(slug: string, file: PlanFile): string;
}

/** The plan when both files last agreed; `next` is what is being written, and counts once it is there. */
const InStep = v.strictObject({ plan: v.optional(Plan), next: v.optional(Plan) });

const tries = 20;

export function createFilePlans({ root, reader, locks, crashPoint = () => {} }: FilePlansOptions): PlanFiles {
  const text = (slug: string, file: PlanFile) => readText(join(root, getPlanFilePath(slug, file)));
  const write = (slug: string, file: PlanFile, content: string) => {
    writePlanFile(join(root, getPlanFilePath(slug, file)), content);
    crashPoint(`plans.after-${file}`);
  };
  const parsed = <T>(
    slug: string,
    file: PlanFile,
    parse: (text: string, file: string) => T,
  ): T | undefined => {
    const content = text(slug, file);
    return content === undefined ? undefined : parse(content, getPlanFilePath(slug, file));
  };
  const found = (slug: string): PlanSources => ({
    json: () => parsed(slug, "plan.json", reader.plan),
    markdown: () => parsed(slug, "plan.md", reader.markdown),
  });

  /** Both files and the note, so that a crash on the way is made good by the next read. */
  const writeBoth = (plan: Plan, known: Plan | undefined) => {
    write(plan.slug, ".in-step.json", serializeJson({ ...(known ? { plan: known } : {}), next: plan }));
    write(plan.slug, "plan.json", renderPlanJson(plan));
    write(plan.slug, "plan.md", renderPlanMarkdown(plan));
    write(plan.slug, ".in-step.json", serializeJson({ plan }));
  };
  const knownPlan = (slug: string): Plan | undefined => {
    const written = parsed(slug, ".in-step.json", buildNote);
    // The note of a folder that was copied is about the other plan, and must not be followed there.
    const note = (written?.next ?? written?.plan)?.slug === slug ? written : undefined;
    if (note?.next) writeBoth(note.next, note.plan);
    return note?.next ?? note?.plan;
  };
  /** Writes what is missing or behind; a file that says the same in other words stays as somebody wrote it. */
  const bringInStep = (plan: Plan) => {
    const { slug } = plan;
    const json = found(slug).json();
    const markdown = found(slug).markdown();
    if (!json || listPlanDifferences(json, plan).length > 0) write(slug, "plan.json", renderPlanJson(plan));
    if (!markdown || listPlanDifferences(markdown, plan).length > 0)
      write(slug, "plan.md", renderPlanMarkdown(plan));
    write(slug, ".in-step.json", serializeJson({ plan }));
  };
  const current = (slug: string): Plan | undefined => {
    const plan = settlePlanFiles(slug, found(slug), knownPlan(slug));
    if (plan) bringInStep(plan);
    return plan;
  };

  /** The plan that one of its files shall be taken over into. */
  const changeable = (slug: string, known: Plan | undefined, from: "md" | "json"): Plan => {
    if (known?.committed) throw refuseFrozen(slug, []);
    const base = known ?? found(slug).json();
    if (!base) throw refuseUnknownPlan(slug);
    if (base.slug !== slug) throw refuseWrongFolder(slug, base.slug);
    if (base.committed && from === "md") throw refuseFrozen(slug, []);
    return base;
  };

  /** Also what only reads: it makes good what a crash left, and must not do so to what is just being written. */
  const alone = async <T>(slug: string, work: () => T): Promise<T> => {
    const release = await locks?.take(`plan-${slug}`);
    try {
      return work();
    } finally {
      release?.();
    }
  };

  return {
    path: getPlanFilePath,
    async list() {
      const names = listSortedNames(join(root, plansFolder)).filter(isSlug);
      return names.filter(
        (slug) => text(slug, "plan.json") !== undefined || text(slug, ".in-step.json") !== undefined,
      );
    },
    async read(slug) {
      const files = listSortedNames(join(root, dirname(getPlanFilePath(slug, "plan.json"))));
      return files.length > 0 ? alone(slug, () => current(slug)) : undefined;
    },

    save: (plan) =>
      alone(plan.slug, () => {
        const wanted = tidy(plan);
        const before = knownPlan(plan.slug) ?? found(plan.slug).json();
        const parts = before
          ? [...listFixedDifferences(before, wanted), ...listPlanDifferences(before, wanted)]
          : [];
        if (before?.committed && parts.length > 0) throw refuseFrozenSave(plan.slug, parts);
        if (before && parts.length === 0) bringInStep(wanted);
        else writeBoth(wanted, before);
      }),

    take: (slug, from) =>
      alone(slug, () => {
        const known = knownPlan(slug);
        const base = changeable(slug, known, from);
        const chosen = from === "md" ? found(slug).markdown() : found(slug).json();
        const plan = tidy({ ...base, ...(chosen ?? {}) } as Plan);
        const kept = { ...plan, ...pickFixedPart(base) };
        writeBoth(kept, known);
        return kept;
      }),

    putBack: (slug) =>
      alone(slug, () => {
        const known = knownPlan(slug);
        if (!known)
          throw text(slug, "plan.json") === undefined ? refuseUnknownPlan(slug) : refuseNothingKnown(slug);
        writeBoth(known, known);
        return known;
      }),

    overwrite: (plan) => alone(plan.slug, () => writeBoth(plan, undefined)),

    readTasks: async (slug) => {
      const tasks = parsed(slug, "tasks.json", reader.tasks);
      return tasks && dropStaleConfirmation(tasks);
    },
    saveTasks: async (slug, tasks) => write(slug, "tasks.json", serializeTasks(tasks)),

    amendments: async (slug) => parsed(slug, "amendments.json", reader.amendments) ?? [],
    async amend(slug, amendment) {
      for (let round = 0; round < tries; round += 1) {
        const isThere = await alone(slug, () => {
          const before = parsed(slug, "amendments.json", reader.amendments) ?? [];
          if (before.some(({ bubble }) => bubble === amendment.bubble)) return true;
          write(slug, "amendments.json", serializeAmendments([...before, amendment]));
          return false;
        });
        // Somebody may have written at the same moment; the next look tells whether this amendment is there.
        if (isThere) return;
      }
      throw new Failure("plan.busy", `the amendments of ${slug} are being written by others`, {
        retryable: true,
      });
    },
  };
}

/** A note that cannot be read, as after a merge of two, is as good as none: plan.json counts then. */
function buildNote(content: string): v.InferOutput<typeof InStep> | undefined {
  try {
    const note = v.safeParse(InStep, parseJson(content));
    return note.success ? note.output : undefined;
  } catch {
    return undefined;
  }
}

const pickFixedPart = ({ id, slug, committed, created_at, committed_at }: Plan) => ({
  ...{ id, slug, committed, created_at },
  ...(committed_at === undefined ? {} : { committed_at }),
});
