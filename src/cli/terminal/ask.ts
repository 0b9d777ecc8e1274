// Asking a person at the terminal.
import { closeSync, constants, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { interrupted } from "./interrupt.ts";
import { isLeavingKey, type KeyReader, listenForKeys } from "./keys.ts";
import { isTerminal } from "./terminal.ts";

/** How long a hand may take from one key of a word to the next. */
const sameWordMs = 200;
const mistypedWordMs = 500;

/** One of the given keys, as it is pressed; asks again until it is one. Enter is `byEnter`, the end of input the last key. */
export async function askKey(
  question: string,
  keys: readonly string[],
  byEnter?: string,
  signal?: AbortSignal,
): Promise<string> {
  dropTypedAhead();
  const pressed = listenForKeys();
  signal?.addEventListener("abort", pressed.wake);
  try {
    process.stderr.write(question);
    for (;;) {
      const key = signal?.aborted ? undefined : await pressed.next(Number.POSITIVE_INFINITY);
      if (signal?.aborted || key === "\u0003") throw interrupted;
      if (key === undefined) continue;
      const answer = readAnswer(key, keys, byEnter);
      if (answer !== undefined) {
        process.stderr.write(`${answer}\n`);
        // Hands that are used to Enter, or that type the whole word, have answered this question and not the next one.
        if (!isEnter(key)) await dropWord(pressed, sameWordMs);
        return answer;
      }
      await dropWord(pressed, mistypedWordMs);
      process.stderr.write(`\nPress one of the keys ${keys.join(", ")}.\n${question}`);
    }
  } finally {
    signal?.removeEventListener("abort", pressed.wake);
    pressed.stop();
  }
}

const isEnter = (key: string | undefined): boolean => key === "\r" || key === "\n";

function readAnswer(key: string, keys: readonly string[], byEnter: string | undefined): string | undefined {
  if (isEnter(key)) return byEnter;
  return isLeavingKey(key) ? keys.at(-1) : keys.find((one) => one === key.toLowerCase());
}

/** Forgets what is typed up to Enter, or until the hand rests. */
async function dropWord(pressed: KeyReader, restMs: number): Promise<void> {
  for (let key = await pressed.next(restMs); key !== undefined; key = await pressed.next(restMs)) {
    if (key === "\u0003") throw interrupted;
    if (isEnter(key)) return;
  }
}

/** A line, or undefined at the end of input. Throws `interrupted` at Ctrl-C, and when the signal says so. */
export async function askLine(question: string, signal?: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  let leave = () => {};
  try {
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(interrupted);
      // On a terminal in raw mode Ctrl-C is a key; elsewhere it is a signal, which the caller may be waiting for.
      lines.once("SIGINT", leave);
      signal?.addEventListener("abort", leave, { once: true });
    });
    const closed = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
    if (signal?.aborted) leave();
    return await Promise.race([left, lines.question(question), closed]);
  } finally {
    signal?.removeEventListener("abort", leave);
    lines.close();
  }
}

/** Forgets what was typed on the terminal before anybody was asked: it is no answer to a question nobody had seen. */
export function dropTypedAhead(): void {
  if (!isTerminal(0)) return;
  // A line that was begun can be read in raw mode only.
  process.stdin.setRawMode(true);
  try {
    const terminal = openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const typed = Buffer.alloc(4096);
      while (readSync(terminal, typed) > 0);
    } finally {
      closeSync(terminal);
    }
  } catch {
    // Nothing is left, or there is no terminal of ours.
  } finally {
    process.stdin.setRawMode(false);
  }
}
