// Making a bubble: everything it will run on is resolved, shown, confirmed and pinned before its first line is written.

import { maxLineBytes } from "../../adapters/log/line.ts";
import { commandsInProfile } from "../../core/gates/commands.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { PayloadOf } from "../../core/model/envelope.ts";
import type { Profile } from "../../core/model/gate.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import { clip, keepStart } from "../../core/model/sizes.ts";
import { nextSlug } from "../../core/plan/slug.ts";
import { type Handled, handle } from "../../engine/handle/handle.ts";
import { placeOf, type World } from "../../engine/world/world.ts";
import { renderBubbleToml } from "../config/bubble-file.ts";
import { withUsualRoles } from "../config/usual-agents.ts";
import { askGit } from "../host/git-questions.ts";
import { usageError } from "../host/usage.ts";
import { pinKnowledge } from "../knowledge/pinned.ts";
import { loadWhole } from "../record/whole.ts";
import { secretRefused } from "../secrets/refused.ts";
import type { Task } from "../task/file.ts";
import { loadWorkflowFile, type WorkflowFile } from "../workflows/file.ts";
import { agentsFor, withHandedOn } from "../workflows/run.ts";
import { type DocumentToImplement, pinDocument } from "./implemented-document.ts";

export interface NewBubble {
  readonly config: BubbleConfig;
  readonly profile: Profile;
  readonly task: Task;
  readonly baseCommit: string;
  /** What the project's base says about how work is judged; pinned with the bubble. */
  readonly knowledge?: Knowledge;
  /** The approved document that it implements; its bytes become an artifact of this bubble. */
  readonly document?: DocumentToImplement | undefined;
  /** What it runs, loaded already; absent: the workflow that the settings name. */
  readonly workflow?: WorkflowFile;
  /** What that workflow is started with. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** The bubble whose child this is. */
  readonly parent?: PayloadOf<"BUBBLE_CREATED">["parent"];
  /** Which wish of another bubble this one fulfils, so that it is found again. */
  readonly startedBy?: string;
  /** The bubbles whose work continues here. */
  readonly lineage?: PayloadOf<"BUBBLE_CREATED">["lineage"];
  /** A commit whose files are the first ones of its worktree, as uncommitted changes to the base. */
  readonly work?: string;
  /** The damaged record whose good part continues here. */
  readonly salvaged?: PayloadOf<"BUBBLE_CREATED">["salvaged"];
  /** The run that ended and continues here. */
  readonly continues?: PayloadOf<"BUBBLE_CREATED">["continues"];
}

/** The branch must be free now, or the bubble could never start. */
export async function checkBranch(config: Branched): Promise<void> {
  if (!(await isBranchTaken(config))) return;
  const { bubble_branch } = config;
  throw refuse(
    "workspace.branch-taken",
    `there is already a branch ${bubble_branch}`,
    `choose another id, or: git branch -m ${bubble_branch} ${bubble_branch}-old`,
  );
}

type Branched = Pick<BubbleConfig, "id" | "repo_path" | "bubble_branch">;

/** Our own pin beside a branch means that it is the bubble's. */
export async function isBranchTaken({ id, repo_path, bubble_branch }: Branched): Promise<boolean> {
  const has = (ref: string) => askGit(repo_path, "rev-parse", "--verify", "--quiet", ref);
  return Boolean(await has(`refs/heads/${bubble_branch}`)) && !(await has(`refs/pairflow/${id}/base`));
}

/** This name, or the next one with a number that neither a record nor a branch has. */
export async function freeName(world: World, repo: string, name: string): Promise<string> {
  const passed = new Set<string>();
  for (let id = name; ; id = nextSlug(name, (one) => passed.has(one))) {
    const branch = { id, repo_path: repo, bubble_branch: `bubble/${id}` };
    // What cannot be read is somebody's all the same.
    const isTaken = await taken(world, id).catch(() => true);
    if (!isTaken && !(await isBranchTaken(branch))) return id;
    passed.add(id);
  }
}

