// A settled bubble, pinned: what does not fit is refused, its files are kept beside the record, and the first line is written.
import { maxLineBytes } from "../../adapters/log/line.ts";
import { listProfileCommands } from "../../core/gates/detect/commands.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { omitUndefined } from "../../core/model/value/defined.ts";
import { clip, keepStart } from "../../core/model/value/sizes.ts";
import { type CommandReply, handle, load } from "../../engine/front/command.ts";
import { getWorkspacePlace, sendBase, type World } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import { renderBubbleToml } from "../config/bubble-file.ts";
import { pinKnowledge } from "../knowledge/pin.ts";
import { checkSecrets } from "../secrets/settings-check.ts";
import { pinDocument } from "../task/implemented-document.ts";
import { isTaken, refuseExisting, startedByName } from "./names.ts";
import type { SettledBubble } from "./wanted.ts";

export async function pinBubble(world: World, bubble: SettledBubble): Promise<Pick<CommandReply, "refusal">> {
  const { profile, task, baseCommit, knowledge, startedBy, work } = bubble;
  const { parent, lineage, salvaged, continues } = bubble;
  const { program, source } = bubble.workflow;
  // The file shows every confirmed gate as it will run.
  const config = { ...bubble.config, commands: listProfileCommands(bubble.config, profile.gates) };
  const { id } = config;
  const title = clip(task.title, 300);
  const pinnedTask = { title, criteria: [...task.criteria], excerpt: keepStart(task.text, 8000) };
  const refusal =
    ((await isTaken(world, id)) ? refuseExisting(id) : undefined) ??
    checkSecrets(world, { ...config, gates: profile.gates }, "the settings") ??
    checkSize({ config, program, profile, pinnedTask, parent, lineage });
  if (refusal) return { refusal };
  const { records } = world;
  await makeFolder(world, id);
  if (startedBy) await records.put(id, startedByName, startedBy);
  const taskFile = await records.put(id, "task.md", task.text);
  const workflow = await records.put(id, `workflow-${config.workflow}.yaml`, source);
  const pinned = await pinKnowledge(world, id, knowledge);
  const document = bubble.document && (await pinDocument(world, id, bubble.document));
  await records.writeConfig(id, renderBubbleToml(config));
  if (work) await world.workspace.adopt(getWorkspacePlace(world, { bubbleId: id, config, baseCommit }), work);
  if (parent) await sendChildBase(world, { bubbleId: id, config, baseCommit }, parent.bubble);
  // The first line names the base commit, which the user's own git may have written a moment ago.
  await world.workspace.makeDurable(world.repo);
  return handle(world, id, {
    type: "create",
    actor: { kind: "operator", via: "cli" },
    config,
    program,
    profile,
    base_commit: baseCommit,
    task: { ...pinnedTask, artifact: taskFile.name },
    workflow_artifact: workflow.name,
    ...omitUndefined({ knowledge: pinned, document, parent, lineage, salvaged, continues }),
  });
}

async function sendChildBase(
  world: World,
  child: Pick<State, "bubbleId" | "config" | "baseCommit">,
  parent: string,
): Promise<void> {
  const above = world.travel && (await load(world, parent)).state;
  if (above && above.baseCommit !== child.baseCommit) await sendBase(world, child, above.baseCommit);
}

/** Another process may make the same bubble at this moment and have made the folder: the referee says whose first line counts. */
async function makeFolder({ records }: World, id: string): Promise<void> {
  if (await records.exists(id)) return;
  await records.create(id).catch((error: unknown) => {
    if (!(error instanceof Failure && error.code === "bubble.exists")) throw error;
  });
}

/** Names, times and hashes of the first line. */
const roomForTheRest = 4 * 1024;

/** What does not fit the first line of the record is refused before anything is made. */
function checkSize(created: object): Refusal | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(created));
  const most = maxLineBytes - roomForTheRest;
  if (bytes <= most) return undefined;
  return refuse(
    "create.too-large",
    `what the bubble is created with takes ${bytes} bytes of its record, and ${most} fit`,
    "shorten the payload, the criteria or the workflow; long texts belong into files of the project",
  );
}
