// The scripted agent as a program for tests: what the hidden verb does, with a stand-in for the verbs. The stand-in
// writes down how it was called, and refuses when it is told to.
import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { runScript } from "../../src/adapters/agent/scripted/runner.ts";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";

/** One call of a verb, as the stand-in writes it down. */
export interface Claim {
  readonly turn: string | undefined;
  readonly words: readonly string[];
}

const [verb = "", ...rest] = process.argv.slice(2);
if (verb === "scripted-agent") void play();
else claim();

async function play(): Promise<void> {
  const processes = createNodeProcesses();
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args: rest, options: { script: text, session: text, notice: text } });
  process.exitCode = await runScript({
    script: values.script ?? "",
    session: values.session ?? "",
    ...(values.notice === undefined ? {} : { notice: values.notice }),
    env: process.env as Record<string, string>,
    cwd: process.cwd(),
    processes,
    callVerb: (words, options) => processes.exec([...process.argv.slice(0, 2), ...words], options),
    say: (line) => process.stdout.write(`${line}\n`),
  });
}

function claim(): void {
  const { TEST_CLAIMS: file, PAIRFLOW_TURN: turn } = process.env;
  const made: Claim = { turn, words: [verb, ...rest] };
  if (file) appendFileSync(file, `${JSON.stringify(made)}\n`);
  if (!rest.some((word) => word.includes("bogus"))) return;
  process.stderr.write("Error: that is not how it goes\n");
  process.exitCode = 2;
}
