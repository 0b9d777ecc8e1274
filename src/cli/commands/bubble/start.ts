// pairflow bubble start: workspace, panes, first turn.

import { requireRepo } from "../../../app/host/locate.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { ensureDriver } from "../../../app/operate/driver.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { loadCallState, type OperatorCall } from "../../../app/trust/operator-call.ts";
import { listLabelsOfBubble } from "../../../core/bubble/needed-labels.ts";
import { refuse } from "../../../core/model/refusal.ts";
import type { WorkingHost } from "../../../ports/record/offers.ts";
import { openCall, operatorFlags } from "../../operator/operator-call.ts";
import { driveQueue, listWaitingToStart } from "../../operator/queue.ts";
import { yesFlag } from "../../operator/trust.ts";
import { driveHere } from "../../screens/drive-here.ts";
import { startTelling } from "../../screens/start-here.ts";
import { createStopSignal } from "../../terminal/interrupt.ts";
import { shortenPath } from "../../terminal/style.ts";
import { type CommandResult, defineVerb, type Shell } from "../../verb/declaration.ts";
import { checkDrivesHere, exitCodeFlag } from "../../verb/exit-codes.ts";

export const bubbleStart = defineVerb({
  words: "bubble start",
  also: ["start"],
  about: "Make the workspace and start the first turn, in tmux panes or headless",
  access: "operator",
  suits: ["CREATED"],
  everyFlag: "all",
  example: "pairflow bubble start --id fix-cart",
  flags: {
    ...operatorFlags,
    ...yesFlag,
    headless: {
      kind: "switch",
      about: "no panes: run the turns as plain processes and drive them from this terminal",
    },
    detach: { kind: "switch", about: "with --headless: drive in the background" },
    ...exitCodeFlag,
    attach: { kind: "switch", about: "attach to the panes at once" },
    all: { kind: "switch", about: "every bubble that is not started, headless, one after the other" },
    parallel: { kind: "number", value: "N", about: "with --all: so many at a time" },
  },
  async run(shell, { flags }) {
    if (flags.all || flags.parallel !== undefined) return startAll(shell, flags);
    checkDrivesHere(flags, flags.headless && !flags.detach);
    const isAlone = !flags.headless && !shell.interactive;
    if (isAlone && isBuildMachine(shell.env)) return { refusal: refuseNoTerminal(flags.id) };
    const call = await openCall(shell, flags, flags.headless ? "process" : "tmux");
    const drivesHere = flags.headless && !flags.detach;
    return startOne(shell, call, { ...flags, drivesHere, isAlone });
  },
});

interface OneFlags {
  readonly headless: boolean;
  readonly attach: boolean;
  readonly "exit-code": boolean;
  readonly drivesHere: boolean;
  /** In panes that nobody sees. */
  readonly isAlone: boolean;
}

async function startOne(shell: Shell, call: OperatorCall, flags: OneFlags): Promise<CommandResult> {
  const { headless, attach, drivesHere, isAlone } = flags;
  const offered = call.world.offers !== undefined && !drivesHere;
  const seat = offered ? "process" : call.world.seats.kind;
  const signal = createStopSignal();
  const started = await startTelling(shell, call, seat, { drivesHere, signal });
  if (started.refusal) return { refusal: started.refusal };
  if (offered) return offerBubble(call);
  const worktree = started.state?.workspace?.path;
  const where = `Started ${call.bubble} in ${shortenPath(worktree ?? "", shell.cwd)}`;
  if (drivesHere) {
    shell.say(where);
    return driveHere(shell, call, flags, signal);
  }
  if (isAlone)
    shell.say("No terminal here: its panes are in tmux, in the background; --headless drives it from here");
  await ensureDriver(call);
  if (attach && !headless) {
    const { attachTo } = await import("../../screens/attach.ts");
    return attachTo(shell, call);
  }
  const look = headless ? "status" : "attach";
  return {
    text: `${where}\nNext: pairflow bubble ${look} --id ${call.bubble}${headless ? " --watch" : ""}`,
    json: { bubble: call.bubble, worktree, seat },
  };
}

/** Whichever machine has what the bubble needs takes it. */
async function offerBubble(call: OperatorCall): Promise<CommandResult> {
  await ensureDriver(call);
  const id = call.bubble;
  const hosts = (await call.world.offers?.hosts()) ?? [];
  const labels = listLabelsOfBubble(await loadCallState(call));
  return {
    text: `Offered ${id} (${describeMachines(labels, hosts)})\nNext: pairflow bubble status --id ${id} --watch`,
    json: { bubble: id, seat: "process", offered: true, hosts: hosts.map(({ host }) => host) },
  };
}

/** Who may take it; a label that nobody has now is told, since the bubble would wait for it without a word. */
function describeMachines(wanted: readonly string[], hosts: readonly WorkingHost[]): string {
  if (hosts.length === 0) return "no machine takes work now: pairflow worker";
  const lacking = wanted.filter((label) => !hosts.some(({ labels }) => labels.includes(label)));
  const none = lacking.length > 0 ? `; none of them has ${lacking.join(", ")}` : "";
  return `${hosts.length === 1 ? "1 machine takes" : `${hosts.length} machines take`} work${none}`;
}

interface AllFlags {
  readonly all: boolean;
  readonly parallel?: number;
  readonly id?: string;
  readonly repo?: string;
  readonly yes: boolean;
}

async function startAll(
  shell: Shell,
  { all, parallel = 1, id, repo, yes }: AllFlags,
): Promise<CommandResult> {
  if (!all || id !== undefined)
    throw buildUsageError(
      "usage.contradiction",
      all ? "--all and one bubble's name do not go together" : "--parallel belongs to --all",
      "pairflow start --all --parallel 2",
    );
  if (!Number.isInteger(parallel) || parallel < 1)
    throw buildUsageError("usage.bad-number", `--parallel ${parallel}: it is 1 or more`, "--parallel 2");
  const place = requireRepo(repo, shell.cwd, shell.env);
  const ids = await listWaitingToStart(createRecordWorld(place));
  if (ids.length === 0) return { text: "No bubble waits to be started", json: { bubbles: [] } };
  return driveQueue(shell, ids, { repo: place, yes }, parallel);
}

/** As every common build service says it. */
const isBuildMachine = ({ CI = "" }: Shell["env"]): boolean => !["", "0", "false"].includes(CI);

/** A job that ends takes the tmux server with it, or leaves it behind with nobody who looks. */
const refuseNoTerminal = (id: string | undefined) =>
  refuse(
    "start.no-terminal",
    "there is no terminal here and CI is set: nobody would see the panes",
    `pairflow bubble start${id === undefined ? "" : ` --id ${id}`} --headless --exit-code`,
  );
