// The gates and the setup of a new bubble: what was said for it, what the project declares, what its files suggest and what
// its workflow would take by itself. Nothing is confirmed here.
import { buildDocumentGates } from "../../core/document/gates.ts";
import { checkDeclaredGates } from "../../core/gates/detect/declaration.ts";
import type { DetectedGates } from "../../core/gates/detect/proposal.ts";
import type { ProposedSetup } from "../../core/gates/detect/setup.ts";
import { DeclaredGates } from "../../core/gates/detect/yaml-gate.ts";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Profile } from "../../core/model/gate.ts";
import type { Program } from "../../core/model/program.ts";
import { omitUndefined } from "../../core/model/value/defined.ts";
import { check } from "../../core/model/value/validate.ts";
import { fillValue } from "../../core/workflow/template.ts";
import { detectProfile, detectSetup, resolveProfileOrThrow } from "../config/detect.ts";
import { loadBuiltInPresets } from "../config/presets.ts";
import { type ProjectConfig, projectFile } from "../config/project.ts";
import { isTable } from "../files/schema-keys.ts";
import { buildUsageError } from "../host/usage.ts";
import type { Payload, WorkflowDocument } from "../workflows/file.ts";
import type { AskedBubble, AskedGates } from "./wanted.ts";

export interface GateSources {
  readonly asked: AskedBubble;
  readonly config: BubbleConfig;
  readonly program: Program;
  readonly document: WorkflowDocument;
  /** What the run is started with. */
  readonly payload: Payload;
  readonly project: ProjectConfig;
  /** The files of the base commit. */
  readonly files: readonly string[];
  read(path: string): Promise<string | undefined>;
}

const hasGatesStep = ({ steps }: Program): boolean => steps.some(({ kind }) => kind === "gates");

/** A workflow without gates needs no test profile; a document has its own checks. */
export async function findProfile(sources: GateSources): Promise<Profile> {
  const { asked, config, program } = sources;
  if (!hasGatesStep(program)) return buildEmptyProfile(`${program.id} runs no gates`);
  const { tests = [], gates = {}, noTests, named } = asked.gates ?? {};
  const given = omitUndefined({
    commands: config.commands,
    tests,
    gates,
    noTests: noTests && requireReason(noTests),
  });
  if (config.document !== undefined)
    return applyDocumentProfile(config.document, resolveProfileOrThrow(given));
  const found = resolveProfileOrThrow({ detected: await detectGates(sources), ...given });
  return addNamedLater(program, useNamedTests(found, named));
}

const buildEmptyProfile = (not_available: string): Profile => ({
  gates: [],
  source: "none",
  confirmed: true,
  not_available,
});

/** The checks of a document are its tests; choosing the kind confirms them. */
function applyDocumentProfile(document: string, { gates }: Profile): Profile {
  return {
    gates: [...buildDocumentGates(document), ...gates],
    source: "the checks of a document",
    confirmed: true,
  };
}

function requireReason({ reason }: NonNullable<AskedGates["noTests"]>): string {
  if (reason?.trim()) return reason;
  throw buildUsageError(
    "usage.missing-flag",
    "--no-tests needs --reason",
    'add --reason "why there is nothing to run"',
  );
}

/** Where nothing was said and nothing found, what the task names; a person confirms it as if it had been found. */
function useNamedTests(found: Profile, named: AskedGates["named"]): Profile {
  if (!named || named.commands.length === 0 || found.gates.length > 0 || found.not_available) return found;
  return { ...resolveProfileOrThrow({ tests: named.commands }), source: named.where, confirmed: false };
}

/** Where papers name the tests there need be none yet: the human approves those of the user story before anything runs. */
function addNamedLater({ steps }: Program, profile: Profile): Profile {
  const isLater = profile.gates.length === 0 && steps.some(({ kind }) => kind === "adopt");
  if (!isLater || profile.not_available) return profile;
  return buildEmptyProfile("the user story and the plan name the test commands");
}

/** Only where files and project suggest nothing, what the workflow would take by itself. Each says where it comes from. */
async function detectGates(sources: GateSources): Promise<DetectedGates> {
  const { asked, files, read, payload, project, program } = sources;
  const own = findWorkflowGates(sources);
  if (own && payload.gate_preset !== undefined) {
    const from = asked.payload?.gate_preset === undefined ? projectFile : "--set gate_preset";
    return detectProfile(files, read, { gates: own, from });
  }
  if (project.gates) return detectProfile(files, read, { gates: project.gates, from: projectFile });
  const found = await detectProfile(files, read);
  if (found.gates.length > 0 || !own) return found;
  return detectProfile(files, read, { gates: own, from: `workflow ${program.id}` });
}

/**
 * The gates that the workflow's own gates step names, with what the project adds; undefined when it names none and the
 * project's own count.
 */
function findWorkflowGates({ document, payload, project }: GateSources): DeclaredGates | undefined {
  const { path, value } = document;
  const filled = fillValue(findGatesPayload(value), { trigger: { payload } });
  const { preset, overrides } = filled.value as Payload;
  if (!preset || preset === "none") return undefined;
  const additional = (project.gates?.additional ?? []).map((gate) => ({ ...gate }));
  const checked = check(DeclaredGates, { preset, overrides: overrides || [], additional });
  if (!checked.ok)
    throw refuseBadGates(
      path,
      checked.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`),
    );
  const problems = checkDeclaredGates(checked.value, loadBuiltInPresets()).map(({ message }) => message);
  if (problems.length > 0) throw refuseBadGates(path, problems);
  return checked.value;
}

/** What the step that runs the gates is called with. */
function findGatesPayload(source: unknown): Payload {
  const steps: unknown[] = isTable(source) && Array.isArray(source.steps) ? source.steps : [];
  for (const step of steps) {
    const action = isTable(step) && isTable(step.action) ? step.action : {};
    if (action.subject === "workflow.gate.structural" && isTable(action.payload)) return action.payload;
  }
  return {};
}

function refuseBadGates(path: string, problems: readonly string[]) {
  return buildUsageError(
    "workflow.bad-gates",
    `${path}: its gates mean nothing: ${problems[0]}`,
    "add --set gate_preset=go, or --set gate_preset=none for the project's own gates",
    problems.slice(1),
  );
}

export interface Setup {
  readonly config: BubbleConfig;
  readonly proposed?: ProposedSetup;
}

/** The settings with the setup command that the lockfiles suggest, where nobody has said anything and gates will run. */
export async function addSetup({ asked, config, program, files, read }: GateSources): Promise<Setup> {
  const { setup, ...without } = config;
  if (asked.noSetup) return { config: without };
  if (setup !== undefined || config.document !== undefined || !hasGatesStep(program)) return { config };
  const proposed = await detectSetup(files, read);
  return proposed ? { config: { ...config, setup: proposed.command }, proposed } : { config };
}
