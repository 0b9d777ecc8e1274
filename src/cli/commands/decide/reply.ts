// pairflow bubble reply: a human's answer to an open question.
import { decideAndDrive } from "../../../app/operate/driver.ts";
import { loadCallState } from "../../../app/trust/operator-call.ts";
import { omitUndefined } from "../../../core/model/value/defined.ts";
import { isGrantOfAny } from "../../../core/permission/granting.ts";
import { describeKeptDecision } from "../../../core/views/bubble/pause.ts";
import { listAskedQuestions } from "../../../core/views/bubble/status.ts";
import { askForAnswer } from "../../answer/typed-answer.ts";
import { grantFlags, openCall, openGrantingCall } from "../../operator/operator-call.ts";
import { renderQuestion } from "../../render/bubble/question.ts";
import { askLine } from "../../terminal/ask.ts";
import { getScreenWidth } from "../../terminal/style.ts";
import { defineVerb, type Shell } from "../../verb/declaration.ts";

async function isGrant(shell: Shell, flags: ReplyFlags): Promise<boolean> {
  const { choose } = flags;
  if (choose === undefined) return false;
  const { questions } = await loadCallState(await openCall(shell, flags));
  const asked =
    flags.question === undefined ? questions : questions.filter(({ id }) => id === flags.question);
  return isGrantOfAny(asked, choose);
}

/** A person at the terminal who said nothing yet is shown the question and asked; undefined: they left. */
async function askHere(shell: Shell, flags: ReplyFlags) {
  const call = await openCall(shell, flags);
  const state = await loadCallState(call);
  const question = state.questions.find(({ id }) => flags.question === undefined || id === flags.question);
  // What is wrong about that is the referee's to say.
  if (!question) return {};
  const shown = listAskedQuestions(state).filter(({ id }) => id === question.id);
  for (const one of shown)
    for (const line of renderQuestion(one, call.bubble, getScreenWidth())) shell.say(line);
  const said = await askForAnswer(question, (prompt) => askLine(prompt));
  if (!said) return undefined;
  const { message, choice, rounds } = said;
  return omitUndefined({ message, choose: choice, rounds, question: question.id });
}

type ReplyFlags = Parameters<typeof openCall>[1] & { readonly choose?: string; readonly question?: string };

export const bubbleReply = defineVerb({
  words: "bubble reply",
  also: ["reply", "answer"],
  about: "Answer a question: words for an agent, or a choice where the referee asks",
  access: "operator",
  suits: ["WAITING_HUMAN"],
  example: 'pairflow bubble reply --id fix-cart --message "Keep it until 2.0"',
  flags: {
    ...grantFlags,
    message: {
      kind: "text",
      value: '"<text>"',
      about: "your answer; with a choice, the reason or the notes",
    },
    question: { kind: "text", value: "q<seq>", about: "which question; the oldest if left out" },
    choose: { kind: "text", value: "<option>", about: "one of the options the question names" },
    rounds: { kind: "number", value: "N", about: "with --choose continue: grant N more rounds" },
    finding: { kind: "list", value: "ID", about: "with --choose accept or waive: only these findings" },
    "waive-gate": {
      kind: "list",
      value: "<name>",
      about: "with --choose accept: this gate is red and you accept that",
    },
  },
  async run(shell, { flags: given }) {
    const isSaid = given.message !== undefined || given.choose !== undefined;
    const typed = isSaid || !shell.interactive ? {} : await askHere(shell, given);
    if (!typed) return { text: "Nothing was answered", json: { bubble: given.id ?? null, state: null } };
    const flags = { ...given, ...typed };
    const isGranting = await isGrant(shell, flags);
    const call = isGranting ? await openGrantingCall(shell, flags) : await openCall(shell, flags);
    const handled = await decideAndDrive(call, {
      type: "reply",
      message: flags.message ?? "",
      ...(flags.question ? { question: flags.question } : {}),
      ...(flags.choose ? { choice: flags.choose } : {}),
      ...(flags.rounds !== undefined ? { rounds: flags.rounds } : {}),
      ...(flags.finding.length > 0 ? { findings: flags.finding } : {}),
      ...(flags["waive-gate"].length > 0 ? { waiveGates: flags["waive-gate"] } : {}),
    });
    if (handled.refusal) return { refusal: handled.refusal };
    return {
      text: `Answered. ${call.bubble} is ${handled.state?.lifecycle}${describeKeptDecision(handled.state)}`,
      json: { bubble: call.bubble, state: handled.state?.lifecycle },
    };
  },
});
