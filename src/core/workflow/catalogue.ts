// What conditions and references may speak about: every path with its type. It is fixed, apart from what the run was
// started with; whatever is not in here is an error when the workflow is loaded.
import type { Program, Step } from "../model/program.ts";
import { findNearestWord } from "../text/nearest.ts";

export type FactType = "boolean" | "number" | "string" | "list" | "any";
type Fields = Readonly<Record<string, FactType>>;

export interface Catalogue {
  /** What each step gives, by its name. */
  readonly steps: ReadonlyMap<string, Fields>;
}

/** The paths that every workflow has. */
export const fixedPaths: Fields = {
  "pair.challenger_approved": "boolean",
  "pair.iteration": "number",
  "pair.max_iterations": "number",
  "pair.switches": "number",
  "pair.current_role_driver": "string",
  "review.decision": "string",
  "review.iteration": "number",
  "review.confidence": "number",
  confidence_score: "number",
  "gates.passed": "boolean",
  "gates.failed": "number",
  "policy.passed": "boolean",
  "policy.tier": "string",
  "findings.open": "number",
  "findings.blocking": "number",
  "execution.iteration": "number",
  "task.key": "string",
  "task.iteration": "number",
  "task.subtask": "number",
  "human.decision": "string",
  "human.message": "string",
  "trigger.payload": "any",
  "run.attempt": "number",
  "producer.promised": "boolean",
};

/** Paths of one word: wherever they stand, they are no bare word. */
export const dotless: readonly string[] = Object.keys(fixedPaths).filter((path) => !path.includes("."));

/** The first words of all paths that are filled in while a workflow runs. */
export const roots: readonly string[] = [
  ...new Set([...Object.keys(fixedPaths).map((path) => path.split(".")[0] ?? path), "steps", "papers"]),
];

const turnFields: Readonly<Record<"handoff" | "findings" | "score" | "paper", Fields>> = {
  handoff: { result: "string", files_modified: "list", summary: "string", tree: "string" },
  findings: {
    verdict: "string",
    rejection_type: "string",
    feedback: "string",
    confidence: "number",
    patterns: "list",
    sop_review: "list",
    decision: "string",
    findings: "list",
    tree: "string",
  },
  score: { score: "number", feedback: "string" },
  paper: { paper: "any", tree: "string" },
};

const fieldsByKind: Readonly<Partial<Record<Step["kind"], Fields>>> = {
  gates: { passed: "boolean", feedback: "string", failed: "list" },
  context: { sops: "string", conventions: "string", sop_ids: "list" },
  validate: { valid: "boolean", reason: "string", details: "any" },
  question: { decision: "string", message: "string" },
  start: { workflow: "string", bubble: "string" },
  children: { completed: "list", failed: "list" },
  emit: { event: "string" },
  lock: { artifacts: "list" },
  plan: { slug: "string" },
  adopt: { commands: "list" },
  score: { score: "number", met: "boolean" },
};

/** Texts that are one of a few words; anything else is never said. */
const wordsOfPaths: Readonly<Record<string, readonly string[]>> = {
  "review.decision": ["GO", "NO_GO"],
  "policy.tier": ["T0", "T1", "T2"],
};
const wordsOfOutputs: Readonly<Record<string, readonly string[]>> = {
  verdict: ["approved", "rejected"],
  rejection_type: ["fixable", "misscoped", "architectural", "too_big", "unknown"],
};

/** What a step gives to later ones: `steps.<name>.output.<field>`. */
export function getOutputFields(step: Step): Fields {
  return step.kind === "turn" ? turnFields[step.answer] : (fieldsByKind[step.kind] ?? {});
}

export function buildCatalogue({ steps }: Pick<Program, "steps" | "tasks">): Catalogue {
  return { steps: new Map(steps.map((step) => [step.name, getOutputFields(step)])) };
}

/** The type of what stands at a path; undefined: there is no such path. */
export function getPathType(catalogue: Catalogue, path: string): FactType | undefined {
  if (Object.hasOwn(fixedPaths, path)) return fixedPaths[path];
  if (path.startsWith("trigger.payload.") || path.startsWith("papers.")) return "any";
  const [root, name = "", part, field, ...below] = path.split(".");
  const fields = root === "steps" ? catalogue.steps.get(name) : undefined;
  if (!fields || !part) return undefined;
  if (field === undefined) return getStepType(part);
  if (part !== "output" || !Object.hasOwn(fields, field)) return undefined;
  return findTypeBelow(fields[field], below);
}

function getStepType(part: string): FactType | undefined {
  if (part === "output") return "any";
  return part === "error" || part === "outcome" ? "string" : undefined;
}

function findTypeBelow(type: FactType | undefined, below: readonly string[]): FactType | undefined {
  if (below.length === 0 || type === "any") return type;
  return type === "list" && /^\d+$/.test(below[0] ?? "") ? "any" : undefined;
}

/** The words that can stand at a path, where they are few. */
export function listPathWords(catalogue: Catalogue, path: string): readonly string[] | undefined {
  if (getPathType(catalogue, path) !== "string") return undefined;
  const [root, , , field = ""] = path.split(".");
  const words = root === "steps" ? wordsOfOutputs : wordsOfPaths;
  const key = root === "steps" ? field : path;
  return Object.hasOwn(words, key) ? words[key] : undefined;
}

/** A clause to append to a message about an unknown path: the nearest known one, or what there is instead. */
export function suggestPath(catalogue: Catalogue, path: string): string {
  const [root, name = "", part, field = ""] = path.split(".");
  if (root !== "steps") return suggestNearest(path, Object.keys(fixedPaths), (known) => known);
  const fields = catalogue.steps.get(name);
  if (!fields) return describeNoStep(catalogue, path, name);
  const known = Object.keys(fields);
  if (part !== "output") return `; a step has output, error and outcome`;
  const hint = suggestNearest(field, known, (word) => `steps.${name}.output.${word}`);
  return (
    hint || (known.length > 0 ? `; step ${name} gives ${known.join(", ")}` : `; step ${name} gives nothing`)
  );
}

function describeNoStep({ steps }: Catalogue, path: string, name: string): string {
  const rest = path.slice("steps.".length + name.length);
  return (
    suggestNearest(name, [...steps.keys()], (word) => `steps.${word}${rest}`) || `; no step is called ${name}`
  );
}

/** Words longer than any name are not compared with all of them. */
const longest = 100;

function suggestNearest(word: string, known: readonly string[], whole: (word: string) => string): string {
  const best = word.length > longest ? undefined : findNearestWord(word, known);
  return best === undefined ? "" : `; did you mean ${whole(best)}?`;
}
