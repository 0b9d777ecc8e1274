// pairflow bubble status: what is happening, what needs a person, what to type next.
import { locateBubble } from "../../../app/host/locate.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { foldUpTo, readStatus } from "../../../app/record/bubble.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { buildStatusView } from "../../../core/views/bubble/status.ts";
import type { RecordWorld } from "../../../engine/front/world.ts";
import { renderStatus } from "../../render/bubble/status.ts";
import { buildTroubleField, sayTrouble } from "../../render/bubble/trouble.ts";
import { watchStatus } from "../../screens/watch.ts";
import { buildLook } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { type CommandResult, defineVerb, type Shell } from "../../verb/declaration.ts";
import { exitCodeFlag, getExitCode } from "../../verb/exit-codes.ts";

export const bubbleStatus = defineVerb({
  words: "bubble status",
  also: ["status", "show", "bubble show"],
  about: "Show a bubble: who works on what, gates, findings, and what to type next",
  access: "read",
  example: "pairflow bubble status --id fix-cart",
  flags: {
    ...bubbleFlags,
    at: { kind: "number", value: "<seq>", about: "the status as it was after this line of the record" },
    watch: {
      kind: "switch",
      about: "draw it again whenever something changes, until Ctrl-C or the bubble has ended",
    },
    ...exitCodeFlag,
  },
  async run(shell, { flags }) {
    const { repo, bubble } = locateBubble(flags, shell.cwd, shell.env);
    const world = createRecordWorld(repo);
    if (flags.at !== undefined && flags.watch)
      throw buildUsageError(
        "usage.contradiction",
        "--at shows the past, which does not change; --watch shows the present",
        "leave one of them out",
      );
    if (flags["exit-code"] && (flags.watch || flags.at !== undefined)) {
      const message = "--exit-code tells the state now; neither --watch nor --at goes with it";
      throw buildUsageError("usage.contradiction", message, "leave one of them out");
    }
    if (flags.at !== undefined) return showPast(shell, world, bubble, flags.at);
    if (flags.watch) return watchStatus(shell, world, bubble);
    const { view, trouble, below } = await readStatus(world, bubble);
    sayTrouble(shell, bubble, trouble);
    for (const child of below) sayTrouble(shell, child.bubble, child.trouble);
    const children = below.length > 0 ? { children_trouble: below } : {};
    return {
      ...(shell.json
        ? { json: { ...view, ...buildTroubleField(trouble), ...children } }
        : { text: renderStatus(view, buildLook(shell, world.clock.now())) }),
      ...getExitCode(flags, view.state, view.paused !== null),
    };
  },
});

async function showPast(
  shell: Shell,
  world: RecordWorld,
  bubble: string,
  seq: number,
): Promise<CommandResult> {
  if (!Number.isInteger(seq) || seq < 1)
    throw buildUsageError(
      "usage.bad-number",
      `--at ${seq}: lines are numbered 1, 2, 3 …`,
      `pairflow log --id ${bubble}`,
    );
  const found = await foldUpTo(world, bubble, seq);
  if (!found.found)
    throw buildUsageError(
      "usage.beyond-head",
      `--at ${seq}: the record of ${bubble} ends at line ${found.head}`,
      `pairflow bubble status --id ${bubble} --at ${found.head}`,
    );
  const { lastAt } = found.state;
  // Nobody drives the past, and nothing can be typed to change it.
  const view = buildStatusView(found.state, { now: lastAt });
  const { driver: _driver, next: _next, watchdog: _watchdog, ...json } = view;
  return {
    text: renderStatus(view, buildLook(shell, world.clock.now()), { at: lastAt }),
    json: { ...json, as_of: { seq, at: lastAt } },
  };
}
