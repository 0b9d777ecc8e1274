// pairflow bubble diff: what a bubble changed, or what one round added, from the trees of its record.
import { locateBubble } from "../../../app/host/locate.ts";
import { type BubbleChange, readBubbleChange } from "../../../app/record/change.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { fetchNamed } from "../../../app/verify/git.ts";
import { paintPatch, renderStat } from "../../render/bubble/diff.ts";
import { showPaged } from "../../terminal/pager.ts";
import { getScreenWidth } from "../../terminal/style.ts";
import { isTerminal, writeAll } from "../../terminal/terminal.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { type CommandResult, defineVerb, type Shell } from "../../verb/declaration.ts";

export const bubbleDiff = defineVerb({
  words: "bubble diff",
  also: ["diff"],
  about: "Show what a bubble changed, or what one round added",
  access: "read",
  example: "pairflow bubble diff fix-cart --round 2",
  flags: {
    ...bubbleFlags,
    round: { kind: "number", value: "N", about: "only what this round added" },
    stat: { kind: "switch", about: "only the files, each with the number of its changed lines" },
  },
  async run(shell, { flags }) {
    const { repo, bubble } = locateBubble(flags, shell.cwd, shell.env);
    const world = createRecordWorld(repo);
    // Another machine may have made them.
    if (world.travel) await fetchNamed(world, repo, bubble);
    const change = await readBubbleChange(world, bubble, flags.round);
    if (shell.json) return { json: toJson(change, flags.round) };
    if (flags.stat) return { text: renderStat(change.files, shell.colour, getScreenWidth()) };
    return printPatch(shell, change);
  },
});

const toJson = ({ bubble, from, to, files }: BubbleChange, round: number | undefined) => ({
  bubble,
  ...(round === undefined ? {} : { round }),
  from,
  to,
  files: files.map(({ path, from: before, status, added, removed, notes }) => ({
    path,
    ...(before === null ? {} : { from: before }),
    ...{ status, added, removed, notes },
  })),
});

/** On a terminal something to read; elsewhere the bytes as git prints them, which `git apply` takes. */
async function printPatch(shell: Shell, change: BubbleChange): Promise<CommandResult | undefined> {
  const patches: string[] = [];
  for (const file of change.files) {
    const patch = await change.patch(file);
    if (patch === undefined) shell.say(`${file.path} is left out: its change is longer than 16 MB`);
    else patches.push(patch);
  }
  const bytes = Buffer.from(patches.join(""), "latin1");
  if (isTerminal(1)) await showPaged(paintPatch(bytes.toString("utf8"), shell.colour), shell.env);
  else writeAll(1, bytes);
  return undefined;
}
