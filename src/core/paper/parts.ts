// Pieces that several papers are made of: texts and lists, given-when-then, paths, ids, and the settings a run has.
import * as v from "valibot";
import { Criterion } from "../model/plan.ts";
import { isObject } from "../schema/absent.ts";
import { list, object, type Schema, text as textJson } from "../schema/json-schema.ts";
import type { PaperContext } from "./kind.ts";

export const text = (max: number) =>
  v.pipe(v.string(), v.trim(), v.minLength(1, "must not be empty"), v.maxLength(max));

/** A list that may be left out. */
export const texts = v.optional(v.pipe(v.array(text(2000)), v.maxLength(100)), []);

export const textsJson = (description: string): Schema => list({ type: "string" }, description);

/** A criterion in the three words of its form. */
export function criterion(given: string, when: string, outcome: string): Criterion {
  // biome-ignore lint/suspicious/noThenProperty: the criterion's own word.
  return { given, when, then: outcome };
}

const words = ["given", "when", "then"] as const;
export const criterionEntries = Criterion.entries;
export const criterionProperties: Readonly<Record<string, Schema>> = Object.fromEntries(
  words.map((word) => [word, textJson(`${word} …`)]),
);
export const criteriaJson = list(object(criterionProperties), "what it is done by; may be empty");

/** Words that stand there more than once. */
export function repeated<T>(given: readonly T[]): T[] {
  return [...new Set(given.filter((one, i) => given.indexOf(one) !== i))];
}

/** Paths that lead out of the tree, each in a sentence. */
export function pathProblems(paths: readonly string[]): string[] {
  return paths.filter(leadsOut).map((path) => `${path} is not a path inside the tree`);
}

const leadsOut = (path: string) => /^(?:[\\/~]|[a-z]:)/i.test(path) || path.split(/[\\/]/).includes("..");

/** `plan-20260221-090000`: an id with the time of the first handing in, which later versions keep. */
export function idOf(
  kind: string,
  beginning: string,
  given: string | undefined,
  context: PaperContext,
): string {
  const before = context.papers[kind]?.id;
  if (typeof before === "string") return before;
  if (given !== undefined && new RegExp(`^${beginning}-\\d{8}-\\d{6}$`).test(given)) return given;
  const [day = "", time = ""] = context.at.split("T");
  return `${beginning}-${day.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}`;
}

export const modes = ["ralph-loop", "simple"] as const;
export type Mode = (typeof modes)[number];

export interface Settings {
  readonly mode?: Mode;
  readonly defaultMode?: Mode;
  readonly maxIterations?: number;
  readonly defaultMaxIterations?: number;
  readonly completionPromise?: string;
}

/** What the run was told about how to implement; words it does not know count as not said. */
export function settingsOf({ payload }: PaperContext): Settings {
  const given = isObject(payload.settings) ? payload.settings : {};
  return {
    ...said("mode", modeOf(given.mode)),
    ...said("defaultMode", modeOf(given.default_mode)),
    ...said("maxIterations", countOf(given.max_iterations)),
    ...said("defaultMaxIterations", countOf(given.default_max_iterations)),
    ...said("completionPromise", wordsOf(given.completion_promise)),
  };
}

const said = <K extends string, T>(key: K, value: T | undefined) =>
  (value === undefined ? {} : { [key]: value }) as Partial<Record<K, T>>;
const modeOf = (value: unknown) => modes.find((mode) => mode === value);
const countOf = (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
const wordsOf = (value: unknown) => (typeof value === "string" && value.trim() ? value : undefined);

export const usualMode: Mode = "ralph-loop";
export const usualIterations = 10;

/** How the work is to be implemented: what its author leaves out is decided by others. */
export const Implementation = v.optional(
  v.strictObject({
    mode: v.optional(v.picklist(modes, `must be one of ${modes.join(", ")}`)),
    max_iterations: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
  }),
  {},
);
export type Implementation = v.InferOutput<typeof Implementation>;

export const implementationJson: Schema = object({
  mode: { type: ["string", "null"], enum: [...modes, null], description: "null: as the settings say" },
  max_iterations: { type: ["integer", "null"], description: "null: as the settings say" },
});
