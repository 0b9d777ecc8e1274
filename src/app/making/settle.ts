// From what a person asked for to a whole bubble: settings, workflow, agents, task, gates and knowledge, each read once from
// the base commit or the disk, then confirmed.
import type { ProposedSetup } from "../../core/gates/detect/setup.ts";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Profile } from "../../core/model/gate.ts";
import type { Program } from "../../core/model/program.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { World } from "../../engine/front/world.ts";
import { checkAgentsReady } from "../agents/ready.ts";
import { completeConfigValues } from "../config/bubble-file.ts";
import { mergeDefaults, type ProjectConfig, projectFile, readProjectConfig } from "../config/project.ts";
import { checkId } from "../host/locate.ts";
import { buildUsageError } from "../host/usage.ts";
import { readKnowledge } from "../knowledge/pin.ts";
import { readTask, type Task } from "../task/file.ts";
import { listDocumentCriteria, resolveImplementedDocument } from "../task/implemented-document.ts";
import { expandWorkflow, getProgramId, type WorkflowDocument, type WorkflowFile } from "../workflows/file.ts";
import { findWorkflow, isFile } from "../workflows/find.ts";
import { bindAgents } from "./agents.ts";
import { addSetup, findProfile } from "./gates.ts";
import { checkBranch, findFreeName, isTaken, refuseExisting } from "./names.ts";
import { buildTriggerPayload, describeProgramTasks } from "./payload.ts";
import type { AskedBubble, SettledBubble } from "./wanted.ts";

/** Who asked for a bubble. */
export interface Person {
  say(line: string): void;
  /** The profile as confirmed; throws when it is not. */
  confirm(content: Content): Promise<Profile>;
}

/** Everything that a new bubble will run. */
export interface Content {
  readonly config: BubbleConfig;
  readonly profile: Profile;
  /** The setup that nobody has asked for. */
  readonly setup: ProposedSetup | undefined;
}

export const nobody: Person = { say: () => {}, confirm: async ({ profile }) => profile };

/** What the project says at the commit that the bubble begins on. */
interface Base {
  readonly branch: string;
  readonly commit: string;
  readonly project: ProjectConfig;
  read(path: string): Promise<string | undefined>;
}

export async function settleAsked(
  world: World,
  asked: AskedBubble,
  person: Person,
): Promise<SettledBubble | { readonly refusal: Refusal }> {
  const given =
    asked.id === undefined ? undefined : checkId(asked.id, "choose another one, such as --id fix-cart");
  if (given !== undefined && (await isTaken(world, given))) return { refusal: refuseExisting(given) };
  const told = asked.task === undefined ? undefined : readTask(asked.task, asked.cwd, asked.criteria);
  const base = await buildBase(world, asked);
  const running = await settleWorkflow(world, { asked, base, given, person });
  const { config: settings, document, workflow: read } = running;
  checkKind(settings);
  await checkBranch(settings);
  const implemented = await resolveImplementedDocument(world, settings);
  const own = told ?? chooseTask(read.program, asked);
  const task = { ...own, criteria: [...new Set([...listDocumentCriteria(implemented), ...own.criteria])] };
  const notReady = asked.startsIn && checkAgentsReady(settings, projectFile, asked.startsIn);
  if (notReady) return { refusal: notReady };
  const payload = buildPayload(asked, { config: settings, task, project: base.project });
  const workflow = { ...read, program: { ...read.program, payload } };
  const files = await world.workspace.filesAt(world.repo, base.commit);
  const sources = {
    ...{ asked, config: settings, program: workflow.program, document, payload, files },
    ...{ project: base.project, read: base.read },
  };
  const { config, proposed } = await addSetup(sources);
  const found = asked.profile ?? (await findProfile(sources));
  const profile = await person.confirm({ config, profile: found, setup: proposed });
  const knowledge = await readKnowledge(world, world.repo, base.commit);
  const { work, continues } = asked;
  return {
    ...{ config, profile, task, baseCommit: base.commit, knowledge, document: implemented, workflow },
    ...{ work, continues },
  };
}

