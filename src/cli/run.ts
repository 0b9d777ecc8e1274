// One command line: find the verb, check who asks, run it, print what came of it, set the exit code.
import { refuseAgents } from "../app/guard.ts";
import { nearest } from "../core/workflow/nearest.ts";
import { findVerb, parse } from "./args.ts";
import { helpOf, overview } from "./help.ts";
import { exitCodes, printTrouble, troubleOf, usage } from "./outcome.ts";
import { isTerminal, writeAll } from "./terminal.ts";
import type { Result, Shell, Verb } from "./verb.ts";

declare const __PAIRFLOW_VERSION__: string;
export const version = __PAIRFLOW_VERSION__;

export async function runLine(
  verbs: readonly Verb[],
  argv: readonly string[],
  name = "pairflow",
): Promise<void> {
  const json = argv.includes("--json");
  const shell: Shell = {
    name,
    cwd: process.cwd(),
    env: process.env,
    json,
    say: (line) => writeAll(2, `${line}\n`),
    print: (text) => writeAll(1, text.endsWith("\n") ? text : `${text}\n`),
    get colour() {
      return isTerminal(1) && !process.env.NO_COLOR;
    },
    get interactive() {
      return isTerminal(0) && isTerminal(1);
    },
  };
  try {
    const result = await dispatch(shell, verbs, argv);
    if (result) finish(shell, result);
  } catch (error) {
    complain(shell, error);
  }
}

async function dispatch(
  shell: Shell,
  verbs: readonly Verb[],
  argv: readonly string[],
): Promise<Result | undefined> {
  const first = argv[0];
  if (first === "--version" || first === "-v") return { text: version, json: { version } };
  if (first === "--help" || first === "-h" || first === "help") return { text: overview(verbs, version) };
  const found = findVerb(verbs, argv);
  if (!found) throw unknownVerb(verbs, argv);
  const { verb, rest } = found;
  const input = parse(verb, rest);
  if (input.help) return { text: helpOf(verb) };
  if (verb.access === "operator" || verb.access === "granting") refuseAgents(shell.env, verb.words);
  return verb.run(shell, input);
}

function unknownVerb(verbs: readonly Verb[], argv: readonly string[]) {
  const words = argv.filter((word) => !word.startsWith("-")).slice(0, 2);
  const known = verbs.filter((verb) => !verb.hidden).map((verb) => verb.words);
  const inGroup = known.filter((verb) => verb.startsWith(`${words[0]} `));
  const typed = inGroup.length > 0 ? words.join(" ") : (words[0] ?? "");
  return usage(
    "usage.unknown-command",
    `there is no command ${typed || argv[0]}${nearest(typed, inGroup.length > 0 ? inGroup : known)}`,
    "pairflow help",
  );
}

function finish(shell: Shell, result: Result): void {
  if (result.refusal) {
    complain(shell, result.refusal);
    return;
  }
  if (shell.json && result.json !== undefined) shell.print(JSON.stringify(result.json, null, 2));
  else if (result.text !== undefined) shell.print(result.text);
  process.exitCode = result.exitCode ?? 0;
}

function complain(shell: Shell, error: unknown): void {
  const trouble = troubleOf(error);
  if (shell.json) shell.print(JSON.stringify({ error: trouble }, null, 2));
  else shell.say(printTrouble(trouble));
  process.exitCode = exitCodes[trouble.kind];
}
