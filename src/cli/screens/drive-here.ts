// Driving a bubble from this process: shared by the status pane and the headless terminal.
import { loadCallState, type OperatorCall } from "../../app/trust/operator-call.ts";
import { measureSilence } from "../../core/limits/watchdog.ts";
import type { Envelope } from "../../core/model/record/envelope.ts";
import type { State } from "../../core/model/state.ts";
import { suggestAnswerCommand } from "../../core/views/bubble/next-step.ts";
import { buildStatusView, listAskedQuestions } from "../../core/views/bubble/status.ts";
import { buildTimelineRow } from "../../core/views/history/timeline.ts";
import { load } from "../../engine/front/command.ts";
import { type DriveOptions, drive } from "../../engine/front/drive.ts";
import type { World } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import type { Beat } from "../../ports/record/records.ts";
import { renderQuestion } from "../render/bubble/question.ts";
import { isHousekeeping, renderTimelineRow } from "../render/bubble/timeline.ts";
import { formatDuration } from "../render/time.ts";
import { createStopSignal } from "../terminal/interrupt.ts";
import { getScreenWidth, wrap } from "../terminal/style.ts";
import type { CommandResult, Shell } from "../verb/declaration.ts";
import { getExitCode } from "../verb/exit-codes.ts";
import { createLifeLine, type LifeLine } from "./life-line.ts";
import { openStatusPane } from "./status-pane.ts";

/**
 * Drives headless until the bubble waits for a human or has ended, and says what to type then. Who begins to work is
 * news here: a turn may take minutes, and an empty screen says nothing.
 */
export async function driveHere(
  shell: Shell,
  call: OperatorCall,
  flags: { readonly "exit-code": boolean },
  signal: AbortSignal,
  also: readonly Envelope["type"][] = ["TURN_STARTED"],
): Promise<CommandResult> {
  const state = await tellAndDrive(shell, call, also, signal);
  return {
    ...renderStanding(call, state),
    ...getExitCode(flags, state.lifecycle, state.pause !== undefined),
  };
}

/** Where the bubble stands, what is asked in full unless it is on the screen already, and what to type now. */
export function renderStanding(call: OperatorCall, state: State, isAskedHere = false): CommandResult {
  const view = buildStatusView(state, { now: call.world.clock.now() });
  const next = state.questions.length > 0 ? suggestAnswerCommand(state) : view.next.command;
  const asked = isAskedHere ? [] : listAskedQuestions(state);
  return {
    text: [
      wrap(`${call.bubble} is ${state.lifecycle}: ${view.next.says}`, getScreenWidth(), 2),
      ...asked.flatMap((question) => renderQuestion(question, call.bubble, getScreenWidth())),
      ...(next ? [`Next: ${next}`] : []),
    ].join("\n"),
    json: view,
  };
}

/** Drives and tells the story line by line, from where the log is now; of the housekeeping only what is asked for. */
export function tellAndDrive(
  shell: Pick<Shell, "say" | "colour"> & Partial<Pick<Shell, "json">>,
  call: OperatorCall,
  also: readonly Envelope["type"][],
  signal: AbortSignal,
  driving = drive,
): Promise<State> {
  const life = createLifeLine(shell, call.world, call.bubble);
  const tell = (envelope: Envelope) => {
    if (!isHousekeeping(envelope) || also.includes(envelope.type))
      life.say(
        renderTimelineRow(buildTimelineRow(envelope), { colour: shell.colour, width: getScreenWidth() }),
      );
  };
  return driveTelling(life, call, tell, signal, driving).finally(life.end);
}

/** Drives until nothing can happen without a human; each new line of the log is handed to `tell`, in order. */
export async function driveTelling(
  life: Pick<LifeLine, "say"> & Partial<Pick<LifeLine, "show">>,
  call: OperatorCall,
  tell: (envelope: Envelope) => void,
  signal: AbortSignal,
  driving = drive,
): Promise<State> {
  const { world, bubble } = call;
  let { head } = await load(world, bubble);
  let telling = Promise.resolve();
  const tellNews = async () => {
    for await (const batch of world.log.read(bubble, head)) {
      head = batch.head;
      for (const envelope of batch.envelopes) tell(envelope);
    }
  };
  const tellSilence = createSilenceTeller(life, () => world.clock.now());
  const state = await driving(world, bubble, {
    signal,
    leaveWhenWaiting: true,
    onState: (now, beat) => {
      tellSilence(now, beat);
      life.show?.(now, beat);
      telling = telling.then(tellNews);
    },
    onFailure: (failure) => life.say(`Trouble: ${failure.message} (${failure.code})`),
  });
  await telling;
  await tellNews();
  return state;
}

/** Says once for each silence that the agent at work is silent; what it does is not known then. */
function createSilenceTeller(
  { say }: Pick<Shell, "say">,
  now: () => string,
): (state: State, beat: Beat) => void {
  let told = "";
  return (state, { lastSignAt }) => {
    const silence = `${state.turn?.id}.${state.turn?.attempt} ${lastSignAt}`;
    const ms = silence === told ? undefined : measureSilence(state, { now: now(), lastSignAt });
    if (ms === undefined) return;
    told = silence;
    say(
      `  nothing heard from ${state.turn?.agent} for ${formatDuration(ms)}: it works, or its model does not answer`,
    );
  };
}

const lookMs = 300;

/** As `drive`. A driver in the background leaves when the bubble rests; it is followed until then, and driven from here afterwards. */
export async function driveOrFollow(world: World, bubble: string, options: DriveOptions): Promise<State> {
  for (;;) {
    try {
      return await drive(world, bubble, options);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "driver.running") throw error;
    }
    await follow(world, bubble, options);
    if (options.signal.aborted) return loadCallState({ world, bubble });
  }
}

async function follow(world: World, bubble: string, { signal, onState }: DriveOptions): Promise<void> {
  for (;;) {
    const beat = await world.runtime.living(bubble);
    if (!beat || signal.aborted) return;
    onState?.(await loadCallState({ world, bubble }), beat);
    await world.clock.sleep(lookMs, signal);
  }
}

/** The status pane: one long-lived process that drives and shows; redrawn when something changes. */
export async function drivePane(
  call: OperatorCall,
  options: { leave: boolean; screen: boolean },
): Promise<State> {
  const { world, bubble } = call;
  const pane = options.screen ? openStatusPane(world, bubble) : undefined;
  return drive(world, bubble, {
    signal: createStopSignal(),
    leaveWhenWaiting: options.leave,
    onState: (state, beat) => pane?.show(state, beat),
    onFailure: (failure) => process.stderr.write(`Trouble: ${failure.message} (${failure.code})\n`),
  });
}
