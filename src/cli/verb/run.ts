// One command line: find the verb, check who asks, run it, print the result, set the exit code.
import { refuseAgents } from "../../app/caller/guard.ts";
import { storeVariable } from "../../app/host/shared/store-choice.ts";
import type { chooseUnnamed } from "../../app/record/choose.ts";
import { closeStores } from "../../app/store/shared.ts";
import { quoteShellWord } from "../../core/model/value/shell-word.ts";
import { interruptedExit, isInterrupted } from "../terminal/interrupt.ts";
import { getScreenWidth, wrapSentences } from "../terminal/style.ts";
import { isTerminal, writeAll } from "../terminal/terminal.ts";
import type { CommandResult, Flags, Input, Shell, Verb } from "./declaration.ts";
import { renderGroupHelp, renderHelp, renderOverview, renderShortHelp } from "./help.ts";
import { findVerb, parseArguments } from "./parse.ts";
import { exitCodes, printTrouble, toTrouble } from "./result.ts";
import { refuseUnknownVerb } from "./unknown-verb.ts";

declare const __PAIRFLOW_VERSION__: string;
export const version = __PAIRFLOW_VERSION__;

/** The form of what `--json` prints: raised when a key is renamed or taken away, not when one is added. */
export const jsonVersion = 1;

interface LineSettings {
  readonly name: string;
  /** Every verb there is, for help; those of another bundle have their declaration and cannot be run. */
  readonly declared?: () => readonly Verb[];
  /** Finds the bubble that is meant when none is named. Bundles of verbs that are always told theirs have none. */
  readonly choose?: typeof chooseUnnamed;
}

export async function runLine(
  verbs: readonly Verb[],
  argv: readonly string[],
  settings: LineSettings,
): Promise<void> {
  const shell: Shell = {
    name: settings.name,
    cwd: process.cwd(),
    env: process.env,
    json: listOwnWords(argv).includes("--json"),
    say: (line) => writeAll(2, `${wrapSentences(line, line.length > narrowest ? getNarrationWidth() : 0)}\n`),
    print: (text) => writeAll(1, text.endsWith("\n") ? text : `${text}\n`),
    get colour() {
      return isTerminal(1) && !process.env.NO_COLOR && process.env.TERM !== "dumb";
    },
    get interactive() {
      return isTerminal(0) && isTerminal(1);
    },
  };
  const words = takeStore(argv);
  const code = await answerLine(
    shell,
    argv,
    () => dispatch(shell, verbs, words, settings),
    getNarrationWidth,
  );
  if (code !== undefined) process.exitCode = code;
  await closeStores();
}

/** What is shorter fits any terminal, so that nobody needs to ask how wide it is. */
const narrowest = 40;

/** Columns where narration goes; 0 where it is no terminal. */
const getNarrationWidth = (): number => (isTerminal(2) ? process.stderr.columns : undefined) ?? 0;

/** `--store` goes with every command: where its records are. The words without it. */
function takeStore(argv: readonly string[]): readonly string[] {
  const own = listOwnWords(argv);
  const at = own.findIndex((word) => word === "--store" || word.startsWith("--store="));
  if (at === -1) return argv;
  const isOneWord = own[at] !== "--store";
  const told = isOneWord ? own[at]?.slice("--store=".length) : own[at + 1];
  process.env[storeVariable] = told ?? "";
  return [...argv.slice(0, at), ...argv.slice(at + (isOneWord ? 1 : 2))];
}

/** Runs a line inside the process of another command: what a process of its own would print, and its exit code. */
export async function captureLine(
  verbs: readonly Verb[],
  argv: readonly string[],
  { cwd, env }: Pick<Shell, "cwd" | "env">,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const shell: Shell = {
    name: "pairflow",
    cwd,
    env,
    json: listOwnWords(argv).includes("--json"),
    say: (line) => void err.push(`${line}\n`),
    print: (text) => void out.push(text.endsWith("\n") ? text : `${text}\n`),
    colour: false,
    interactive: false,
  };
  const code = await answerLine(
    shell,
    argv,
    () => dispatch(shell, verbs, argv, { name: shell.name }),
    () => undefined,
  );
  return { code: code ?? 0, stdout: out.join(""), stderr: err.join("") };
}

/** Prints the result of a verb and returns the exit code; undefined where the verb continues. */
async function answerLine(
  shell: Shell,
  argv: readonly string[],
  work: () => Promise<CommandResult | undefined>,
  width: () => number | undefined,
): Promise<number | undefined> {
  try {
    const result = await work();
    return result && finish(shell, result, width);
  } catch (error) {
    return isInterrupted(error) ? sayLeft(shell, argv) : complain(shell, error, width);
  }
}

