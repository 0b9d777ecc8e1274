// Pieces that several papers are made of: texts and lists, given-when-then, paths, ids, and the settings a run has.
import * as v from "valibot";
import type { Criterion } from "../model/plan.ts";
import { defineTextField, describeField } from "../model/value/field.ts";
import { isObject } from "../schema/absent.ts";
import type { PaperContext } from "./kind.ts";

/** A list that may be left out. */
export const defineTexts = (about: string) =>
  describeField(v.optional(v.pipe(v.array(defineTextField(2000)), v.maxLength(100)), []), about);

/** A criterion in the three words of its form. */
export function buildCriterion(given: string, when: string, outcome: string): Criterion {
  // biome-ignore lint/suspicious/noThenProperty: the criterion's own word.
  return { given, when, then: outcome };
}

/** Words that stand there more than once. */
export function findRepeated<T>(given: readonly T[]): T[] {
  return [...new Set(given.filter((one, i) => given.indexOf(one) !== i))];
}

/** Paths that lead out of the tree, each in a sentence. */
export function checkPaths(paths: readonly string[]): string[] {
  return paths.filter(isOutsideTree).map((path) => `${path} is not a path inside the tree`);
}

const isOutsideTree = (path: string) =>
  /^(?:[\\/~]|[a-z]:)/i.test(path) || path.split(/[\\/]/).includes("..");

/** `plan-20260221-090000`: an id with the time of the first handing in, which later versions keep. */
export function buildPaperId(
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

export interface PayloadSettings {
  readonly mode?: Mode;
  readonly defaultMode?: Mode;
  readonly maxIterations?: number;
  readonly defaultMaxIterations?: number;
  readonly completionPromise?: string;
}

/** What the run was told about how to implement; words it does not know count as not said. */
export function readPayloadSettings({ payload }: PaperContext): PayloadSettings {
  const given = isObject(payload.settings) ? payload.settings : {};
  return {
    ...keepIfSaid("mode", findMode(given.mode)),
    ...keepIfSaid("defaultMode", findMode(given.default_mode)),
    ...keepIfSaid("maxIterations", findCount(given.max_iterations)),
    ...keepIfSaid("defaultMaxIterations", findCount(given.default_max_iterations)),
    ...keepIfSaid("completionPromise", findWords(given.completion_promise)),
  };
}

const keepIfSaid = <K extends string, T>(key: K, value: T | undefined) =>
  (value === undefined ? {} : { [key]: value }) as Partial<Record<K, T>>;
const findMode = (value: unknown) => modes.find((mode) => mode === value);
const findCount = (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
const findWords = (value: unknown) => (typeof value === "string" && value.trim() ? value : undefined);

export const usualMode: Mode = "ralph-loop";
export const usualIterations = 10;

export const asTheSettingsSay = "null: as the settings say";

/** How the work is to be implemented: what its author leaves out is decided by others. */
export const Implementation = v.optional(
  v.strictObject({
    mode: describeField(
      v.optional(v.picklist(modes, `must be one of ${modes.join(", ")}`)),
      asTheSettingsSay,
    ),
    max_iterations: describeField(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
      asTheSettingsSay,
    ),
  }),
  {},
);
export type Implementation = v.InferOutput<typeof Implementation>;
