// A standard operating procedure: a rule of the project that reviews must answer for. What its file says about itself
// is checked here; a mistake is reported and never removes the SOP.

import * as v from "valibot";
import { keepStart } from "../model/value/sizes.ts";
import { check } from "../model/value/validate.ts";
import { isObject } from "../schema/absent.ts";
import { checkGlob, getFileName } from "../text/glob.ts";
import { suggestWord } from "../text/nearest.ts";

export const SopSeverity = v.picklist(["error", "warning", "info"]);
export type SopSeverity = v.InferOutput<typeof SopSeverity>;

export const Sop = v.strictObject({
  /** source.doc.sops.<slug> */
  id: v.string(),
  file: v.string(),
  title: v.string(),
  severity: SopSeverity,
  /** Empty: it applies to every file. */
  applies_to: v.array(v.string()),
  /** Checkpoints that are told whatever else is. */
  requirements: v.array(v.string()),
  body: v.string(),
});
export type Sop = v.InferOutput<typeof Sop>;

export interface SettingProblem {
  readonly path: readonly (string | number)[];
  readonly part: "key" | "value";
  readonly message: string;
}

export type ReadSop =
  | { readonly kind: "sop"; readonly sop: Sop }
  /** A document of another category that lives beside the SOPs. */
  | { readonly kind: "other"; readonly category: string }
  | { readonly kind: "wrong"; readonly problems: readonly SettingProblem[] };

const defineSentence = (what: string, max: number) =>
  v.pipe(
    v.string(what),
    v.trim(),
    v.minLength(1, what),
    v.maxLength(max, `must have at most ${max} characters`),
  );
const severities = "must be error, warning or info";
const pattern = "must be a pattern such as src/**/*.ts, or a list of patterns";

/** The settings of an SOP file, in the file's own words. */
export const SopSettings = v.strictObject(
  {
    title: v.optional(defineSentence("must be a line of text", 300)),
    category: v.optional(defineSentence("must be a word such as sop", 100)),
    severity: v.optional(v.picklist(SopSeverity.options, severities), "error"),
    applies_to: v.optional(v.pipe(v.array(v.string(pattern), pattern), v.minLength(1, pattern))),
    requirements: v.optional(
      v.array(defineSentence("must be a sentence", 2000), "must be a list of sentences"),
      [],
    ),
  },
  "must be a table of settings",
);

interface SopFile {
  readonly file: string;
  /** What stands between the lines of ---; null or undefined when nothing does. */
  readonly settings: unknown;
  readonly body: string;
}

/** The SOP a file spells, the category of a file that is none, or all that is wrong with it. */
export function parseSopFile({ file, settings, body }: SopFile): ReadSop {
  const given = settings ?? {};
  if (!isObject(given))
    return {
      kind: "wrong",
      problems: [{ path: [], part: "value", message: "the settings must be lines of the form key: value" }],
    };
  const category = findCategory(given.category);
  if (category) return { kind: "other", category };
  const listed = typeof given.applies_to === "string" ? { ...given, applies_to: [given.applies_to] } : given;
  const checked = check(SopSettings, pickKnownKeys(listed));
  const problems = [
    ...findUnknownSopKeys(given),
    ...findNearlySop(given.category),
    ...(checked.ok ? (checked.value.applies_to ?? []).flatMap(checkPattern) : checked.issues.map(toProblem)),
  ];
  if (!checked.ok || problems.length > 0) return { kind: "wrong", problems };
  const { severity, applies_to = [], requirements } = checked.value;
  const title = checked.value.title ?? findTitleIn(body) ?? slugifyFileName(file);
  return {
    kind: "sop",
    sop: { id: buildSopId(file), file, title, severity, applies_to, requirements, body },
  };
}

/** The name in an id: the file's own, without folders and ending. Empty when no letter or digit is left. */
export function slugifyFileName(file: string): string {
  return getFileName(file)
    .replace(/\.md$/i, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}

export const buildSopId = (file: string): string => `source.doc.sops.${slugifyFileName(file)}`;

const isSop = (word: unknown): boolean => word === undefined || word === "sop";
/** Somebody meant an SOP: to take it for another category would drop it. */
const looksLikeSop = (word: unknown): boolean =>
  typeof word === "string" && /^\W*s\W?o\W?p\W?s?\W*$/i.test(word);

function findCategory(word: unknown): string | undefined {
  return typeof word === "string" && word.trim() !== "" && !isSop(word) && !looksLikeSop(word)
    ? word.trim()
    : undefined;
}

function findNearlySop(word: unknown): SettingProblem[] {
  if (isSop(word) || !looksLikeSop(word)) return [];
  return [
    { path: ["category"], part: "value", message: `category is ${JSON.stringify(word)}; did you mean sop?` },
  ];
}

const keys = Object.keys(SopSettings.entries);

function findUnknownSopKeys(given: object): SettingProblem[] {
  return Object.keys(given)
    .filter((key) => !keys.includes(key))
    .map((key) => ({
      path: [key],
      part: "key",
      message: `there is no setting ${keepStart(key, 60)}${suggestWord(key, keys)}`,
    }));
}

function pickKnownKeys(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(given, key)).map((key) => [key, given[key]]));
}

function toProblem({
  path,
  message,
}: {
  path: readonly (string | number)[];
  message: string;
}): SettingProblem {
  const [key = "", index] = path;
  const place = typeof index === "number" && key === "requirements" ? `${key}[${index}]` : key;
  return { path, part: "value", message: `${place} ${message}` };
}

function checkPattern(glob: string, index: number): SettingProblem[] {
  const problem = checkGlob(glob);
  return problem
    ? [
        {
          path: ["applies_to", index],
          part: "value",
          message: `applies_to: ${JSON.stringify(glob)} ${problem}`,
        },
      ]
    : [];
}

/** The first heading; a line is cut before it is looked at, however long somebody made it. */
function findTitleIn(body: string): string | undefined {
  const line = /^ {0,3}#{1,6}[ \t]+(\S.*)$/m.exec(body)?.[1];
  return (
    line &&
    keepStart(line, 300)
      .replace(/[ \t]#+[ \t]*$/, "")
      .trim()
  );
}
