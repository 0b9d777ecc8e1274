// What is wrong with settings, whichever file or flags they came from: bubble.toml and the project's defaults are held
// to the same schema and speak the same sentences.
import { checkPattern } from "../../core/gates/output/patterns.ts";
import { BubbleConfig, refusedSettings } from "../../core/model/config.ts";
import { check } from "../../core/model/value/validate.ts";
import { suggestWord } from "../../core/text/nearest.ts";
import { type FileProblem, show, spell, type ValuePath } from "../files/problems.ts";
import { findMisplacedLists, findUnknownKeys, isTable, type UnknownKey } from "../files/schema-keys.ts";
import { freeWords, parts, settings } from "./keys.ts";

export type Setting = keyof BubbleConfig;
type Schema = Parameters<typeof check>[0];

export const settingNames = Object.keys(BubbleConfig.entries) as Setting[];
export const isSetting = (word: string): word is Setting => Object.hasOwn(BubbleConfig.entries, word);

/** Every problem of a whole configuration. */
export function checkConfig(values: Readonly<Record<string, unknown>>): FileProblem[] {
  const strangers = Object.keys(values).filter((key) => !isSetting(key));
  const missing = settingNames.filter(
    (key) => !Object.hasOwn(values, key) && !check(defineEntry(key), undefined).ok,
  );
  return [
    ...strangers.map((key) => reportUnknownKey({ path: [key], key, known: settingNames })),
    ...settingNames.flatMap((key) => (Object.hasOwn(values, key) ? checkSetting(key, values[key]) : [])),
    ...missing.map((key) => reportMissing([key], settings[key].must)),
  ];
}

/** Every problem of one setting. `at` is where it stands, if not under its own name at the top. */
export function checkSetting(key: Setting, value: unknown, at: ValuePath = [key]): FileProblem[] {
  const refused = checkRefusedValue(key, value, at);
  if (refused) return [refused];
  const lists = findMisplacedLists(defineEntry(key), value);
  if (lists.length > 0) return lists.map((path) => buildValueProblem(key, value, path, at));
  const checked = check(defineEntry(key), value);
  const strangers = findUnknownKeys(defineEntry(key), value);
  // Of a table that is one of several forms the checker only says that it is none of them.
  const isAround = (path: ValuePath) =>
    strangers.some((one) => spell(one.path).startsWith(`${spell(path)}.`));
  return dropDuplicates([
    ...strangers.map((unknown) => reportUnknownKey({ ...unknown, path: [...at, ...unknown.path] })),
    ...checkWords(key, value, at),
    ...(key === "agent" ? checkPlainValues(value, at) : []),
    ...(key === "commands" ? checkPatterns(value, at) : []),
    ...(checked.ok ? [] : checked.issues.filter(({ path }) => !isAround(path))).map(({ path }) =>
      buildValueProblem(key, value, path, at),
    ),
  ]);
}

const defineEntry = (key: Setting): Schema => BubbleConfig.entries[key] as Schema;

/** Two values the specification mentions are refused for a reason, not for being unknown. */
function checkRefusedValue(key: Setting, value: unknown, at: ValuePath): FileProblem | undefined {
  const refused =
    (key === "quality_mode" && value === "balanced") ||
    (key === "commit_requires_approval" && value === false);
  if (!refused) return undefined;
  return {
    code: "config.refused-setting",
    message: `${spell(at)}: ${refusedSettings[key]}`,
    path: at,
    part: "value",
  };
}

function reportUnknownKey({ path, key, known }: UnknownKey): FileProblem {
  const above =
    path.length > 1 && isSetting(key) ? "; it belongs above the first [table]" : suggestWord(key, known);
  const message =
    known.length > 0 ? `there is no setting ${spell(path)}${above}` : `${spell(path)}: this word is reserved`;
  return { code: "config.unknown-key", message, path, part: "key" };
}

function reportMissing(path: ValuePath, must: string): FileProblem {
  return {
    code: "config.missing-key",
    message: `${spell(path)} is missing; it must ${must}`,
    path,
    part: "key",
  };
}

function checkWords(key: Setting, value: unknown, at: ValuePath): FileProblem[] {
  const free = freeWords[key];
  if (!free || !isTable(value)) return [];
  const bad = Object.keys(value).filter((word) => !free.pattern.test(word));
  return bad.map((word) => ({
    code: "config.bad-name",
    message: `${spell(at)}: ${JSON.stringify(word)} ${free.must}`,
    path: [...at, word],
    part: "key",
  }));
}

/** Patterns of gates that cannot be used. */
function checkPatterns(commands: unknown, at: ValuePath): FileProblem[] {
  if (!isTable(commands)) return [];
  return Object.entries(commands).flatMap(([name, gate]) =>
    ["success_pattern", "failure_pattern"].flatMap((key): FileProblem[] => {
      const pattern = isTable(gate) ? gate[key] : undefined;
      const problem = typeof pattern === "string" ? checkPattern(pattern) : undefined;
      const path = [...at, name, key];
      if (problem === undefined) return [];
      return [{ code: "gates.bad-pattern", message: `${spell(path)}: ${problem}`, path, part: "value" }];
    }),
  );
}

/** Settings of an agent go onto the record as JSON: what JSON would change or drop is refused here. */
function checkPlainValues(value: unknown, at: ValuePath): FileProblem[] {
  if (isTable(value))
    return Object.entries(value).flatMap(([key, inside]) => checkPlainValues(inside, [...at, key]));
  if (Array.isArray(value)) return value.flatMap((inside, i) => checkPlainValues(inside, [...at, i]));
  if (typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return [];
  return [reportWrong(at, "be text, a number, true, false, a list or a table", value)];
}

function buildValueProblem(key: Setting, value: unknown, inside: ValuePath, at: ValuePath): FileProblem {
  const path = [...at, ...inside];
  const found = inside.reduce<unknown>(
    (from, word) => (from as Record<string | number, unknown> | undefined)?.[word],
    value,
  );
  const must = describeMust(key, inside);
  return found === undefined ? reportMissing(path, must) : reportWrong(path, must, found);
}

function reportWrong(path: ValuePath, must: string, value: unknown): FileProblem {
  return {
    code: "config.bad-value",
    message: `${spell(path)} must ${must}, not ${show(value)}`,
    path,
    part: "value",
  };
}

/** The sentence for the place, or for the nearest place around it that has one. */
function describeMust(key: Setting, inside: ValuePath): string {
  for (let length = inside.length; length > 0; length--) {
    const name = inside.slice(0, length).reduce<string>((from, word, i) => {
      if (typeof word === "number") return `${from}[]`;
      return `${from}.${i === 0 && freeWords[key] ? "*" : word}`;
    }, key);
    const must = parts[name];
    if (must) return must;
  }
  return settings[key].must;
}

/** One problem a place: the first is the most telling. */
function dropDuplicates(problems: readonly FileProblem[]): FileProblem[] {
  return problems.filter(
    (problem, i) => problems.findIndex((other) => spell(other.path) === spell(problem.path)) === i,
  );
}
