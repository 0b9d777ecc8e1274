// Plans that several machines share, where each has files of its own: people read and edit those, and git carries them. The server's
// plan counts; what it was when this machine last had the same is noted, which tells who has changed it since.
import { join } from "node:path";
import * as v from "valibot";
import { Plan, PlanTasks } from "../../core/model/plan.ts";
import { parseJson } from "../../core/text/json.ts";
import { readText, writePlanFile } from "./disk.ts";
import type { PlanFiles } from "./files.ts";
import { listFixedDifferences, listPlanDifferences, renderPlanJson, serializeTasks } from "./layout.ts";
import { refuseApart, refuseFrozen, refuseTasksApart } from "./refusals.ts";
import type { SharedPlans } from "./shared.ts";

export interface MirroredPlansOptions {
  readonly files: PlanFiles;
  readonly shared: SharedPlans;
  /** Where this machine keeps what it last had in common with the others. */
  readonly notes: string;
}

/** What a machine and the server last both had of a plan. */
const Common = v.strictObject({ plan: v.optional(Plan), tasks: v.optional(PlanTasks) });
type Common = v.InferOutput<typeof Common>;

/** What a machine and the others have of one thing, and what follows from it. */
type Comparison<T> =
  | { readonly word: "same" | "take" | "give"; readonly value: T; readonly theirs?: T }
  | { readonly word: "apart"; readonly mine: T; readonly theirs: T };

export function createMirroredPlans({ files, shared, notes }: MirroredPlansOptions): PlanFiles {
  const noteOf = (slug: string) => join(notes, `${slug}.json`);
  const readNote = (slug: string): Common => parseNote(readText(noteOf(slug)));
  const note = (slug: string, more: Common) =>
    writePlanFile(noteOf(slug), JSON.stringify({ ...readNote(slug), ...more }));

  const compareNow = async (slug: string): Promise<Comparison<Plan> | undefined> => {
    const theirs = await shared.read(slug);
    return compare(await files.read(slug), theirs, readNote(slug).plan, renderPlanJson);
  };
  /** Both sides alike; what each has changed alone goes to the other, and what both have is for a person to settle. */
  const bringTogether = async (slug: string): Promise<Plan | undefined> => {
    for (;;) {
      const found = await compareNow(slug);
      if (!found) return undefined;
      if (found.word === "apart")
        throw refuseApart(slug, listDifferences(found.mine, found.theirs), found.theirs);
      const { word, value } = found;
      if (word === "take") await files.save(value);
      // Somebody else may have been faster: then the question is another one.
      if (word === "give" && !(await shared.replace(found.theirs, value))) continue;
      note(slug, { plan: value });
      return value;
    }
  };

  const keepPlan = async (plan: Plan) => {
    await shared.save(plan);
    note(plan.slug, { plan });
    return plan;
  };

  return {
    path: files.path,
    list: async () => [...new Set([...(await shared.list()), ...(await files.list())])].sort(),
    read: bringTogether,
    async save(plan) {
      await bringTogether(plan.slug);
      await keepPlan(plan);
      await files.save(plan);
    },
    async take(slug, from) {
      const theirs = await shared.read(slug);
      if (theirs?.committed) throw refuseFrozen(slug, []);
      return keepPlan(await files.take(slug, from));
    },
    async putBack(slug) {
      const theirs = await shared.read(slug);
      if (!theirs) return files.putBack(slug);
      await files.overwrite(theirs);
      note(slug, { plan: theirs });
      return theirs;
    },
    overwrite: async (plan) => {
      await keepPlan(plan);
      await files.overwrite(plan);
    },

    async readTasks(slug) {
      const theirs = await shared.readTasks(slug);
      const mine = await files.readTasks(slug);
      const found = compare(mine, theirs, readNote(slug).tasks, serializeTasks);
      if (!found) return undefined;
      if (found.word === "apart") throw refuseTasksApart(slug);
      const { word, value: tasks } = found;
      if (word === "take") await files.saveTasks(slug, tasks);
      if (word === "give") await shared.saveTasks(slug, tasks);
      note(slug, { tasks });
      return tasks;
    },
    async saveTasks(slug, tasks) {
      await shared.saveTasks(slug, tasks);
      await files.saveTasks(slug, tasks);
      note(slug, { tasks });
    },

    async amendments(slug) {
      const theirs = await shared.amendments(slug);
      const mine = await files.amendments(slug);
      const lacks = (list: typeof mine) => (one: (typeof mine)[number]) =>
        !list.some(({ bubble }) => bubble === one.bubble);
      for (const one of theirs.filter(lacks(mine))) await files.amend(slug, one);
      for (const one of mine.filter(lacks(theirs))) await shared.amend(slug, one);
      return [...theirs, ...mine.filter(lacks(theirs))];
    },
    async amend(slug, amendment) {
      await shared.amend(slug, amendment);
      await files.amend(slug, amendment);
    },
  };
}

/** Which side has changed since both had the same; undefined when neither has anything. */
function compare<T>(
  mine: T | undefined,
  theirs: T | undefined,
  common: T | undefined,
  write: (value: T) => string,
): Comparison<T> | undefined {
  if (!theirs) return mine && { word: "give", value: mine };
  if (!mine) return { word: "take", value: theirs };
  const [own, others, before] = [write(mine), write(theirs), common && write(common)];
  if (own === others) return { word: "same", value: mine };
  if (own === before) return { word: "take", value: theirs };
  return others === before ? { word: "give", value: mine, theirs } : { word: "apart", mine, theirs };
}

const listDifferences = (mine: Plan, theirs: Plan): string[] => [
  ...listFixedDifferences(mine, theirs),
  ...listPlanDifferences(mine, theirs),
];

/** A note that cannot be read says nothing: then only what is alike on both sides is beyond doubt. */
function parseNote(text: string | undefined): Common {
  try {
    const read = v.safeParse(Common, parseJson(text ?? "{}"));
    return read.success ? read.output : {};
  } catch {
    return {};
  }
}
