// The two files that semspec keeps its checks and standards in (`checklist.json`, `standards.json`), as gates and SOPs. Files of
// other tools hold anything, so every part is taken only where it has the expected form.

type Fields = Readonly<Record<string, unknown>>;

/** One check: a gate in the form of `gates.additional`, or the command line of a setup, which is no gate. */
export interface SemspecCheck {
  readonly name: string;
  readonly setup?: string;
  readonly gate?: Fields;
}

/** One standard as the file of an SOP. */
export interface SemspecStandard {
  readonly id: string;
  readonly title: string;
  readonly severity: "error" | "warning" | "info";
  readonly appliesTo: readonly string[];
  readonly text: string;
}

/** The checks in their order; undefined where the value is no checklist. */
export function listChecks(checklist: unknown): SemspecCheck[] | undefined {
  const { checks } = toFields(checklist);
  return Array.isArray(checks) ? checks.flatMap(toCheck) : undefined;
}

/** The standards in their order; undefined where the value has none in the documented form. */
export function listStandards(standards: unknown): SemspecStandard[] | undefined {
  const { items } = toFields(standards);
  return Array.isArray(items) ? items.flatMap(toStandard) : undefined;
}

function toCheck(given: unknown): SemspecCheck[] {
  const { name, command, category, ...rest } = toFields(given);
  if (typeof name !== "string" || typeof command !== "string") return [];
  if (category === "setup") return [{ name, setup: prefixFolder(command, rest.working_dir) }];
  const { trigger, required, timeout, working_dir: folder } = rest;
  return [
    {
      name,
      gate: {
        ...{ name, command, required: required !== false },
        ...(isTextList(trigger) && trigger.length > 0 ? { trigger } : {}),
        ...(typeof timeout === "string" && timeout !== "" ? { timeout } : {}),
        ...(isFolderInside(folder) ? { working_dir: folder } : {}),
      },
    },
  ];
}

const prefixFolder = (command: string, folder: unknown) =>
  isFolderInside(folder) ? `cd ${folder} && ${command}` : command;
const isFolderInside = (folder: unknown): folder is string =>
  typeof folder === "string" && folder !== "" && folder !== ".";

/** How hard a standard binds, and what that means for an approval. */
const severities = { must: "error", should: "warning", may: "info" } as const;

function toStandard(given: unknown): SemspecStandard[] {
  const { id, text, severity, category, applies_to } = toFields(given);
  const known = severities[severity as keyof typeof severities];
  if (typeof id !== "string" || !/^[\w-]+$/.test(id) || typeof text !== "string" || !known) return [];
  const title = typeof category === "string" && category !== "" ? `${category}: ${id}` : id;
  return [{ id, title, severity: known, appliesTo: isTextList(applies_to) ? applies_to : [], text }];
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");
const toFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
