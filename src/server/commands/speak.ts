// A person's words from the page to the referee: the same commands as in the terminal, through the same functions. What grants
// something is not said here.
import { decideAndDrive, ensureDriver } from "../../app/operate/driver.ts";
import { resumeBubble, resumeRefused } from "../../app/operate/resume.ts";
import { findCarriedLine } from "../../app/record/carried-lines.ts";
import { loadCallState, type OperatorCall } from "../../app/trust/operator-call.ts";
import type { PageCommand } from "../../core/model/page/command.ts";
import type { PageComment } from "../../core/model/page/notes.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import { isGrantOfAny } from "../../core/permission/granting.ts";
import { describeKeptDecision } from "../../core/views/bubble/pause.ts";
import { buildCommentFinding } from "../../core/views/page/review/comments.ts";

export type SpokenResult = { readonly refusal: Refusal } | { readonly said: string };
export type CommandOf<T extends PageCommand["do"]> = Extract<PageCommand, { do: T }>;

export async function replyFromPage(call: OperatorCall, command: CommandOf<"reply">): Promise<SpokenResult> {
  const { questions, pause } = await loadCallState(call);
  if (pause && command.question === `p${pause.seq}`) return resume(call, command.message);
  const asked = questions.filter(({ id }) => id === command.question);
  if (asked.length === 0) return { refusal: refuseAnswered(call.bubble) };
  if (asked[0]?.kind === "tree-changed") return resumeWithTree(call, command);
  if (command.choice !== undefined && isGrantOfAny(asked, command.choice))
    return { refusal: refuseWithoutDoor(call.bubble, command) };
  const handled = await decideAndDrive(call, {
    type: "reply",
    message: command.message,
    question: command.question,
    ...(command.choice === undefined ? {} : { choice: command.choice }),
    ...(command.rounds === undefined ? {} : { rounds: command.rounds }),
    ...(command.findings ? { findings: command.findings } : {}),
  });
  if (handled.refusal) return { refusal: handled.refusal };
  return {
    said: `Answered. ${call.bubble} is ${handled.state?.lifecycle}${describeKeptDecision(handled.state)}`,
  };
}

/** Files that nobody's turn has changed are kept or put back by continuing. */
async function resumeWithTree(
  call: OperatorCall,
  { choice, message }: CommandOf<"reply">,
): Promise<SpokenResult> {
  if (choice === "keep" || choice === "put-back") return resume(call, message, choice);
  const hint = `pairflow bubble resume --id ${call.bubble} --keep`;
  return { refusal: refuse("reply.unknown-choice", "keep the changed files, or put them back", hint) };
}

/** As `bubble resume`: somebody must act on it then. */
export async function resume(
  call: OperatorCall,
  message: string,
  tree?: "keep" | "put-back",
): Promise<SpokenResult> {
  const how = { message, ...(tree ? { tree } : {}) };
  const refusal = (await resumeRefused(call, how)) ?? (await resumeBubble(call, how)).refusal;
  if (refusal) return { refusal };
  await ensureDriver(call);
  return { said: `${call.bubble} continues` };
}

const refuseAnswered = (bubble: string): Refusal =>
  refuse(
    "page.moved",
    "this question is answered already, or was taken back",
    `pairflow bubble inbox --id ${bubble}`,
  );

/** A session may speak; what signs something away takes a door of its own. */
const refuseWithoutDoor = (bubble: string, { question, choice }: CommandOf<"reply">): Refusal =>
  refuse(
    "page.grants",
    `${choice} grants something, which a session cannot do`,
    `pairflow bubble reply --id ${bubble} --question ${question} --choose ${choice} --message "…"`,
  );

/** The comments become findings with ids, which the producer fixes and the next critic answers. */
export async function rework(
  call: OperatorCall,
  command: CommandOf<"rework">,
  kept: readonly PageComment[],
): Promise<SpokenResult> {
  const state = await loadCallState(call);
  const { approval } = state;
  if (!approval || approval.digest !== command.digest) return { refusal: refuseMoved(call.bubble) };
  const comments = kept.filter(({ id }) => command.comments.includes(id));
  if (comments.length < command.comments.length) return { refusal: refuseChangedComments };
  const findings = await Promise.all(
    comments.map(async (comment) => {
      const { path: file, line, tree } = comment;
      const at = await findCarriedLine(state, { file, line, tree }, approval.tree);
      return buildCommentFinding({ ...comment, at });
    }),
  );
  const { message, reject } = command;
  const handled = await decideAndDrive(call, { type: "request-rework", message, reject, findings });
  if (handled.refusal) return { refusal: handled.refusal };
  return { said: `Sent back. ${call.bubble} is ${handled.state?.lifecycle}, round ${handled.state?.round}` };
}

const refuseMoved = (bubble: string): Refusal =>
  refuse(
    "page.moved",
    "this is not what asks for approval any more",
    `pairflow bubble status --id ${bubble}`,
  );

/** Another tab or browser of the same person has removed one. */
const refuseChangedComments = refuse(
  "page.moved",
  "a comment that was shown here is gone; look at them again",
);
