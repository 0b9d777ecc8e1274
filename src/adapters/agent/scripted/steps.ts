// What each step of a script does. A step returns the exit code with which the process ends, or nothing to continue.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { quoteShellWord } from "../../../core/model/value/shell-word.ts";
import type { ExecOptions, ExecResult, Processes } from "../../../ports/system/process.ts";
import type { ActionName, ActionValue, ScriptStep } from "./script.ts";

/** What a scripted agent has around it. */
export interface ScriptSurroundings {
  /** Runs a command of Pairflow: its words, its folder, and its result. */
  callVerb(words: readonly string[], options: ExecOptions): Promise<ExecResult>;
  /** The environment of the turn, given on to every program and verb. */
  readonly env: Readonly<Record<string, string>>;
  /** The worktree. */
  readonly cwd: string;
  readonly processes: Processes;
  /** Prints one line to the pane. */
  say(line: string): void;
}

export interface StepContext extends ScriptSurroundings {
  readonly name: string;
  /** The next line typed or pasted into the pane; undefined when none can come. */
  hear(): Promise<string | undefined>;
  /** Remembers that this question was asked, so that a later attempt continues behind it. */
  asked(): Promise<void>;
}

/** What the process ends with, beside the code of a `crash`. */
export const scriptExit = { done: 0, badScript: 2, wrongRole: 3, failed: 4, noTurnLeft: 5 } as const;

type End = number | undefined;
type Beside = Pick<ScriptStep, "on_refused" | "expect_exit">;
type Performer<A extends ActionName> = (
  value: ActionValue<A>,
  doing: StepContext,
  beside: Beside,
) => Promise<End>;

const limitMs = 120_000;

const performers: { readonly [A in ActionName]: Performer<A> } = {
  say: async (line, { say }) => speak(say, line),
  nonsense: async (line, { say }) => speak(say, line),
  wait: async (ms) => void (await pause(ms)),
  write: (file, doing) => edit(doing, file.path, async () => file.text),
  replace: (change, doing) => edit(doing, change.path, (path) => replaceInFile(path, change)),
  delete: async (path, { cwd }) => void (await rm(resolve(cwd, path), { recursive: true, force: true })),
  run: (line, doing, beside) => run(doing, ["/bin/sh", "-c", line], line, beside),
  pass: (claim, doing, beside) => runVerb(doing, passArguments(claim), beside),
  converge: (claim, doing, beside) => runVerb(doing, buildConvergeArguments(claim), beside),
  review: async (written, doing, beside) => runVerb(doing, await listReviewArguments(doing, written), beside),
  paper: async (value, doing, beside) => runVerb(doing, await writePaperArguments(doing, value), beside),
  verb: (words, doing, beside) => runVerb(doing, words, beside),
  ask,
  hang: waitForever,
  crash: async (how) => {
    if (how !== "kill") return how;
    process.kill(process.pid, "SIGKILL");
    return waitForever();
  },
  spawn_orphan: async (_, { processes, cwd, env }) => {
    const work = env.PAIRFLOW_WORK ?? "scripted-orphan";
    await processes.spawn({ argv: ["sleep", "300"], cwd, env, output: "/dev/null", work });
    return undefined;
  },
};

/** Does one step. */
export async function performScriptSteps(
  { action, value, ...beside }: ScriptStep,
  doing: StepContext,
): Promise<End> {
  return (performers[action] as Performer<ActionName>)(value as never, doing, beside);
}

function speak(say: (line: string) => void, text: string): undefined {
  for (const line of text.trimEnd().split("\n")) say(line);
}

async function waitForever(): Promise<never> {
  for (;;) await pause(3_600_000);
}

/** Asks the human. Without `wait` the process ends and the turn is taken up again after the reply. */
async function ask(asked: ActionValue<"ask">, doing: StepContext, beside: Beside): Promise<End> {
  const result = await call(doing, askArguments(asked));
  if (result.code !== 0) return handleRefused(doing, "ask-human", result.code, beside);
  await doing.asked();
  // An earlier attempt was cut off behind this question; its answer is in the prompt.
  if (/^Already asked .* and answered/m.test(result.stdout)) return undefined;
  if (!asked.wait) return scriptExit.done;
  const reply = await doing.hear();
  if (reply === undefined) return scriptExit.done;
  doing.say(`< ${reply}`);
  return undefined;
}

