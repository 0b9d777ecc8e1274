// A whole bubble whose every change of the records is written down, and what its commands said: all that is needed to
// take the power away at any moment afterwards.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createScripted, fullPackage, type Rig, rig, shortest } from "../../acceptance/rig.ts";
import type { Change } from "./volume.ts";

export const id = "b1";
export const stopped = "b2";

const preload = join(import.meta.dirname, "preload.cjs");

/** A question, a clean round, and a second one by the other agent when a person sends the result back. */
const [edit, converge] = shortest.implementer;
const [review] = shortest.reviewer;
const again = {
  role: "implementer",
  steps: [
    { write: { path: "src/cart.txt", text: "total: two\n" } },
    { pass: { summary: "in words", ...fullPackage } },
  ],
};
const turns = {
  implementer: [
    { role: "implementer", steps: [{ ask: "Which total?" }, ...(edit?.steps ?? [])] },
    converge,
    review,
  ],
  reviewer: [review, again, converge],
};

export interface Watch {
  /** Where every change of the records is written down. */
  readonly journal?: string;
  /** Where the calls of the process that has this verb among its arguments are counted, and which of them fails, how. */
  readonly calls?: string;
  readonly fault?: { readonly verb: string; readonly nth: number; readonly code: string };
  /** Drivers end at once: what is looked at is the command alone. */
  readonly withoutDrivers?: boolean;
}

/** The command as it is, with every process of it loading preload.cjs first. */
export function watched(tool: Rig, watch: Watch): Rig {
  const file = join(tool.folder, `watch-${Math.random().toString(36).slice(2)}.cjs`);
  const settings = JSON.stringify({ disk: join(tool.repo, ".pairflow"), ...watch });
  writeFileSync(file, `globalThis.watchedDisk = ${settings};\nrequire(${JSON.stringify(preload)});\n`);
  return tool.with({ NODE_OPTIONS: `--require=${file}` });
}

export interface Journaled {
  readonly tool: Rig;
  readonly changes: readonly Change[];
  /** What was typed, with the number of changes at its end. */
  readonly typed: readonly { readonly command: string; readonly at: number }[];
}

/** Plays every kind of acknowledged command once: two bubbles, one committed, one stopped and put away. */
export async function playJournaled(): Promise<Journaled> {
  const tool = rig();
  const journal = join(tool.folder, "journal");
  const seen = watched(tool, { journal });
  const typed: { command: string; at: number }[] = [];
  const lines = () => (existsSync(journal) ? readFileSync(journal, "utf8").split("\n").slice(0, -1) : []);
  const type = async (...words: string[]) => {
    await seen.ok(...words);
    typed.push({ command: words.slice(0, 2).join(" "), at: lines().length });
  };
  const create = async (bubble: string) => {
    await createScripted(seen, bubble, turns as never);
    typed.push({ command: "bubble create", at: lines().length });
    const path = join(tool.repo, ".pairflow", "bubbles", bubble, "bubble.toml");
    // An agent gets what it is given by name, and its verbs are to be seen too.
    const text = readFileSync(path, "utf8").replaceAll(
      "script = ",
      'variables = ["NODE_OPTIONS"]\nscript = ',
    );
    writeFileSync(path, text);
    const data = Buffer.from(text).toString("base64");
    appendFileSync(journal, `${JSON.stringify({ pid: 0, op: "outside", path, data })}\n`);
  };
  const ready = () =>
    tool.until(
      id,
      ({ state, driver }) => state === "READY_FOR_APPROVAL" && !driver.alive,
      "ready for approval, and nobody drives",
      60_000,
    );
  const key = ["--operator-key", tool.key];
  await create(id);
  await type("bubble", "start", "--id", id, "--headless");
  await type("bubble", "reply", "--id", id, "--message", "Two");
  await ready();
  await type("bubble", "request-rework", "--id", id, "--message", "In words");
  await ready();
  await type("bubble", "approve", "--id", id, "--yes", ...key);
  await type("bubble", "commit", "--id", id, ...key);
  await create(stopped);
  await type("bubble", "start", "--id", stopped, "--headless");
  await type("bubble", "stop", "--id", stopped);
  await type("bubble", "delete", "--id", stopped, "--discard");
  const changes = lines().map((line) => JSON.parse(line) as Change);
  return { tool, changes, typed };
}
