// What a run of a workflow is started with: who plays its roles, its trigger payload, its gates, its task.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { declaredProblems } from "../../core/gates/declared.ts";
import type { Detected } from "../../core/gates/detection.ts";
import { DeclaredGates } from "../../core/gates/written.ts";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Program } from "../../core/model/program.ts";
import { check } from "../../core/model/validate.ts";
import { inLists } from "../../core/permission/narrow.ts";
import { isTooDeep, parseJson, tooDeep } from "../../core/text/json.ts";
import { agentInChain, agentOfRole, boundAgent, neededRoles } from "../../core/workflow/source/agents.ts";
import { fillValue } from "../../core/workflow/template.ts";
import { detectProfile } from "../config/detect.ts";
import { builtInPresets } from "../config/presets.ts";
import { type ProjectConfig, projectFile } from "../config/project.ts";
import { withUsualRoles } from "../config/usual-agents.ts";
import { isTable } from "../files/schema-keys.ts";
import { readYaml } from "../files/yaml.ts";
import { usageError } from "../host/usage.ts";
import type { Task } from "../task/file.ts";
import { loadWorkflowFile } from "./file.ts";
import { longestWorkflow } from "./places.ts";

export type Payload = Readonly<Record<string, unknown>>;
type Agents = Readonly<Record<string, string>>;

/** The agents that a program needs, by its own names; throws when nobody is bound to one. */
export function agentsFor(program: Program, config: Pick<BubbleConfig, "agent" | "agents">): Agents {
  const roles = neededRoles(program);
  const found = [
    ...namesIn(program).map((name) => [name, agentNamed(name, program, config)] as const),
    ...roles.map((role) => [role, agentOfRole(role, config)] as const),
  ];
  const loose = found.filter(([, agent]) => agent === undefined).map(([name]) => name);
  if (loose.length > 0) throw unbound([...new Set(loose)]);
  return Object.fromEntries(found.map(([name, agent = ""]) => [name, agent]));
}

function agentNamed(name: string, { phases }: Program, config: Pick<BubbleConfig, "agent" | "agents">) {
  return phases ? agentInChain(name, config) : boundAgent(name, config);
}

/**
 * The agents of a bubble that runs this program: exactly those of its workflow, so that none must be ready that is never
 * asked.
 */
export function bubbleAgents(program: Program, config: BubbleConfig): Agents {
  const roles = neededRoles(program);
  const suffice = roles.every((role) => Object.hasOwn(config.agents, role));
  if (!program.tasks && suffice && !program.phases)
    return Object.fromEntries(roles.map((role) => [role, config.agents[role] ?? ""]));
  return withHandedOn(
    program,
    config,
    agentsFor(program, { ...config, agents: withUsualRoles(config.agents, config.agent) }),
  );
}

/**
 * A workflow that others continue with keeps the agents that were named for them, and those its children will need. The pair's
 * own two are there without being named: they stay only where somebody needs them; a reviewer also where somebody has said
 * how it is run.
 */
export function withHandedOn(program: Program, config: BubbleConfig, own: Agents): Record<string, string> {
  const goesOn = program.steps.some(({ kind }) => kind === "start" || kind === "children");
  if (!goesOn) return { ...own };
  const named = Object.entries(config.agents).filter(
    ([role, agent]) => role !== "implementer" && (role !== "reviewer" || Object.hasOwn(config.agent, agent)),
  );
  const children = program.steps.flatMap((step) =>
    step.kind === "children" && step.workflow !== undefined ? [step.workflow] : [],
  );
  const agents = withUsualRoles(config.agents, config.agent);
  const theirs = children.map((name) => {
    const { program: child } = loadWorkflowFile(name, { ...config, agents });
    return agentsFor(child, { ...config, agents });
  });
  return { ...Object.assign({}, ...theirs), ...Object.fromEntries(named), ...own };
}

/** Every agent that the tasks of a program name, and the critics of its phases as the workflow calls them. */
export function namesIn(program: Program): string[] {
  const tasks = (program.tasks ?? []).flatMap(({ roles, loop, confidence }) => [
    ...Object.values(roles),
    ...(loop.chain ?? []),
    ...(confidence?.judge ? [confidence.judge] : []),
  ]);
  // The chain of a phase holds agents already: one of them may be called like a role.
  const phases = (program.phases ?? []).flatMap(({ loop }) => loop.chain_names ?? loop.chain ?? []);
  return [...new Set([...tasks, ...phases])];
}

function unbound(names: readonly string[]) {
  return usageError(
    "workflow.unbound-agent",
    `no agent is configured for ${names.join(", ")}`,
    `add ${names.map((name) => `--agent ${name}=<agent>`).join(" ")}, or say it under defaults.agents in ${projectFile}`,
  );
}

/** `--agent role=agent`, as often as it was given. */
export function boundByFlags(flags: readonly string[]): Agents {
  return Object.fromEntries(
    flags.map((word) => {
      const at = word.indexOf("=");
      if (at > 0 && at < word.length - 1) return [word.slice(0, at), word.slice(at + 1)];
      throw usageError(
        "usage.bad-value",
        `--agent ${word} names no role and agent`,
        "--agent developer=codex",
      );
    }),
  );
}

export interface TriggerParts {
  readonly config: BubbleConfig;
  readonly program: Program;
  readonly task: Task;
  readonly project: ProjectConfig;
  /** Test commands were given by flag. */
  readonly tests: boolean;
  /** What `--set` and `--payload` say; they win. */
  readonly given: Payload;
}

