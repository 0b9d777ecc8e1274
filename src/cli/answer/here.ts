// Driving a bubble from a person's terminal and asking that person right there. The call:
//
//   const { state, result } = await talkHere(shell, call, { also: ["TURN_STARTED", "STEP_ADVANCED"] });
//
// It drives headless as driveHere does. When a question of the bubble, or of one of its children, is open and a person sits
// at this terminal, it is asked here: a number, the name of an option (`rework smaller, please`) or free words. Answers go to
// the referee as the same `reply` that `pairflow bubble reply` gives, through the door "terminal"; then the run continues.
// Without a terminal, at the end of input and after Ctrl-C it stops and `result` says what to type. `state` is the newest.
import { describeSpeaker, describeTerminalDoor } from "../../app/caller/door.ts";
import { requireGrantingDoor } from "../../app/caller/guard.ts";
import { decideAndDrive } from "../../app/operate/driver.ts";
import { loadCallState, type OperatorCall, submit } from "../../app/trust/operator-call.ts";
import type { Envelope } from "../../core/model/record/envelope.ts";
import type { Refusal } from "../../core/model/refusal.ts";
import type { Question } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import { load } from "../../engine/front/command.ts";
import { renderTable } from "../render/table.ts";
import { driveOrFollow, renderStanding, tellAndDrive } from "../screens/drive-here.ts";
import { askLine, dropTypedAhead } from "../terminal/ask.ts";
import { isInterrupted } from "../terminal/interrupt.ts";
import { createInk, toIndentedLines, toPlainLine, wrapLines } from "../terminal/style.ts";
import { isTerminal } from "../terminal/terminal.ts";
import type { CommandResult, Shell } from "../verb/declaration.ts";
import { printTrouble, toTrouble } from "../verb/result.ts";
import { askForAnswer, type TypedAnswer } from "./typed-answer.ts";

export interface AnswerOptions {
  /** Of a stop signal that the caller has asked for before it started anything. */
  readonly signal: AbortSignal;
  /** What of the housekeeping is told beside the story. */
  readonly also?: readonly Envelope["type"][];
  /** Drives and shows in another way than line by line. */
  readonly drive?: () => Promise<State>;
}

export interface AnswerResult {
  readonly state: State;
  readonly result: CommandResult;
}

export async function answerHere(
  shell: Shell,
  call: OperatorCall,
  { signal, ...talk }: AnswerOptions,
): Promise<AnswerResult> {
  for (;;) {
    const state = talk.drive
      ? await talk.drive()
      : await tellAndDrive(shell, call, talk.also ?? ["TURN_STARTED"], signal, driveOrFollow);
    const waiting = signal.aborted ? undefined : await findAsker(call, state);
    const isAsked = waiting !== undefined && isPersonHere(shell);
    const answered = isAsked && (await answerAll(shell, waiting, call));
    if (!answered)
      return { state, result: renderStanding(waiting?.call ?? call, waiting?.state ?? state, isAsked) };
  }
}

/** Questions are read and answered on the terminal itself; what is piped somewhere is no conversation. */
const isPersonHere = (shell: Shell): boolean => shell.interactive && isTerminal(2);

interface Waiting {
  readonly call: OperatorCall;
  readonly state: State;
}

/** The bubble, or the first of its children, that has a question. */
async function findAsker(call: OperatorCall, state: State): Promise<Waiting | undefined> {
  if (state.questions.length > 0) return { call, state };
  for (const { bubble, report } of state.children?.each ?? []) {
    if (!bubble || report) continue;
    const child = { ...call, bubble };
    const found = await findAsker(child, await loadCallState(child));
    if (found) return found;
  }
  return undefined;
}

/** One question after the other; false when the person leaves, or an answer belongs elsewhere. */
async function answerAll(shell: Shell, { call, state }: Waiting, top: OperatorCall): Promise<boolean> {
  const isChild = call.bubble !== top.bubble;
  let now = state;
  let before = "";
  while (now.questions.length > 0) {
    const question = now.questions[0] as Question;
    if (question.kind === "tree-changed") return false;
    // What is on the screen already is not said again after an answer that could not be taken.
    if (question.id !== before) show(shell, now, question);
    before = question.id;
    const said = await askUnlessAnswered(shell, call, question);
    if (said === "left") return false;
    now =
      (said !== "elsewhere" && (await answer(shell, call, now, said, isChild))) ||
      (await loadCallState(call));
  }
  return true;
}

