// Asking a person at the terminal.
import { createInterface } from "node:readline/promises";
import type { Shell } from "./verb.ts";

/** One of the given keys; asks again until it is one. End of input is the last key. */
export async function askKey(_shell: Shell, question: string, keys: readonly string[]): Promise<string> {
  for (;;) {
    const answer = (await askLine(question))?.trim().toLowerCase()[0];
    if (answer === undefined) return keys.at(-1) ?? "";
    if (keys.includes(answer)) return answer;
  }
}

/** A line, or undefined at the end of input. */
export async function askLine(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
}
