// Making a bubble from a command line: what it will run on is resolved from the base commit, checked, confirmed and
// pinned. `bubble create` and `workflow run` stand on it.

import { agentsRefused } from "../../app/agents/ready.ts";
import { completeConfig } from "../../app/config/bubble-file.ts";
import { type detectProfile, detectSetup, profileFrom } from "../../app/config/detect.ts";
import {
  mergeDefaults,
  type ProjectConfig,
  projectFile,
  readProjectConfig,
} from "../../app/config/project.ts";
import { checkId, repoOf } from "../../app/host/locate.ts";
import { readKnowledge } from "../../app/knowledge/pinned.ts";
import { checkBranch, checkKind, create, freeName, type NewBubble, taken } from "../../app/making/create.ts";
import {
  type DocumentToImplement,
  documentCriteria,
  documentToImplement,
} from "../../app/making/implemented-document.ts";
import { notesAbout } from "../../app/making/repository-notes.ts";
import { readTask, type Task } from "../../app/task/file.ts";
import type { WorkflowFile } from "../../app/workflows/file.ts";
import { workflowFor } from "../../app/workflows/find.ts";
import {
  bubbleAgents,
  detectForRun,
  type Payload,
  taskTextOf,
  triggerPayload,
} from "../../app/workflows/run.ts";
import { worldOf } from "../../app/world/world.ts";
import type { ProposedSetup } from "../../core/gates/setup.ts";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Profile } from "../../core/model/gate.ts";
import type { Program } from "../../core/model/program.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { TrustedProgram } from "../../core/trust/program.ts";
import { programsOf } from "../../core/trust/programs.ts";
import { budgetHint, budgetText } from "../../core/views/usage.ts";
import type { World } from "../../engine/world/world.ts";
import { screenWidth, wrap } from "../terminal/style.ts";
import { usage } from "../verb/outcome.ts";
import type { Shell } from "../verb/verb.ts";
import { confirmContent } from "./confirm-content.ts";
import { documentProfile } from "./confirm-profile.ts";
import { gatesByFlags, type NewBubbleFlags, settingsOf } from "./flags.ts";

export interface Wanted {
  /** Absent: made from the workflow's name. */
  readonly id?: string;
  /** A workflow by name, or a file; absent: as the settings say. */
  readonly workflow?: string;
  /** A file or the words themselves; absent: what the workflow says about its tasks. */
  readonly task?: string;
  /** What the workflow is started with, beside what every run knows. */
  readonly payload?: Payload;
  /** Gates that a human has confirmed already. */
  readonly profile?: Profile;
  /** Further settings, in bubble.toml's own words. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** It is started at once: agents that cannot be are refused before there is a bubble that is bound to them. */
  readonly startsNow?: boolean;
  /** Where its turns will sit then. */
  readonly seat?: string;
  /** Test commands that its task names, for a project where none is found. */
  readonly namedTests?: NamedTests;
  /** Files it begins with, instead of those of the base that they were made on. */
  readonly work?: { readonly commit: string; readonly baseCommit: string };
  /** The run that ended and continues here, with what nobody has answered there. */
  readonly continues?: NewBubble["continues"];
}

interface NamedTests {
  readonly commands: readonly string[];
  /** Where they are named. */
  readonly where: string;
}

export interface Made {
  readonly world: World;
  readonly repo: string;
  readonly base: string;
  readonly baseCommit: string;
  readonly config: BubbleConfig;
  readonly profile: Profile;
  readonly task: Task;
  readonly program: Program;
  /** What of the repository itself works differently in a bubble: its commit hooks, its submodules. */
  readonly repositoryNotes: readonly string[];
  /** The approved document that it implements. */
  readonly document?: DocumentToImplement | undefined;
  readonly refusal?: undefined;
}

/** Files and open findings of a run that ended and continues here. */
const takenOver = ({ work, continues }: Wanted): Pick<NewBubble, "work" | "continues"> => ({
  ...(work ? { work: work.commit } : {}),
  ...(continues ? { continues } : {}),
});

