// pairflow workflow run: a bubble for this workflow is made, started and driven, step by step.

import { buildUsageError } from "../../../app/host/usage.ts";
import { readPayload } from "../../../app/making/payload.ts";
import { ensureDriver } from "../../../app/operate/driver.ts";
import { checkTmuxPresent } from "../../../app/operate/start.ts";
import { createWorld } from "../../../app/world/world.ts";
import { newBubbleFlags } from "../../new-bubble/flags.ts";
import { makeBubbleHere } from "../../new-bubble/new-bubble.ts";
import { confirmAt } from "../../operator/trust.ts";
import { runDryRun } from "../../pipeline/dry-run-screen.ts";
import { driveHere } from "../../screens/drive-here.ts";
import { startTelling } from "../../screens/start-here.ts";
import { createStopSignal } from "../../terminal/interrupt.ts";
import { shortenPath } from "../../terminal/style.ts";
import { defineVerb, type Shell, type Values } from "../../verb/declaration.ts";
import { checkDrivesHere, exitCodeFlag } from "../../verb/exit-codes.ts";

const workflowFlags = {
  id: { kind: "text", value: "<id>", about: "the run's name; made from the workflow's if left out" },
  task: {
    kind: "text",
    value: "<file-or-text>",
    about: "what is to be done; may be left out where the workflow's tasks say it",
  },
  title: { kind: "text", value: '"<text>"', about: "what is to be done, in one line" },
  headless: { kind: "switch", about: "no panes, driven from this terminal; this is the default" },
  panes: { kind: "switch", about: "run the turns in tmux panes" },
  detach: { kind: "switch", about: "drive in the background" },
  ...exitCodeFlag,
  "dry-run": {
    kind: "switch",
    about: "walk it with scripted agents in a throw-away repository; nothing of the project is touched",
  },
  reject: { kind: "number", value: "N", about: "with --dry-run: reviewers reject each task N times first" },
  ...newBubbleFlags,
} as const;

export const workflowRun = defineVerb({
  words: "workflow run",
  about: "Run a workflow: make a bubble for it, start it and drive it here",
  access: "operator",
  takes: "<name-or-file>",
  takesName: "workflow",
  example: "pairflow workflow run plan-and-execute --task tasks/cart.md",
  flags: workflowFlags,
  async run(shell, { flags, words }) {
    const workflow = requireWorkflowWord(words);
    checkTogether(flags);
    checkDrivesHere(flags, !flags.panes && !flags.detach && !flags["dry-run"]);
    const payload = readPayload(flags.payload, flags.set, shell.cwd);
    if (flags["dry-run"])
      return runDryRun(shell, { workflow, payload, rejections: flags.reject ?? 0, ...buildRepo(flags) });
    const noPanes = flags.panes ? checkTmuxPresent(`${retellRun(words)} --headless`) : undefined;
    if (noPanes) return { refusal: noPanes };
    const made = await makeBubbleHere(shell, flags, {
      workflow,
      payload,
      startsIn: flags.panes ? "tmux" : "process",
      id: flags.id,
      task: flags.task ?? flags.title,
    });
    if (made.refusal) return { refusal: made.refusal };
    return startAndDrive(shell, flags, made.config.repo_path, made.config.id);
  },
});

const retellRun = ([workflow = ""]: readonly string[]) => `pairflow workflow run ${workflow}`;

const buildRepo = ({ repo }: { readonly repo?: string }) => (repo === undefined ? {} : { repo });

async function startAndDrive(shell: Shell, flags: Values<typeof workflowFlags>, repo: string, id: string) {
  const world = createWorld(repo, flags.panes ? "tmux" : "process");
  const call = { world, bubble: id, via: "cli", confirm: confirmAt(shell, flags.yes) } as const;
  const signal = createStopSignal();
  const started = await startTelling(shell, call, call.world.seats.kind, { signal });
  if (started.refusal) return { refusal: started.refusal };
  const where = `Started ${id} in ${shortenPath(started.state?.workspace?.path ?? "", shell.cwd)}`;
  if (!flags.panes && !flags.detach) {
    shell.say(where);
    return driveHere(shell, call, flags, signal, ["TURN_STARTED", "STEP_ADVANCED"]);
  }
  await ensureDriver(call);
  const watch = flags.panes
    ? `pairflow bubble attach --id ${id}`
    : `pairflow bubble status --id ${id} --watch`;
  return {
    text: `${where}\nNext: ${watch}`,
    json: { bubble: id, worktree: started.state?.workspace?.path, seat: call.world.seats.kind },
  };
}

function requireWorkflowWord([which, extra]: readonly string[]): string {
  const example = "pairflow workflow run pair --task tasks/cart.md";
  if (which === undefined)
    throw buildUsageError(
      "usage.missing-word",
      "workflow run needs the name of a workflow, or a file",
      example,
    );
  if (extra !== undefined)
    throw buildUsageError(
      "usage.extra-word",
      `workflow run takes one workflow, not also ${JSON.stringify(extra)}`,
      example,
    );
  return which;
}

function checkTogether(flags: Values<typeof workflowFlags>): void {
  const together = (one: string, other: string) =>
    buildUsageError(
      "usage.contradiction",
      `--${one} and --${other} contradict each other`,
      `leave --${other} out`,
    );
  if (flags.task !== undefined && flags.title !== undefined) throw together("task", "title");
  if (flags.headless && flags.panes) throw together("headless", "panes");
  if (flags.reject !== undefined && !flags["dry-run"])
    throw buildUsageError("usage.missing-flag", "--reject belongs to --dry-run", "add --dry-run");
}