/** What `trigger.payload.…` means in this run. */
export function triggerPayload(parts: TriggerParts): Payload {
  const { config, task, given } = parts;
  const constraints = constraintsOf(config.scope);
  return {
    task_id: config.id,
    slug: config.id,
    task_description: task.text,
    acceptance_criteria: task.criteria.map((criterion) => `- ${criterion}`).join("\n"),
    ...(constraints ? { constraints } : {}),
    ...gatePayload(parts),
    ...given,
  };
}

/** The project's own gates, where the workflow asks which ones to run; a project that says nothing leaves it to the workflow. */
function gatePayload({ project: { gates }, config, tests }: TriggerParts): Payload {
  if (gates?.preset !== undefined)
    return {
      gate_preset: gates.preset,
      ...(gates.overrides.length > 0 ? { gate_overrides: gates.overrides } : {}),
    };
  const hasOwn = gates !== undefined || tests || Object.keys(config.commands).length > 0;
  return hasOwn ? { gate_preset: "none" } : {};
}

function constraintsOf(scope: BubbleConfig["scope"]): string {
  const lines: [string, readonly string[]][] = [
    ...inLists(scope).map((list): [string, readonly string[]] => ["In scope", list]),
    ["Out of scope", scope.out],
    ["Do not touch", scope.do_not_touch],
  ];
  return lines
    .flatMap(([title, globs]) => (globs.length > 0 ? `${title}: ${globs.join(", ")}` : []))
    .join("\n");
}

interface RunGates {
  readonly workflow: { readonly source: string; readonly path: string; readonly program: Program };
  readonly payload: Payload;
  readonly project: ProjectConfig;
  /** The preset was named for this very run. */
  readonly given: boolean;
}

/**
 * The gates of a run: what was said for it, what the project declares, what its files suggest and, only where they suggest
 * nothing, what the workflow would take by itself. Each says where it comes from.
 */
export async function detectForRun(
  files: readonly string[],
  read: (path: string) => Promise<string | undefined>,
  { workflow, payload, project, given }: RunGates,
): Promise<Detected> {
  const asked = workflowGates(workflow, payload, project);
  const isSaid = asked !== undefined && payload.gate_preset !== undefined;
  if (isSaid)
    return detectProfile(files, read, { gates: asked, from: given ? "--set gate_preset" : projectFile });
  if (project.gates) return detectProfile(files, read, { gates: project.gates, from: projectFile });
  const found = await detectProfile(files, read);
  if (found.gates.length > 0 || !asked) return found;
  return detectProfile(files, read, { gates: asked, from: `workflow ${workflow.program.id}` });
}

/**
 * The gates that the workflow's own gates step names, with what the project adds; undefined when it names none and the
 * project's own count.
 */
function workflowGates(
  { source, path }: { readonly source: string; readonly path: string },
  payload: Payload,
  project: ProjectConfig,
): DeclaredGates | undefined {
  const { value } = readYaml(source, path, "workflow.syntax", longestWorkflow);
  const filled = fillValue(gatesPayload(value), { trigger: { payload } });
  const { preset, overrides } = filled.value as Payload;
  if (!preset || preset === "none") return undefined;
  const additional = (project.gates?.additional ?? []).map((gate) => ({ ...gate }));
  const checked = check(DeclaredGates, { preset, overrides: overrides || [], additional });
  if (!checked.ok)
    throw badGates(
      path,
      checked.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`),
    );
  const problems = declaredProblems(checked.value, builtInPresets()).map(({ message }) => message);
  if (problems.length > 0) throw badGates(path, problems);
  return checked.value;
}

/** What the step that runs the gates is called with. */
function gatesPayload(source: unknown): Payload {
  const steps: unknown[] = isTable(source) && Array.isArray(source.steps) ? source.steps : [];
  for (const step of steps) {
    const action = isTable(step) && isTable(step.action) ? step.action : {};
    if (action.subject === "workflow.gate.structural" && isTable(action.payload)) return action.payload;
  }
  return {};
}

function badGates(path: string, problems: readonly string[]) {
  return usageError(
    "workflow.bad-gates",
    `${path}: its gates mean nothing: ${problems[0]}`,
    "add --set gate_preset=go, or --set gate_preset=none for the project's own gates",
    problems.slice(1),
  );
}

/** `--payload file.json`, then each `--set key=value`; a value that is JSON keeps its type. */
export function givenPayload(file: string | undefined, sets: readonly string[], cwd: string): Payload {
  return { ...(file === undefined ? {} : payloadFile(file, cwd)), ...Object.fromEntries(sets.map(setting)) };
}

function setting(word: string): [string, unknown] {
  const at = word.indexOf("=");
  if (at < 1) throw usageError("usage.bad-value", `--set ${word} is no key=value`, "--set slug=cart");
  const text = word.slice(at + 1);
  if (isTooDeep(text))
    throw usageError("usage.bad-value", `--set ${word.slice(0, at)}: ${tooDeep}`, "--set slug=cart");
  try {
    return [word.slice(0, at), parseJson(text)];
  } catch {
    return [word.slice(0, at), text];
  }
}

function payloadFile(file: string, cwd: string): Payload {
  const bad = (what: string) =>
    usageError(
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
export function taskTextOf({ name, tasks = [] }: Program): string | undefined {
  const own = tasks.filter((task) => !task.joins);
  if (own.length === 0 || own.some(({ title, text }) => !title && !text)) return undefined;
  const parts = own.map(({ key, title, text }) =>
    [`## ${title ?? key}`, ...(text ? [text.trim()] : [])].join("\n\n"),
  );
  return [`# ${name}`, ...parts, ""].join("\n\n");
}