async function buildBase(world: World, asked: AskedBubble): Promise<Base> {
  const { workspace, repo } = world;
  const branch = asked.base ?? (await workspace.defaultBranch(repo));
  const commit = asked.baseCommit ?? (await workspace.resolve(repo, branch));
  const read = (path: string) => workspace.fileAt(repo, commit, path);
  return { branch, commit, read, project: await readProjectConfig(read) };
}

interface RunnableWorkflow {
  readonly config: BubbleConfig;
  readonly document: WorkflowDocument;
  readonly workflow: WorkflowFile;
}

interface SettlingState {
  readonly asked: AskedBubble;
  readonly base: Base;
  readonly given: string | undefined;
  readonly person: Person;
}

/** The workflow and the settings need each other: the program names its agents, and the settings fill in its values. */
async function settleWorkflow(
  world: World,
  { asked, base, given, person }: SettlingState,
): Promise<RunnableWorkflow> {
  const { repo } = world;
  const { agents: known } = base.project;
  const first = mergeDefaults(base.project, {
    ...{ repo_path: repo, base_branch: base.branch, ...buildPlace(given ?? "example") },
    ...asked.settings,
  });
  const early = completeConfigValues({ ...first, agent: { ...known, ...(first.agent as object) } });
  const word = asked.workflow ?? early.workflow;
  const document = findWorkflow(word, { cwd: asked.cwd, repo });
  const name = getProgramId(document, early);
  const place = buildPlace(given ?? (await findFreeName(world, buildBubbleId(name))));
  const settings = { ...early, ...place, workflow: isFile(word) ? nameWorkflow(name) : word };
  const workflow = expandWorkflow(document, settings, asked.payload);
  if (workflow.switchedOff) throw refuseSwitchedOff(word);
  for (const warning of workflow.warnings ?? []) person.say(warning);
  const agents = bindAgents(workflow.program, settings);
  const names = new Set(Object.values(agents));
  const agent = Object.fromEntries(Object.entries(early.agent).filter(([one]) => names.has(one)));
  return { config: completeConfigValues({ ...settings, agents, agent }), document, workflow };
}

const buildPlace = (id: string) => ({ id, bubble_branch: `bubble/${id}` });

const refuseSwitchedOff = (word: string) =>
  refuse(
    "workflow.switched-off",
    `${word} says enabled: false and is not run`,
    `look at it: pairflow workflow show ${word}`,
  );

/** A file's workflow goes by the name it gives itself. */
const nameWorkflow = (id: string): string =>
  id.replaceAll(/[^\w-]+/g, "-").replace(/^[^a-z0-9]+/i, "") || "workflow";

/** As the workflow is called, in the letters of an id. */
function buildBubbleId(workflow: string): string {
  const words = workflow.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return words.replaceAll(/^-|-$/g, "").slice(0, 50) || "run";
}

/** A document bubble names its document, and nothing else does. */
function checkKind({ kind, document }: BubbleConfig): void {
  if (kind === "document" && !document)
    throw buildUsageError(
      "create.no-document",
      "a document bubble needs the path of its document",
      "add --document docs/<name>.md",
    );
  if (kind !== "document" && document)
    throw buildUsageError(
      "create.document-kind",
      "--document belongs to --kind document",
      "add --kind document",
    );
}

function chooseTask(program: Program, { payload, criteria, cwd }: AskedBubble): Task {
  const told = payload?.task_description;
  const text = typeof told === "string" ? told : describeProgramTasks(program);
  if (text !== undefined) return readTask(`${text}\n`, cwd, criteria);
  throw buildUsageError(
    "workflow.no-task",
    `${program.id} does not say what is to be done`,
    'add --task <file-or-text>, or --title "what is to be done"',
  );
}

function buildPayload(
  { gates, payload = {} }: AskedBubble,
  known: Pick<Parameters<typeof buildTriggerPayload>[0], "config" | "task" | "project">,
) {
  const tests = gates !== undefined && (gates.tests.length > 0 || Object.keys(gates.gates).length > 0);
  return buildTriggerPayload({ ...known, tests, given: payload });
}