async function runVerb(doing: StepContext, words: readonly string[], beside: Beside): Promise<End> {
  const { code } = await call(doing, words);
  return code === (beside.expect_exit ?? 0) ? undefined : handleRefused(doing, words[0] ?? "", code, beside);
}

/** Writes the review where files are handed in, and names it. */
async function listReviewArguments(doing: StepContext, written: ActionValue<"review">): Promise<string[]> {
  const { PAIRFLOW_OUT = doing.cwd, PAIRFLOW_TREE = "" } = doing.env;
  const text = typeof written === "string" ? written : JSON.stringify(written, null, 2);
  const file = resolve(PAIRFLOW_OUT, "review.json");
  await writeFile(file, text.replaceAll("{{tree}}", PAIRFLOW_TREE));
  return ["pass", `--review-file=${file}`];
}

async function writePaperArguments(doing: StepContext, value: ActionValue<"paper">): Promise<string[]> {
  const { PAIRFLOW_OUT = doing.cwd } = doing.env;
  const file = resolve(PAIRFLOW_OUT, "paper.json");
  await writeFile(file, JSON.stringify(value, null, 2));
  return ["pass", "--summary=the paper is written", `--paper=${file}`];
}

async function call(doing: StepContext, words: readonly string[]): Promise<ExecResult> {
  doing.say(`$ pairflow ${words.map(quoteShellWord).join(" ")}`);
  return show(doing, await doing.callVerb(words, buildOptions(doing)));
}

function handleRefused({ say, name }: StepContext, what: string, code: number, beside: Beside): End {
  if (beside.on_refused === "continue") return undefined;
  say(`${name}: pairflow ${what} ended with ${code}`);
  return scriptExit.failed;
}

async function run(doing: StepContext, argv: readonly string[], line: string, beside: Beside): Promise<End> {
  doing.say(`$ ${line}`);
  const { code } = show(doing, await doing.processes.exec(argv, buildOptions(doing)));
  if (code === (beside.expect_exit ?? 0)) return undefined;
  doing.say(`${doing.name}: \`${line}\` ended with ${code}`);
  return scriptExit.failed;
}

const buildOptions = ({ cwd, env }: StepContext): ExecOptions => ({ cwd, env, timeoutMs: limitMs });

function show({ say }: StepContext, result: ExecResult): ExecResult {
  for (const stream of [result.stdout, result.stderr]) {
    if (stream.trim() !== "") speak(say, stream);
  }
  return result;
}

async function edit(
  doing: StepContext,
  path: string,
  text: (path: string) => Promise<string | undefined>,
): Promise<End> {
  const file = resolve(doing.cwd, path);
  const next = await text(file);
  if (next === undefined) {
    doing.say(`${doing.name}: ${path} does not hold the text to replace`);
    return scriptExit.failed;
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, next);
  doing.say(`wrote ${path}`);
  return undefined;
}

/** The text with every place replaced. Done before, as in a second attempt, it stays as it is. */
async function replaceInFile(file: string, change: ActionValue<"replace">): Promise<string | undefined> {
  const before = await readFile(file, "utf8").catch(() => "");
  if (before.includes(change.find)) return before.replaceAll(change.find, () => change.with);
  return change.with !== "" && before.includes(change.with) ? before : undefined;
}

/** Flags whose name is not simply the word with dashes. */
const flagOf: Readonly<Record<string, string>> = {
  findings: "finding",
  disputes: "dispute",
  sops: "sop",
  refs: "ref",
  options: "option",
};

export const passArguments = (claim: ActionValue<"pass">): string[] => ["pass", ...listFlags(claim)];
const buildConvergeArguments = (claim: ActionValue<"converge">): string[] => [
  "converged",
  ...listFlags(claim),
];

function askArguments({ wait: _, ...asked }: ActionValue<"ask">): string[] {
  return ["ask-human", ...listFlags(asked)];
}

function listFlags(words: object): string[] {
  return Object.entries(words).flatMap(([word, value]) => {
    const flag = `--${flagOf[word] ?? word.replaceAll("_", "-")}`;
    if (value === true) return [flag];
    const values: (string | number)[] = Array.isArray(value) ? value : [value];
    // With `=`, so that a value may begin with a dash.
    return values.map((one) => `${flag}=${one}`);
  });
}
