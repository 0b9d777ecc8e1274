// What a person says about a plan on the command line: a file, the parts as flags, or their editor.

import { readPlanMarkdown } from "../../app/files/plan.ts";
import { buildUsageError } from "../../app/host/usage.ts";
import { writeInEditor } from "../../app/plans/editor.ts";
import { readGiven } from "../../app/plans/tasks.ts";
import type { PlanDocument } from "../../core/plan/document.ts";
import { suggestWord } from "../../core/text/nearest.ts";
import type { Shell } from "../verb/declaration.ts";

export const contentFlags = {
  file: { kind: "text", value: "<plan.md>", about: "the whole plan as Markdown, by the template" },
  situation: { kind: "text", value: '"…"', about: "what exists now" },
  mission: { kind: "text", value: '"…"', about: "what we are doing and why; success criteria as a list" },
  execution: { kind: "text", value: '"1. …"', about: "approach; numbered lines become tasks" },
  coordination: { kind: "text", value: '"…"', about: "dependencies, sequencing" },
  in: { kind: "list", value: "<path-or-words>", about: "constraint: in scope" },
  out: { kind: "list", value: "<path-or-words>", about: "constraint: out of scope" },
  "do-not-touch": { kind: "list", value: "<path-or-words>", about: "constraint: must not be changed" },
} as const;

interface Content {
  readonly file?: string;
  readonly situation?: string;
  readonly mission?: string;
  readonly execution?: string;
  readonly coordination?: string;
  readonly in: readonly string[];
  readonly out: readonly string[];
  readonly "do-not-touch": readonly string[];
}

/** The document that flags make of another one; undefined when none was given. A title on the line wins. */
export function readDocumentFlags(
  flags: Content,
  start: PlanDocument,
  title: string | undefined,
  cwd: string,
): PlanDocument | undefined {
  const { file, situation, mission, execution, coordination } = flags;
  const lists = [flags.in, flags.out, flags["do-not-touch"]];
  const hasParts = [situation, mission, execution, coordination].some((part) => part !== undefined);
  const hasLists = lists.some((list) => list.length > 0);
  if (file === undefined && !hasParts && !hasLists) return undefined;
  const base = file === undefined ? start : readPlanMarkdown(readGiven(file, cwd), file);
  const kept = base.constraints;
  return {
    title: title ?? base.title,
    situation: situation ?? base.situation,
    mission: mission ?? base.mission,
    execution: execution ?? base.execution,
    constraints: {
      in: flags.in.length > 0 ? [...flags.in] : kept.in,
      out: flags.out.length > 0 ? [...flags.out] : kept.out,
      do_not_touch: flags["do-not-touch"].length > 0 ? [...flags["do-not-touch"]] : kept.do_not_touch,
    },
    coordination: coordination ?? base.coordination,
  };
}

/** What was said by flags, or what a person writes now; refused where neither can be. */
export async function requireDocument(
  shell: Shell,
  flags: Content,
  start: PlanDocument,
  title: string | undefined,
): Promise<PlanDocument> {
  const said = readDocumentFlags(flags, start, title, shell.cwd);
  if (said) return said;
  if (shell.interactive && !shell.json) return writeInEditor(start, shell.env);
  throw buildUsageError(
    "plan.no-content",
    "a plan needs content, and nobody is here to write it in an editor",
    `pairflow plan ${quoteForPaste(start.title || "Add discounts")} --mission "…" --execution "1. …"`,
    ["or the whole plan as a file: --file plan.md"],
  );
}

const texts = ["title", "situation", "mission", "execution", "coordination"] as const;
const lists = ["in", "out", "do_not_touch"] as const;

/** `mission=…` applied to a document. A list takes all the entries that are given for it, and loses what it had. */
export function applySettings(document: PlanDocument, settings: readonly string[]): PlanDocument {
  let changed = document;
  const begun = new Set<string>();
  for (const setting of settings) {
    const [name = "", ...rest] = setting.split("=");
    const value = rest.join("=");
    const text = texts.find((one) => one === name);
    const list = lists.find((one) => one === name.replaceAll("-", "_"));
    if (rest.length === 0 || (!text && !list)) throw refuseBadSetting(setting, name);
    if (text) changed = { ...changed, [text]: value };
    if (list) {
      const before = begun.has(list) ? changed.constraints[list] : [];
      begun.add(list);
      changed = { ...changed, constraints: { ...changed.constraints, [list]: [...before, value] } };
    }
  }
  return changed;
}

function refuseBadSetting(setting: string, name: string) {
  const known = [...texts, ...lists];
  const isKnown = known.some((one) => one === name.replaceAll("-", "_"));
  return buildUsageError(
    "plan.bad-setting",
    `--set ${setting}: it is written <part>=<text>${isKnown ? "" : suggestWord(name, known)}`,
    '--set mission="what we are doing and why"',
  );
}

/** Words of a person as one word of a shell line that can be pasted. */
export const quoteForPaste = (text: string): string =>
  /["$`\\!\n]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;

/** The one word a verb takes; further ones are a forgotten pair of quotes. */
export function requireOneWord(verb: string, words: readonly string[], example: string): string | undefined {
  if (words.length > 1)
    throw buildUsageError(
      "usage.extra-word",
      `${verb} takes one word or one text in quotes, not also ${JSON.stringify(words[1])}`,
      example,
    );
  return words[0];
}

/** The slug a verb is about, which it cannot do without. */
export function requireSlug(verb: string, words: readonly string[]): string {
  const slug = requireOneWord(verb, words, `pairflow ${verb} <slug>`);
  if (slug === undefined)
    throw buildUsageError("plan.no-slug", `${verb} needs the name of a plan`, "pairflow plan list");
  return slug;
}
