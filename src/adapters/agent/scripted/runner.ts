// The scripted agent's process: takes the entry of its turn and does step after step what it says, with real files,
// real programs and the real verbs. It has no rights of its own; its environment is that of the turn.

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import * as v from "valibot";
import { parseJson } from "../../../core/text/json.ts";
import { type Script, selectTurns } from "./script.ts";
import { movePlace, type ScriptPosition, ScriptPositions, takePlace } from "./script-cursor.ts";
import { readScript } from "./script-file.ts";
import { performScriptSteps, type ScriptSurroundings, type StepContext, scriptExit } from "./steps.ts";

export interface RunScriptOptions extends ScriptSurroundings {
  /** The script file. */
  readonly script: string;
  readonly session: string;
  readonly notice?: string;
  /** Where replies come in; stdin when left out. */
  readonly input?: NodeJS.ReadableStream;
}

/** Runs the entry of this turn and returns the exit code. */
export async function runScript(options: RunScriptOptions): Promise<number> {
  const { say, env, notice } = options;
  const read = readScript(options.script);
  if (!read.ok) {
    for (const problem of read.problems) say(problem);
    return scriptExit.badScript;
  }
  const script = selectTurns(read.script, env.PAIRFLOW_BUBBLE ?? "");
  say(`${getName(script)}: ${env.PAIRFLOW_ROLE ?? "no role"}, session ${options.session}`);
  if (notice) say(`> ${notice}`);
  const memory = readMemory(env);
  const taken = takePlace(script, await memory.load(), memory.turn);
  if (!taken) {
    say(
      `${getName(script)}: this is turn ${script.turns.length + 1}, and the script has only ${script.turns.length}`,
    );
    return scriptExit.noTurnLeft;
  }
  await memory.save(taken.places);
  return follow(script, taken.place, options, {
    moveTo: (from) => memory.save(movePlace(taken.places, memory.turn, from)),
  });
}

/** The stream is left alone until somebody listens, so that it keeps no process alive. */
function createInputReader(input: NodeJS.ReadableStream = process.stdin): () => Promise<string | undefined> {
  return () =>
    new Promise((resolve) => {
      const lines = createInterface({ input });
      lines.once("line", (line) => {
        resolve(line);
        lines.close();
      });
      lines.once("close", () => resolve(undefined));
    });
}

async function follow(
  script: Script,
  place: ScriptPosition,
  options: RunScriptOptions,
  memory: { moveTo(step: number): Promise<void> },
): Promise<number> {
  const entry = script.turns[place.entry];
  const role = options.env.PAIRFLOW_ROLE;
  if (!entry || (entry.role !== undefined && entry.role !== role)) {
    options.say(
      `${getName(script)}: turn ${place.entry + 1} of the script is for ${entry?.role}, not for ${role}`,
    );
    return scriptExit.wrongRole;
  }
  for (const [index, step] of entry.steps.entries()) {
    if (index < place.from || (step.once && !place.isFirstAttempt)) continue;
    const asked = () => memory.moveTo(index + 1);
    const doing: StepContext = {
      ...options,
      name: getName(script),
      hear: createInputReader(options.input),
      asked,
    };
    const end = await performScriptSteps(step, doing);
    if (end !== undefined) return end;
  }
  return scriptExit.done;
}

function getName({ agent }: Script): string {
  return agent ?? "scripted agent";
}

/** The agent's place, kept in the file the adapter names; run by hand without one, every run is the first turn. */
function readMemory(env: Readonly<Record<string, string>>) {
  const file = env.PAIRFLOW_SCRIPT_STATE;
  return {
    turn: env.PAIRFLOW_TURN_ID ?? "t1",

    async load(): Promise<ScriptPositions> {
      const text = file === undefined ? undefined : await readFile(file, "utf8").catch(ignoreMissing);
      return text === undefined ? {} : v.parse(ScriptPositions, parseJson(text));
    },

    async save(places: ScriptPositions): Promise<void> {
      if (file === undefined) return;
      await mkdir(dirname(file), { recursive: true });
      await writeFile(`${file}.${process.pid}`, JSON.stringify(places));
      await rename(`${file}.${process.pid}`, file);
    },
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
