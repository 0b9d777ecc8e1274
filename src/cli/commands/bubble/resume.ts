// pairflow bubble resume: continues after an intervention, a crash or a reboot.

import { buildUsageError } from "../../../app/host/usage.ts";
import { ensureDriver } from "../../../app/operate/driver.ts";
import { allowOutside, resumeBubble, resumeRefused } from "../../../app/operate/resume.ts";
import { loadCallState } from "../../../app/trust/operator-call.ts";
import { moveHere } from "../../../app/world/move-seat.ts";
import type { Question } from "../../../core/model/state/turn.ts";
import type { State } from "../../../core/model/state.ts";
import { clip } from "../../../core/model/value/sizes.ts";
import { suggestAnswerCommand } from "../../../core/views/bubble/next-step.ts";
import { grantFlags, openCall, openGrantingCall } from "../../operator/operator-call.ts";
import { yesFlag } from "../../operator/trust.ts";
import { driveHere } from "../../screens/drive-here.ts";
import { createStopSignal } from "../../terminal/interrupt.ts";
import { defineVerb } from "../../verb/declaration.ts";
import { checkDrivesHere, exitCodeFlag, getExitCode } from "../../verb/exit-codes.ts";

export const bubbleResume = defineVerb({
  words: "bubble resume",
  also: ["resume"],
  about: "Continue after a pause, an intervention or a crash; starts a driver if none lives",
  access: "operator",
  example: "pairflow bubble resume --id fix-cart",
  flags: {
    ...grantFlags,
    ...yesFlag,
    message: { kind: "text", value: '"<text>"', about: "a word to the agent" },
    keep: {
      kind: "switch",
      about: "files changed outside a turn are kept; the implementer continues from them",
    },
    "put-back": {
      kind: "switch",
      about: "files changed outside a turn are put back; they are kept as a patch",
    },
    allow: {
      kind: "list",
      value: "<glob>",
      about: "allow these files although they are outside the bubble's scope (recorded); needs --reason",
    },
    reason: { kind: "text", value: '"<text>"', about: "with --allow: why" },
    headless: {
      kind: "switch",
      about: "continue without panes, driven from this terminal; moves between turns",
    },
    tmux: { kind: "switch", about: "continue in panes; moves between turns" },
    detach: { kind: "switch", about: "with --headless: drive in the background" },
    ...exitCodeFlag,
  },
  async run(shell, { flags }) {
    checkTogether(flags);
    checkDrivesHere(flags, flags.headless && !flags.detach);
    const seat = flags.headless ? "process" : flags.tmux ? "tmux" : undefined;
    const open = flags.allow.length > 0 ? openGrantingCall : openCall;
    const call = await open(shell, flags, seat);
    const how = { message: flags.message ?? "", ...buildTree(flags) };
    const refused = (await resumeRefused(call, how)) ?? (seat ? await moveHere(call) : undefined);
    if (refused) return { refusal: refused };
    const asked = (await loadCallState(call)).questions;
    const outside = await allowOutside(call, flags.allow, flags.reason ?? "");
    if (outside) return { refusal: outside };
    const handled = await resumeBubble(call, how);
    if (handled.refusal) return { refusal: handled.refusal };
    const left = listUnansweredQuestions(how.message, asked, handled.state);
    for (const question of left) shell.say(sayUnanswered(question));
    if (flags.headless && !flags.detach && !(await call.world.runtime.living(call.bubble)))
      return driveHere(shell, call, flags, createStopSignal());
    const driver = await ensureDriver(call);
    const says = {
      running: "it is driven already",
      started: "a driver was started",
      offered: "it is offered to the machines that take work",
      "not-needed": "nothing is owed",
    }[driver];
    return {
      text: [
        `${call.bubble} is ${handled.state?.lifecycle}; ${says}`,
        ...describeStillAsked(handled.state),
      ].join("\n"),
      json: {
        ...{ bubble: call.bubble, state: handled.state?.lifecycle, drive: driver },
        unanswered: left.map(({ id }) => id),
      },
      ...getExitCode(flags, handled.state?.lifecycle),
    };
  },
});

/** Questions that this resume has closed; words that are given with it are their answer. */
function listUnansweredQuestions(
  message: string,
  asked: readonly Question[],
  state: State | undefined,
): Question[] {
  if (message) return [];
  const open = new Set(state?.questions.map(({ id }) => id));
  return asked.filter(({ id, kind }) => !open.has(id) && kind !== "tree-changed");
}

const sayUnanswered = ({ id, from, text }: Question): string =>
  `${id} is closed without an answer: ${from} asked ${JSON.stringify(clip(text.split("\n")[0] ?? "", 200))}`;

/** A question that the end of a pause leaves open. */
function describeStillAsked(state: State | undefined): string[] {
  const [first] = state?.questions ?? [];
  return state && first ? [`${first.id} still waits: ${suggestAnswerCommand(state, first)}`] : [];
}

interface TreeFlags {
  readonly keep: boolean;
  readonly "put-back": boolean;
}

/** What happens to files that changed outside a turn. */
function buildTree(flags: TreeFlags): { tree?: "keep" | "put-back" } {
  if (flags.keep) return { tree: "keep" };
  return flags["put-back"] ? { tree: "put-back" } : {};
}

interface AllFlags extends TreeFlags {
  readonly headless: boolean;
  readonly tmux: boolean;
  readonly allow: readonly string[];
  readonly reason?: string;
}

function checkTogether(flags: AllFlags): void {
  const contradicts = (two: string) =>
    buildUsageError("usage.contradiction", `${two} exclude each other`, "pairflow bubble resume --help");
  if (flags.keep && flags["put-back"]) throw contradicts("--keep and --put-back");
  if (flags.headless && flags.tmux) throw contradicts("--headless and --tmux");
  if (flags.allow.length > 0 && !flags.reason?.trim())
    throw buildUsageError(
      "usage.missing-flag",
      "--allow needs --reason",
      'add --reason "why it belongs to the task"',
    );
}
