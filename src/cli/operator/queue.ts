// Several bubbles driven from one terminal, a few at a time: each until it needs a person or has ended, then the next one.

import { listBubbles } from "../../app/record/listing.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { renderTable } from "../render/table.ts";
import { renderStanding, tellAndDrive } from "../screens/drive-here.ts";
import { startTelling } from "../screens/start-here.ts";
import { createStopSignal } from "../terminal/interrupt.ts";
import type { CommandResult, Shell } from "../verb/declaration.ts";
import { type CommandTrouble, exitCodes, toTrouble } from "../verb/result.ts";
import { openCall } from "./operator-call.ts";

interface QueueFlags {
  readonly repo?: string;
  readonly yes: boolean;
}

interface QueueResult {
  readonly id: string;
  /** Where it stopped, or the code of what was in the way. */
  readonly state: string;
  readonly next: string;
  /** Why it could not be started. */
  readonly trouble?: CommandTrouble;
}

/** Bubbles that nobody has started, oldest first; children are started by their parents. */
export async function listWaitingToStart(world: RecordWorld): Promise<string[]> {
  const listed = await listBubbles(world);
  return listed
    .filter(({ summary }) => summary?.state === "CREATED" && summary.parent === undefined)
    .sort((a, b) => ((a.summary?.at ?? "") < (b.summary?.at ?? "") ? -1 : 1))
    .map(({ id }) => id);
}

export async function driveQueue(
  shell: Shell,
  ids: readonly string[],
  flags: QueueFlags,
  parallel: number,
): Promise<CommandResult> {
  const signal = createStopSignal();
  const waiting = [...ids];
  const results: QueueResult[] = [];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift())
      results.push(await driveOne(shell, { id, flags, signal, isAlone: parallel === 1 }));
  };
  await Promise.all(Array.from({ length: Math.min(parallel, ids.length) }, work));
  const left = ids.filter((id) => !results.some((result) => result.id === id));
  const all: readonly QueueResult[] = [
    ...results,
    ...left.map((id) => ({ id, state: "CREATED", next: `pairflow start ${id}` })),
  ];
  const rows = all.map(({ id, state, next }) => [id, state, next]);
  const error = results.find((result) => result.trouble !== undefined)?.trouble;
  return {
    ...(error ? { exitCode: exitCodes[error.kind] } : {}),
    text: renderTable(rows).join("\n"),
    json: {
      bubbles: all.map(({ id, trouble: _trouble, ...rest }) => ({ bubble: id, ...rest })),
      ...(error ? { error } : {}),
    },
  };
}

interface QueuedBubble {
  readonly id: string;
  readonly flags: QueueFlags;
  readonly signal: AbortSignal;
  /** Nobody else writes to this terminal. */
  readonly isAlone: boolean;
}

/** One that cannot be started does not hold up the others. */
async function driveOne(shell: Shell, { id, flags, signal, isAlone }: QueuedBubble): Promise<QueueResult> {
  // Two last lines would draw over each other.
  const named = isAlone
    ? shell
    : { ...shell, json: true, say: (line: string) => shell.say(`${id}: ${line.trimStart()}`) };
  try {
    const call = await openCall(shell, { ...flags, id }, "process");
    const started = await startTelling(named, call, "process", { signal });
    if (started.refusal) throw started.refusal;
    shell.say(`Started ${id}`);
    const state = await tellAndDrive(named, call, ["TURN_STARTED"], signal);
    const { text = "" } = renderStanding(call, state, true);
    return { id, state: state.lifecycle, next: /^Next: (.*)$/m.exec(text)?.[1] ?? "" };
  } catch (error) {
    const trouble = toTrouble(error);
    const { code, message, hint = "" } = trouble;
    shell.say(`${id}: ${message} (${code})`);
    return { id, state: code, next: hint, trouble };
  }
}