function show(shell: Shell, state: State, question: Question): void {
  dropTypedAhead();
  shell.say(renderOpenQuestion(shell, state, question));
}

/** The person's words; or that the person has left, or that somebody answered through another door meanwhile. */
async function askUnlessAnswered(
  shell: Shell,
  call: OperatorCall,
  question: Question,
): Promise<TypedAnswer | "left" | "elsewhere"> {
  const [asking, elsewhere] = [new AbortController(), new AbortController()];
  const watched = watchQuestion(call, question.id, asking.signal, () => elsewhere.abort());
  try {
    const said = await askForAnswer(question, (prompt) => askLine(prompt, elsewhere.signal)).catch(
      leaveQuietly,
    );
    if (said && !elsewhere.signal.aborted) return said;
    // The cursor still stands behind the prompt.
    shell.say(elsewhere.signal.aborted ? `\n${question.id} was answered elsewhere` : "");
    return elsewhere.signal.aborted ? "elsewhere" : "left";
  } finally {
    asking.abort();
    await watched;
  }
}

/** Calls `gone` when the question is no longer open. */
async function watchQuestion(
  call: OperatorCall,
  id: string,
  signal: AbortSignal,
  gone: () => void,
): Promise<void> {
  const { world, bubble } = call;
  const isOpen = (state: State | undefined) => state?.questions.some((open) => open.id === id);
  const { head, state } = await load(world, bubble);
  if (!isOpen(state)) return gone();
  for await (const _news of world.log.subscribe(bubble, head, signal))
    if (!isOpen(await loadCallState(call))) return gone();
}

/** Ctrl-C leaves the question where it is, as the end of input does. */
function leaveQuietly(thrown: unknown): undefined {
  if (!isInterrupted(thrown)) throw thrown;
}

/** Why an answer does not do. What to type instead stands above: the hint is for those who answer elsewhere. */
function explainNotTaken(refusal: Refusal): string {
  const { hint: _elsewhere, details, ...rest } = refusal;
  const isChoice = refusal.code === "reply.needs-choice";
  return printTrouble(toTrouble({ ...rest, ...(isChoice || !details ? {} : { details }) }));
}

/** The state afterwards, where the answer was taken. A child has a driver of its own; the bubble itself is driven on by the command that asked. */
async function answer(
  shell: Shell,
  call: OperatorCall,
  state: State,
  said: TypedAnswer,
  isChild: boolean,
): Promise<State | undefined> {
  const { via, terminal } = requireGrantingDoor(call.world.repo, undefined, [state.turn, state.lastTurn]);
  const door = terminal === undefined ? describeSpeaker() : await describeTerminalDoor(terminal);
  const here = { ...call, via, door };
  const command = { type: "reply", question: (state.questions[0] as Question).id, ...said } as const;
  const handled = isChild ? await decideAndDrive(here, command) : await submit(here, command);
  if (!handled.refusal) return handled.state;
  shell.say(explainNotTaken(handled.refusal));
  return undefined;
}

/** Who asks what, and the options by number. */
function renderOpenQuestion(shell: Shell, state: State, question: Question): string {
  const { accent, bold, dim } = createInk(shell.colour);
  const left = state.questions.length;
  const who = question.from === "orchestrator" ? state.bubbleId : `${question.from} in ${state.bubbleId}`;
  const width = process.stderr.columns ?? 0;
  const [first = "", ...more] = toIndentedLines(question.text);
  const options = (question.options ?? []).map(({ key, does }, i) => [
    `  ${accent(String(i + 1))}`,
    toPlainLine(key),
    // An agent's own options say all by themselves.
    question.kind === "agent" ? "" : dim(toPlainLine(does)),
  ]);
  const head = `${toPlainLine(who)} asks${left > 1 ? ` (${left} questions are open)` : ""}: ${first}`;
  const [start = "", ...rest] = wrapLines(head, width, 2);
  return [
    "",
    start.replace(toPlainLine(who), bold(toPlainLine(who))),
    ...rest,
    ...more.flatMap((line) => wrapLines(`  ${line}`, width, 2)),
    ...renderTable(options, 2).flatMap((line) => wrapLines(line, width, 5)),
  ].join("\n");
}
