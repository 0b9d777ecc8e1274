// Asking a person at the terminal.
import { createInterface } from "node:readline/promises";

/** One of the given keys; asks again until it is one. An empty line is `byEnter`, the end of input the last key. */
export async function askKey(question: string, keys: readonly string[], byEnter?: string): Promise<string> {
  for (;;) {
    const line = (await askLine(question))?.trim().toLowerCase();
    const key = line === undefined ? keys.at(-1) : line === "" ? byEnter : line[0];
    if (key !== undefined && (line === undefined || keys.includes(key))) return key;
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
