// One command line: find the verb, check who asks, run it, print the result, set the exit code.
import { refuseAgents } from "../../app/caller/guard.ts";
import { interruptedExit, isInterrupted } from "../terminal/interrupt.ts";
import { getScreenWidth } from "../terminal/style.ts";
import { isTerminal, writeAll } from "../terminal/terminal.ts";
import type { CommandResult, Shell, Verb } from "./declaration.ts";
import { renderGroupHelp, renderHelp, renderOverview } from "./help.ts";
import { findVerb, parseArguments } from "./parse.ts";
import { exitCodes, printTrouble, toTrouble } from "./result.ts";
import { refuseUnknownVerb } from "./unknown-verb.ts";

declare const __PAIRFLOW_VERSION__: string;
export const version = __PAIRFLOW_VERSION__;

/** `declared`: every verb there is, for help; those of another bundle have their declaration and cannot be run. */
export async function runLine(
  verbs: readonly Verb[],
  argv: readonly string[],
  name = "pairflow",
  declared: () => readonly Verb[] = () => verbs,
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
      return isTerminal(1) && !process.env.NO_COLOR && process.env.TERM !== "dumb";
    },
    get interactive() {
      return isTerminal(0) && isTerminal(1);
    },
  };
  try {
    const result = await dispatch(shell, verbs, argv, declared);
    if (result) finish(shell, result);
  } catch (error) {
    complain(shell, error);
  }
}

async function dispatch(
  shell: Shell,
  verbs: readonly Verb[],
  argv: readonly string[],
  declared: () => readonly Verb[],
): Promise<CommandResult | undefined> {
  const first = argv[0];
  if (first === "--version" || first === "-v") return { text: version, json: { version } };
  const asksHelp = first === "--help" || first === "-h" || first === "help";
  if (asksHelp) return { text: helpAbout(declared(), argv.slice(1)) };
  const found = findVerb(verbs, argv);
  if (!found && argv.some((word) => word === "--help" || word === "-h"))
    return { text: helpAbout(declared(), argv) };
  if (!found) throw refuseUnknownVerb(declared(), argv);
  const { verb, rest } = found;
  const input = parseArguments(verb, rest);
  if (input.help) return { text: renderHelp(verb, getScreenWidth()) };
  if (verb.access === "operator" || verb.access === "granting") refuseAgents(shell.env, verb.words);
  return verb.run(shell, input);
}

/** All commands; or the one that these words name, and those that begin with them. */
function helpAbout(verbs: readonly Verb[], asked: readonly string[]): string {
  const words = asked.filter((word) => !word.startsWith("-"));
  if (words.length === 0) return renderOverview(verbs, version, getScreenWidth());
  const verb = verbs.find((one) => one.words === words.join(" "));
  const group = renderGroupHelp(verbs, words.join(" "), getScreenWidth());
  if (!verb && group === undefined) throw refuseUnknownVerb(verbs, words);
  return [verb && renderHelp(verb, getScreenWidth()), group].filter(Boolean).join("\n");
}

function finish(shell: Shell, result: CommandResult): void {
  if (result.refusal) {
    complain(shell, result.refusal);
    return;
  }
  if (shell.json && result.json !== undefined) shell.print(JSON.stringify(result.json, null, 2));
  else if (result.text !== undefined) shell.print(result.text);
  process.exitCode = result.exitCode ?? 0;
}

function complain(shell: Shell, error: unknown): void {
  if (isInterrupted(error)) {
    // The cursor still stands behind the question, and whoever pressed Ctrl-C knows it.
    shell.say("");
    process.exitCode = interruptedExit;
    return;
  }
  const trouble = toTrouble(error);
  process.exitCode = exitCodes[trouble.kind];
  if (shell.json) tryPrint(shell, JSON.stringify({ error: trouble }, null, 2));
  else shell.say(printTrouble(trouble, isTerminal(2) ? process.stderr.columns : undefined));
}

/** The trouble may be that nothing can be printed. */
function tryPrint(shell: Shell, text: string): void {
  try {
    shell.print(text);
  } catch {
    shell.say(text);
  }
}
