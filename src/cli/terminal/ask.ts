// Asking a person at the terminal.
import { closeSync, constants, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { interrupted } from "./interrupt.ts";
import { isTerminal } from "./terminal.ts";

/** One of the given keys; asks again until it is one. An empty line is `byEnter`, the end of input the last key. */
export async function askKey(
  question: string,
  keys: readonly string[],
  byEnter?: string,
  signal?: AbortSignal,
): Promise<string> {
  for (;;) {
    const line = (await askLine(question, signal))?.trim().toLowerCase();
    const key = line === undefined ? keys.at(-1) : line === "" ? byEnter : line[0];
    if (key !== undefined && (line === undefined || keys.includes(key))) return key;
    process.stderr.write(`Type one of the letters ${keys.join(", ")}, then Enter.\n`);
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
