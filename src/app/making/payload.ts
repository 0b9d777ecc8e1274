// What a run of a workflow is started with: `trigger.payload`, made of the task, the project and what was given, and the
// task as the workflow itself tells it.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Program } from "../../core/model/program.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import { listInLists } from "../../core/permission/scope-intersection.ts";
import { isTooDeep, parseJson, tooDeep } from "../../core/text/json.ts";
import type { ProjectConfig } from "../config/project.ts";
import { isTable } from "../files/schema-keys.ts";
import { buildUsageError } from "../host/usage.ts";
import type { Task } from "../task/file.ts";
import type { Payload } from "../workflows/file.ts";

export interface TriggerParts {
  readonly config: BubbleConfig;
  readonly task: Task;
  readonly project: ProjectConfig;
  /** Test commands were given by flag. */
  readonly tests: boolean;
  /** What `--set` and `--payload` say; they win. */
  readonly given: Payload;
}

/** What `trigger.payload.…` means in this run. */
export function buildTriggerPayload(parts: TriggerParts): Payload {
  const { config, task, given } = parts;
  const constraints = renderScope(config.scope);
  return {
    task_id: config.id,
    slug: config.id,
    task_description: task.text,
    acceptance_criteria: task.criteria.map((criterion) => `- ${criterion}`).join("\n"),
    ...(constraints ? { constraints } : {}),
    ...buildGatePayload(parts),
    ...given,
  };
}

/** The project's own gates, where the workflow asks which ones to run; a project that says nothing leaves it to the workflow. */
function buildGatePayload({ project: { gates }, config, tests }: TriggerParts): Payload {
  if (gates?.preset !== undefined)
    return {
      gate_preset: gates.preset,
      ...(gates.overrides.length > 0 ? { gate_overrides: gates.overrides } : {}),
    };
  const hasOwn = gates !== undefined || tests || Object.keys(config.commands).length > 0;
  return hasOwn ? { gate_preset: "none" } : {};
}

function renderScope(scope: BubbleConfig["scope"]): string {
  const lines: [string, readonly string[]][] = [
    ...listInLists(scope).map((list): [string, readonly string[]] => ["In scope", list]),
    ["Out of scope", scope.out],
    ["Do not touch", scope.do_not_touch],
  ];
  return lines
    .flatMap(([title, globs]) => (globs.length > 0 ? `${title}: ${globs.join(", ")}` : []))
    .join("\n");
}

/** `--payload file.json`, then each `--set key=value`; a value that is JSON keeps its type. */
export function readPayload(file: string | undefined, sets: readonly string[], cwd: string): Payload {
  return {
    ...(file === undefined ? {} : readPayloadFile(file, cwd)),
    ...Object.fromEntries(sets.map(parseSetting)),
  };
}

function parseSetting(word: string): [string, unknown] {
  const at = word.indexOf("=");
  if (at < 1) throw buildUsageError("usage.bad-value", `--set ${word} is no key=value`, "--set slug=cart");
  const text = word.slice(at + 1);
  if (isTooDeep(text))
    throw buildUsageError("usage.bad-value", `--set ${word.slice(0, at)}: ${tooDeep}`, "--set slug=cart");
  return tryOr(() => [word.slice(0, at), parseJson(text)], [word.slice(0, at), text]);
}

function readPayloadFile(file: string, cwd: string): Payload {
  const bad = (what: string) =>
    buildUsageError(
      "workflow.bad-payload",
      `${file}: ${what}`,
      "a JSON object with the values of trigger.payload",
    );
  let read: unknown;
  try {
    read = parseJson(readFileSync(resolve(cwd, file), "utf8"));
  } catch (error) {
    throw bad((error as Error).message);
  }
  if (!isTable(read)) throw bad("it is no object");
  return read;
}

/** The task as the workflow itself tells it; undefined when one of its tasks says nothing, or it has none. */
export function describeProgramTasks({ name, tasks = [] }: Program): string | undefined {
  const own = tasks.filter((task) => !task.joins);
  if (own.length === 0 || own.some(({ title, text }) => !title && !text)) return undefined;
  const parts = own.map(({ key, title, text }) =>
    [`## ${title ?? key}`, ...(text ? [text.trim()] : [])].join("\n\n"),
  );
  return [`# ${name}`, ...parts, ""].join("\n\n");
}
