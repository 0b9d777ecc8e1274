// pairflow clean: what ended bubbles still hold of the disk, over all of them. It looks; --yes deletes what loses no work.
import { readFolderSize } from "../../../app/doctor/disk/folder-size.ts";
import { listUnnamedCommits } from "../../../app/exchange/unnamed.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { deleteBubble } from "../../../app/operate/end.ts";
import { hasEnded, listBubbles } from "../../../app/record/listing.ts";
import { loadCallState, type OperatorCall } from "../../../app/trust/operator-call.ts";
import { createWorld } from "../../../app/world/world.ts";
import { isWorktreeOn } from "../../../core/state/hosts.ts";
import type { SentCommit } from "../../../ports/record/travel.ts";
import { formatCount, renderTable } from "../../render/table.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

interface CleanRow {
  readonly bubble: string;
  readonly state: string;
  readonly kilobytes: number;
  /** What became of it, or what would. */
  readonly fate: string;
  readonly deleted: boolean;
}

export const clean = defineVerb({
  words: "clean",
  about:
    "Show the disk that ended bubbles still hold; --yes deletes their worktrees and archives their records",
  access: "operator",
  example: "pairflow clean --yes",
  flags: {
    repo: bubbleFlags.repo,
    yes: { kind: "switch", about: "delete them; work that exists nowhere else is kept, and said" },
  },
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const world = createWorld(repo, "tmux");
    const ended = (await listBubbles(world)).filter(hasEnded);
    const unnamed = await listUnnamedCommits(world);
    if (flags.yes) for (const commit of unnamed) await world.travel?.takeBack(commit);
    const sent = unnamed.map(describeUnnamed);
    const commits = unnamed.map(({ commit }) => commit);
    if (ended.length === 0) {
      const text = ["No ended bubble holds anything", ...sent, ...endUnnamed(unnamed, flags.yes)].join("\n");
      return { text, json: { bubbles: [], kilobytes: 0, commits } };
    }
    const rows: CleanRow[] = [];
    for (const { id } of ended) rows.push(await deleteEnded({ world, bubble: id, via: "cli" }, flags.yes));
    const held = rows.filter(({ deleted }) => deleted === flags.yes);
    const kilobytes = held.reduce((sum, row) => sum + row.kilobytes, 0);
    const size = formatSize(kilobytes);
    const end = flags.yes
      ? `Deleted ${formatCount(held.length, "bubble")}, ${size}; branches and records are kept`
      : `${formatCount(held.length, "bubble")}, ${size}\nNext: pairflow clean --yes`;
    const table = rows.map(({ bubble, state, kilobytes: size, fate }) => [
      bubble,
      state,
      formatSize(size),
      fate,
    ]);
    return {
      text: [...renderTable(table), ...sent, ...(flags.yes ? endUnnamed(unnamed, true) : []), end].join("\n"),
      json: { bubbles: rows, kilobytes, commits },
    };
  },
});

const describeUnnamed = ({ bubble, commit }: SentCommit): string =>
  `commit ${commit.slice(0, 12)} of ${bubble ?? "a base"} is on the server and named by no record for a week`;

function endUnnamed({ length }: readonly SentCommit[], isDeleted: boolean): string[] {
  if (length === 0) return [];
  return [isDeleted ? `Took back ${formatCount(length, "commit")}` : "Next: pairflow clean --yes"];
}

async function deleteEnded(call: OperatorCall, isDeleting: boolean): Promise<CleanRow> {
  const state = await loadCallState(call);
  const { lifecycle } = state;
  const workspace = isWorktreeOn(state, call.world.host) ? state.workspace : undefined;
  const kilobytes = workspace ? await readFolderSize(workspace.path) : 0;
  const row = { bubble: call.bubble, state: lifecycle, kilobytes };
  if (!isDeleting) return { ...row, fate: workspace?.path ?? "", deleted: false };
  const { refusal } = await deleteBubble(call, { dropBranch: false, discard: false });
  return { ...row, fate: refusal ? `kept: ${refusal.message}` : "deleted", deleted: refusal === undefined };
}

function formatSize(kilobytes: number): string {
  if (kilobytes < 1024) return `${kilobytes} kB`;
  const megabytes = kilobytes / 1024;
  return megabytes < 1024 ? `${megabytes.toFixed(1)} MB` : `${(megabytes / 1024).toFixed(1)} GB`;
}
