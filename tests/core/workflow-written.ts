// Workflows as documents for tests: loaded, or refused with what is wrong.
import { parse } from "yaml";
import type { Program, Route } from "../../src/core/model/program.ts";
import { loadWorkflow } from "../../src/core/workflow/load.ts";
import type { WorkflowProblem } from "../../src/core/workflow/problem.ts";
import { configOf } from "./pair.ts";

type Config = Parameters<typeof configOf>[0];

/** The program of a document (YAML or values) that has to load. */
export function loaded(
  document: unknown,
  name?: string,
  config?: Config,
): { program: Program; warnings: readonly WorkflowProblem[] } {
  const result = loadWorkflow(documentOf(document), configOf(config), {}, name);
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 2));
  return result;
}

/** What is wrong with a document, one line each; nothing when it loads. */
export function problemsIn(document: unknown, config?: Config): string[] {
  const result = loadWorkflow(documentOf(document), configOf(config));
  return result.ok ? [] : result.problems.map(line);
}

export const warningsIn = (document: unknown, config?: Config): string[] =>
  loaded(document, undefined, config).warnings.map(line);

const documentOf = (document: unknown): unknown =>
  typeof document === "string" ? parse(document) : document;

const line = ({ path, message, hint }: WorkflowProblem): string =>
  `${path.join(".")}: ${message}${hint ? ` (${hint})` : ""}`;

const arrow = ([outcome, { to, round, roles }]: [string, Route]) =>
  `${outcome}→${to}${round === "next" ? "+" : ""}${roles === "swap" ? "swap" : ""}`;

/** Every step with its routes on one line; `+` begins a round. */
export function routesOf({ steps }: Program): Record<string, string> {
  return Object.fromEntries(steps.map(({ name, on }) => [name, Object.entries(on).map(arrow).join(" ")]));
}