export async function makeBubble(
  shell: Shell,
  flags: NewBubbleFlags,
  wanted: Wanted,
): Promise<Made | { readonly refusal: Refusal }> {
  const given =
    wanted.id === undefined ? undefined : checkId(wanted.id, "choose another one, such as --id fix-cart");
  const repo = repoOf(flags.repo, shell.cwd, shell.env);
  const world = worldOf(repo, "process");
  if (given !== undefined && (await taken(world, given)))
    return {
      refusal: refuse(
        "bubble.exists",
        `bubble ${given} exists already`,
        `pairflow bubble status --id ${given}`,
      ),
    };
  const early = wanted.task === undefined ? undefined : readTask(wanted.task, shell.cwd, flags.criterion);
  const base = flags.base ?? (await world.workspace.defaultBranch(repo));
  const baseCommit = wanted.work?.baseCommit ?? (await world.workspace.resolve(repo, base));
  const read = (path: string) => world.workspace.fileAt(repo, baseCommit, path);
  const project = await readProjectConfig(read);
  const resolved = await resolveWorkflow({ shell, world, repo, base, project, flags, wanted, given });
  const { config } = resolved;
  checkKind(config);
  await checkBranch(config);
  const document = await documentToImplement(world, config);
  const own = early ?? taskOf(resolved.file.program, wanted, flags.criterion, shell.cwd);
  const task = { ...own, criteria: [...new Set([...documentCriteria(document), ...own.criteria])] };
  const notReady = wanted.startsNow
    ? agentsRefused(config, projectFile, wanted.seat ?? world.seats.kind)
    : undefined;
  if (notReady) return { refusal: notReady };
  const payload = triggerPayload({
    config,
    program: resolved.file.program,
    task,
    project,
    tests: flags.test.length > 0 || flags.gate.length > 0,
    given: wanted.payload ?? {},
  });
  const workflow = resolved.load(payload);
  const files = await world.workspace.filesAt(repo, baseCommit);
  const detect = () =>
    detectForRun(files, read, {
      workflow,
      payload,
      project,
      given: wanted.payload?.gate_preset !== undefined,
    });
  const setup = await setupOf(flags, { config, program: workflow.program, files, read });
  const sources = {
    config,
    program: workflow.program,
    detect,
    named: wanted.namedTests,
  };
  const found = wanted.profile ?? (await profileOf(flags, sources));
  const profile = await confirmContent(shell, world, {
    ...{ config: setup.config, profile: found, setup: setup.proposed, yes: flags.yes },
    typed: typedPrograms(flags, config),
  });
  announce(shell, setup, wanted);
  const knowledge = await readKnowledge(world, repo, baseCommit);
  const made = { config: setup.config, profile, task, baseCommit, knowledge, workflow, document };
  const handled = await create(world, { ...made, ...takenOver(wanted) });
  if (handled.refusal) return { refusal: handled.refusal };
  const repositoryNotes = await notesAbout(
    world,
    { repo, baseCommit, filters: setup.config.git_filters ?? [] },
    workflow.program,
  );
  const { program } = workflow;
  return {
    ...{ world, repo, base, baseCommit, config: setup.config, profile, task, program, repositoryNotes },
    document,
  };
}

/** What nobody asked for and everybody should know before it runs; `bubble create` shows the budget in its result. */
function announce(shell: Shell, { config, proposed }: Setup, { startsNow }: Wanted): void {
  if (proposed) shell.say(setupSentence(proposed));
  if (startsNow)
    shell.say(wrap(`Budget: ${budgetText(config.budget)}${budgetHint(config.budget)}`, screenWidth(), 2));
}

const setupSentence = ({ command, from }: ProposedSetup) =>
  `Setup of each fresh tree (${from.join(", ")}): ${command}   (--no-setup leaves it out)`;

interface Setup {
  readonly config: BubbleConfig;
  readonly proposed?: ProposedSetup;
}

/** The settings with the setup command that the lockfiles suggest, where nobody has said anything and gates will run. */
async function setupOf(
  flags: NewBubbleFlags,
  from: {
    readonly config: BubbleConfig;
    readonly program: Program;
    readonly files: readonly string[];
    readonly read: (path: string) => Promise<string | undefined>;
  },
): Promise<Setup> {
  const { setup, ...without } = from.config;
  if (flags["no-setup"]) return { config: without };
  const runsGates = from.program.steps.some(({ kind }) => kind === "gates");
  if (setup !== undefined || from.config.document !== undefined || !runsGates) return { config: from.config };
  const proposed = await detectSetup(from.files, from.read);
  return proposed
    ? { config: { ...from.config, setup: proposed.command }, proposed }
    : { config: from.config };
}

interface Resolving {
  readonly shell: Shell;
  readonly world: World;
  readonly repo: string;
  readonly base: string;
  readonly project: ProjectConfig;
  readonly flags: NewBubbleFlags;
  readonly wanted: Wanted;
  readonly given: string | undefined;
}

interface Resolved {
  readonly config: BubbleConfig;
  readonly file: WorkflowFile;
  /** The same workflow, started with this payload. */
  load(payload: Payload): WorkflowFile;
}

