// `gates:` in .pairflow/config.yaml: read strictly, every problem with its place and the nearest word.
import { checkDeclaredGates } from "../../core/gates/detect/declaration.ts";
import { DeclaredGates } from "../../core/gates/detect/yaml-gate.ts";
import { check } from "../../core/model/value/validate.ts";
import { suggestWord } from "../../core/text/nearest.ts";
import { type FileProblem, show, spell, type ValuePath } from "../files/problems.ts";
import { findUnknownKeys, isTable } from "../files/schema-keys.ts";
import { loadBuiltInPresets } from "./presets.ts";

const at: ValuePath = ["gates"];

/** What each part must be; a part of a list's item goes by its own name. */
const musts: Readonly<Record<string, string>> = {
  gates: "be a table with preset, overrides and additional",
  preset: "be the name of a preset such as go, or a list of names",
  overrides: "be a list of gates to change, each with a name",
  additional: "be a list of gates, each with a name and a command",
  gate: "be a table with the fields of a gate",
  name: "be the short name of a gate: letters, digits, -, _ and :, at most 40",
  command: "be a command line of at most 4000 characters",
  required: "be true or false",
  threshold: "be a percentage from 0 to 100",
  timeout: 'be seconds such as 90, or a time such as "90s" or "5m", at most a day',
  success_pattern: "be a regular expression of at most 200 characters",
  failure_pattern: "be a regular expression of at most 200 characters",
  trigger: "be a glob such as src/**, or a list of globs",
  working_dir: "be a folder inside the repository",
  parallel: "be true or false",
  isolated: "be true or false",
  allow_empty: "be true or false",
  needs: "be a list of labels such as docker: small letters, digits and -, and not has-…",
  network: "be on or off",
  report: "be a file inside the repository",
  install: "be a sentence that says how to get the tool",
};

/** The gates a project declares; undefined when it declares none. Call it for a value without problems. */
export function parseDeclaredGates(value: unknown): DeclaredGates | undefined {
  const checked = check(DeclaredGates, dropNulls(value));
  return value === null || value === undefined || !checked.ok ? undefined : checked.value;
}

/** Every problem of the value under `gates:`. */
export function checkGatesValue(value: unknown): FileProblem[] {
  if (value === null || value === undefined) return [];
  if (!isTable(value)) return [reportWrong([], value)];
  const given = dropNulls(value);
  const lists = findMisplacedGateLists(given);
  if (lists.length > 0) return lists.map((path) => reportWrong(path, getValue(given, path)));
  const checked = check(DeclaredGates, given);
  if (checked.ok) return listProblems(checked.value);
  const strangers = findUnknownKeys(DeclaredGates, given);
  const others = checked.issues.filter((issue) => issue.unknownKey === undefined);
  return dropDuplicates([
    ...strangers.map(({ path, key, known }) => ({
      code: "config.unknown-key",
      message: `there is no key ${spell([...at, ...path])}${suggestWord(key, known)}`,
      path: [...at, ...path],
      part: "key" as const,
    })),
    ...others.map(({ path }) => reportWrong(path, getValue(given, path))),
  ]);
}

/** A key with nothing behind it says nothing. */
function dropNulls(value: unknown): unknown {
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, inside]) => inside !== null));
}

/** Where a gate is wanted and a list stands, which the checker takes for a table. */
function findMisplacedGateLists(value: unknown): ValuePath[] {
  return ["overrides", "additional"].flatMap((key) => {
    const list = getValue(value, [key]);
    return Array.isArray(list) ? list.flatMap((item, i) => (Array.isArray(item) ? [[key, i]] : [])) : [];
  });
}

function listProblems(declared: DeclaredGates): FileProblem[] {
  const names = listMeaningless(declared);
  return names.length > 0 ? names : checkNothingDeclared(declared);
}

function checkNothingDeclared({ preset, additional }: DeclaredGates): FileProblem[] {
  if (preset !== undefined || additional.length > 0) return [];
  const message = "gates names neither a preset nor an additional gate";
  return [{ code: "config.bad-value", message, path: at, part: "key" }];
}

function listMeaningless(declared: DeclaredGates): FileProblem[] {
  return checkDeclaredGates(declared, loadBuiltInPresets()).map(({ code, path, message }) => ({
    code,
    message,
    path: [...at, ...path],
    part: "value",
  }));
}

function getValue(value: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>(
    (from, word) => (from as Record<string | number, unknown> | null | undefined)?.[word],
    value,
  );
}

function reportWrong(path: ValuePath, value: unknown): FileProblem {
  const whole = [...at, ...path];
  const must = describeMust(path);
  return value === undefined
    ? {
        code: "config.missing-key",
        message: `${spell(whole)} is missing; it must ${must}`,
        path: whole,
        part: "key",
      }
    : {
        code: "config.bad-value",
        message: `${spell(whole)} must ${must}, not ${show(value)}`,
        path: whole,
        part: "value",
      };
}

function describeMust(path: ValuePath): string {
  const words = path.filter((word) => typeof word === "string");
  const isItem = typeof path.at(-1) === "number" && ["overrides", "additional"].includes(words.at(-1) ?? "");
  return musts[isItem ? "gate" : (words.at(-1) ?? "gates")] ?? "be something else";
}

/** One problem a place: the first is the most telling. */
function dropDuplicates(problems: readonly FileProblem[]): FileProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ path }) => {
    const place = spell(path);
    if (seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}
