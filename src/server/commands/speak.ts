// A person's words from the page to the referee: the same commands as in the terminal, through the same functions. What grants
// something is not said here.
import { decideAndDrive } from "../../app/operate/driver.ts";
import { loadCallState, type OperatorCall } from "../../app/trust/operator-call.ts";
import type { PageCommand } from "../../core/model/page/command.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import { isGrantOfAny } from "../../core/permission/granting.ts";
import { describeKeptDecision } from "../../core/views/bubble/pause.ts";

export type SpokenResult = { readonly refusal: Refusal } | { readonly said: string };
type CommandOf<T extends PageCommand["do"]> = Extract<PageCommand, { do: T }>;

export async function replyFromPage(call: OperatorCall, command: CommandOf<"reply">): Promise<SpokenResult> {
  const { questions } = await loadCallState(call);
  const asked = questions.filter(({ id }) => id === command.question);
  if (asked.length === 0) return { refusal: refuseAnswered(call.bubble) };
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
export async function rework(call: OperatorCall, command: CommandOf<"rework">): Promise<SpokenResult> {
  const { approval } = await loadCallState(call);
  if (approval?.digest !== command.digest) return { refusal: refuseMoved(call.bubble) };
  const { message, reject, findings } = command;
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