export async function create(world: World, bubble: NewBubble): Promise<Handled> {
  const { profile, task, baseCommit, knowledge, parent, startedBy, lineage, salvaged, continues } = bubble;
  const { config: settings, program, source } = resolved(bubble);
  // The file shows every confirmed gate as it will run.
  const config = { ...settings, commands: commandsInProfile(settings, profile.gates) };
  if (await taken(world, config.id))
    return {
      state: undefined,
      envelopes: [],
      refusal: refuse(
        "bubble.exists",
        `bubble ${config.id} exists already`,
        `pairflow bubble status --id ${config.id}`,
      ),
    };
  const pinnedTask = {
    title: clip(task.title, 300),
    criteria: [...task.criteria],
    excerpt: keepStart(task.text, 8000),
  };
  const refusal =
    secretRefused(world, { ...config, gates: profile.gates }, "the settings") ??
    tooLarge({ config, program, profile, pinnedTask, parent, lineage });
  if (refusal) return { state: undefined, envelopes: [], refusal };
  if (!(await world.records.exists(config.id))) await world.records.create(config.id);
  if (startedBy) await world.records.put(config.id, startedByName, startedBy);
  const taskFile = await world.records.put(config.id, "task.md", task.text);
  const workflow = await world.records.put(config.id, `workflow-${config.workflow}.yaml`, source);
  const pinned = await pinKnowledge(world, config.id, knowledge);
  const document = bubble.document ? await pinDocument(world, config.id, bubble.document) : undefined;
  await world.records.writeConfig(config.id, renderBubbleToml(config));
  if (bubble.work)
    await world.workspace.adopt(placeOf(world, { bubbleId: config.id, config, baseCommit }), bubble.work);
  // The first line names the base commit, which the user's own git may have written a moment ago.
  await world.workspace.makeDurable(config.repo_path);
  return handle(world, config.id, {
    type: "create",
    actor: { kind: "operator", via: "cli" },
    config,
    program,
    profile,
    base_commit: baseCommit,
    task: { ...pinnedTask, artifact: taskFile.name },
    workflow_artifact: workflow.name,
    ...(pinned ? { knowledge: pinned } : {}),
    ...(document ? { document } : {}),
    ...(parent ? { parent } : {}),
    ...(lineage ? { lineage } : {}),
    ...(salvaged ? { salvaged } : {}),
    ...(continues ? { continues } : {}),
  });
}

/** Names, times and hashes of the first line. */
const roomForTheRest = 4 * 1024;

/** What does not fit the first line of the record is refused before anything is made. */
function tooLarge(created: object): Refusal | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(created));
  const most = maxLineBytes - roomForTheRest;
  if (bytes <= most) return undefined;
  return refuse(
    "create.too-large",
    `what the bubble is created with takes ${bytes} bytes of its record, and ${most} fit`,
    "shorten the payload, the criteria or the workflow; long texts belong into files of the project",
  );
}

export const startedByName = "started-by.json";

/** The workflow, and the settings with an agent for each name it uses; throws when nobody is bound to one. */
function resolved({
  config,
  workflow,
  payload = {},
}: NewBubble): WorkflowFile & { readonly config: BubbleConfig } {
  const agents = withUsualRoles(config.agents);
  const file = workflow ?? loadWorkflowFile(config.workflow, { ...config, agents }, { payload });
  return { ...file, config: { ...config, agents: boundFor(file, config, agents) } };
}

/** Settings that suffice are left as they are. */
function boundFor({ program }: WorkflowFile, config: BubbleConfig, agents: BubbleConfig["agents"]) {
  const roles = program.tasks
    ? undefined
    : program.steps.flatMap((step) => (step.kind === "turn" ? [step.role] : []));
  const suffice = roles?.every((role) => Object.hasOwn(config.agents, role));
  return suffice ? config.agents : withHandedOn(program, config, agentsFor(program, { ...config, agents }));
}

/** A document bubble names its document, and nothing else does. */
export function checkKind({ kind, document }: BubbleConfig): void {
  if (kind === "document" && !document)
    throw usageError(
      "create.no-document",
      "a document bubble needs the path of its document",
      "add --document docs/<name>.md",
    );
  if (kind !== "document" && document)
    throw usageError("create.document-kind", "--document belongs to --kind document", "add --kind document");
}

/** A folder without a first line was left by a creation that was cut off: it is adopted, not in the way. */
export async function taken(world: World, id: string): Promise<boolean> {
  if (!(await world.records.exists(id))) return false;
  const { state } = await loadWhole(world, world.repo, id);
  return state !== undefined;
}