/** The cursor still stands behind the question, and the person who pressed Ctrl-C knows it; what is new is how to come back. */
function sayLeft(shell: Shell, argv: readonly string[]): number {
  shell.say(`\nLeft without an answer. Again: ${[shell.name, ...argv].map(quoteShellWord).join(" ")}`);
  return interruptedExit;
}

/** What stands behind `--` is not said to the command. */
const listOwnWords = (argv: readonly string[]): readonly string[] =>
  argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;

async function dispatch(
  shell: Shell,
  verbs: readonly Verb[],
  argv: readonly string[],
  { declared = () => verbs, choose }: LineSettings,
): Promise<CommandResult | undefined> {
  const first = argv[0];
  if (first === "--version" || first === "-v")
    return { text: version, json: { version, json_version: jsonVersion } };
  const asksHelp = first === "--help" || first === "-h" || first === "help";
  if (asksHelp) return { text: renderAskedHelp(declared(), argv.slice(1)) };
  const found = findVerb(verbs, argv);
  if (!found && listOwnWords(argv).some((word) => word === "--help" || word === "-h"))
    return { text: renderAskedHelp(declared(), findVerb(declared(), argv)?.verb.words.split(" ") ?? argv) };
  if (!found) throw refuseUnknownVerb(declared(), argv);
  const { verb, rest } = found;
  const input = parseArguments(verb, rest);
  if (input.help) return { text: renderAskedHelp(declared(), verb.words.split(" ")) };
  if (verb.access === "operator" || verb.access === "granting") refuseAgents(shell.env, verb.words);
  return verb.run(shell, choose ? await addMeantBubble(shell, verb, input, choose) : input);
}

/** The input with the bubble that is meant. Where something is changed, a bubble that was not named is told first. */
async function addMeantBubble(
  { cwd, env, say }: Shell,
  verb: Verb,
  input: Input<Flags>,
  choose: typeof chooseUnnamed,
): Promise<Input<Flags>> {
  const { suits, access, words: command } = verb;
  const { id, bubble, repo } = input.flags as Readonly<Record<string, string | undefined>>;
  const isEvery = verb.everyFlag !== undefined && Boolean(input.flags[verb.everyFlag]);
  const isNamed = suits === "named" || isEvery || (id ?? bubble) !== undefined;
  if (isNamed || verb.flags.id?.names !== "bubble") return input;
  const looks = access === "read";
  const meant = await choose({ repo, cwd, env, command, looks, ...(suits ? { suits } : {}) });
  if (!meant) return input;
  if (!looks) say(`${meant.id} is meant: ${meant.because}`);
  return { ...input, flags: Object.assign({}, input.flags, { id: meant.id }) };
}

/** What people do; all commands; or the one that these words name, and those that begin with them. */
function renderAskedHelp(verbs: readonly Verb[], asked: readonly string[]): string {
  const words = asked.filter((word) => !word.startsWith("-"));
  const isShort = words.length === 0 && !asked.includes("--all");
  if (isShort) return renderShortHelp(version, getScreenWidth());
  if (words.length === 0) return renderOverview(verbs, version, getScreenWidth());
  const found = findVerb(verbs, words);
  const verb = found?.rest.length === 0 ? found.verb : undefined;
  const group = renderGroupHelp(verbs, words.join(" "), getScreenWidth());
  if (!verb && group === undefined) throw refuseUnknownVerb(verbs, words);
  return [verb && renderHelp(verb, getScreenWidth()), group].filter(Boolean).join("\n");
}

function finish(shell: Shell, result: CommandResult, width: () => number | undefined): number {
  const { text, json, refusal, isTold, exitCode = 0 } = result;
  if (refusal && shell.json) return complain(shell, refusal, width, json);
  if (shell.json && json !== undefined) shell.print(JSON.stringify(json, null, 2));
  else if (text !== undefined) shell.print(text);
  if (!refusal) return exitCode;
  return isTold ? exitCodes[toTrouble(refusal).kind] : complain(shell, refusal, width);
}

function complain(shell: Shell, error: unknown, width: () => number | undefined, found?: unknown): number {
  const trouble = toTrouble(error);
  if (shell.json) tryPrint(shell, JSON.stringify({ ...Object(found), error: trouble }, null, 2));
  else shell.say(printTrouble(trouble, width()));
  return exitCodes[trouble.kind];
}

/** The trouble may be that nothing can be printed. */
function tryPrint(shell: Shell, text: string): void {
  try {
    shell.print(text);
  } catch {
    shell.say(text);
  }
}