/** The workflow and the settings need each other: the program names its agents, and the settings fill in its values. */
async function resolveWorkflow(from: Resolving): Promise<Resolved> {
  const { shell, repo, project, wanted, given } = from;
  const first = valuesOf(from, given ?? "example");
  const all = { ...project.agents, ...(first.agent as object) };
  const early = completeConfig({ ...first, agent: all });
  const word = wanted.workflow ?? early.workflow;
  const file = workflowFor(word, { cwd: shell.cwd, repo }, early, wanted.payload ?? {});
  if (file.switchedOff) throw switchedOff(word);
  for (const warning of file.warnings ?? []) shell.say(warning);
  const id = given ?? (await freeName(from.world, repo, idFor(file.program.id)));
  const values = valuesOf(from, id);
  const agents = bubbleAgents(file.program, early);
  const names = new Set(Object.values(agents));
  const agent = Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
  const workflow = wanted.workflow === undefined ? {} : { workflow: nameOf(word, file.program) };
  const config = completeConfig({ ...values, ...workflow, agents, agent });
  // Names of the workflow mean what they meant when it was read first.
  const settings = { ...config, agents: early.agents, agent: early.agent };
  const load = (payload: Payload) => workflowFor(word, { cwd: shell.cwd, repo }, settings, payload);
  return { config, file, load };
}

const switchedOff = (word: string) =>
  refuse(
    "workflow.switched-off",
    `${word} says enabled: false and is not run`,
    `look at it: pairflow workflow show ${word}`,
  );

/** What a person wants for all of their repositories. */
const userSettings = ({ PAIRFLOW_WORKTREES: worktrees }: Shell["env"]) => (worktrees ? { worktrees } : {});

function valuesOf(
  { shell, repo, base, project, flags, wanted }: Resolving,
  id: string,
): Record<string, unknown> {
  return mergeDefaults(project, {
    ...userSettings(shell.env),
    ...settingsOf(flags),
    id,
    repo_path: repo,
    base_branch: base,
    bubble_branch: `bubble/${id}`,
    ...wanted.settings,
  });
}

/** A file's workflow goes by the name it gives itself. */
const nameOf = (word: string, { id }: Program): string =>
  /[./]/.test(word) ? id.replaceAll(/[^\w-]+/g, "-").replace(/^[^a-z0-9]+/i, "") || "workflow" : word;

/** As the workflow is called, in the letters of an id. */
function idFor(workflow: string): string {
  const words = workflow.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return words.replaceAll(/^-|-$/g, "").slice(0, 50) || "run";
}

function taskOf(program: Program, wanted: Wanted, criteria: readonly string[], cwd: string): Task {
  const told = wanted.payload?.task_description;
  const text = typeof told === "string" ? told : taskTextOf(program);
  if (text !== undefined) return readTask(`${text}\n`, cwd, criteria);
  throw usage(
    "workflow.no-task",
    `${program.id} does not say what is to be done`,
    'add --task <file-or-text>, or --title "what is to be done"',
  );
}

interface ProfileSources {
  readonly config: BubbleConfig;
  readonly program: Program;
  readonly detect: () => ReturnType<typeof detectProfile>;
  readonly named: NamedTests | undefined;
}

/** A workflow without gates needs no test profile; a document has its own checks. */
async function profileOf(
  flags: NewBubbleFlags,
  { config, program, detect, named }: ProfileSources,
): Promise<Profile> {
  if (!program.steps.some(({ kind }) => kind === "gates"))
    return { gates: [], source: "none", confirmed: true, not_available: `${program.id} runs no gates` };
  const given = {
    commands: config.commands,
    tests: flags.test,
    gates: gatesByFlags(flags),
    ...(flags["no-tests"] ? { noTests: noTestsReason(flags.reason) } : {}),
  };
  if (config.document !== undefined) return documentProfile(config.document, profileFrom(given));
  const found = profileFrom({ detected: await detect(), ...given });
  return namedLater(program, orNamed(found, named));
}

/** What was typed on the command line was seen by whoever typed it. */
function typedPrograms(flags: NewBubbleFlags, { agents }: BubbleConfig): TrustedProgram[] {
  const typed = completeConfig({
    ...settingsOf(flags),
    ...{ id: "typed", repo_path: "/", base_branch: "-", bubble_branch: "-", agents },
  });
  const { gates } = profileFrom({ tests: flags.test, gates: gatesByFlags(flags) });
  return programsOf({ config: typed, gates });
}

/** Where nothing was said and nothing found, what the task names; a person confirms it as if it had been found. */
function orNamed(found: Profile, named: NamedTests | undefined): Profile {
  if (!named || named.commands.length === 0 || found.gates.length > 0 || found.not_available) return found;
  return { ...profileFrom({ tests: named.commands }), source: named.where, confirmed: false };
}

/** Where papers name the tests there need be none yet: the human approves those of the user story before anything runs. */
function namedLater({ steps }: Program, profile: Profile): Profile {
  const isLater = profile.gates.length === 0 && steps.some(({ kind }) => kind === "adopt");
  if (!isLater || profile.not_available) return profile;
  const not_available = "the user story and the plan name the test commands";
  return { gates: [], source: "none", confirmed: true, not_available };
}

function noTestsReason(reason: string | undefined): string {
  if (!reason?.trim())
    throw usage(
      "usage.missing-flag",
      "--no-tests needs --reason",
      'add --reason "why there is nothing to run"',
    );
  return reason;
}
