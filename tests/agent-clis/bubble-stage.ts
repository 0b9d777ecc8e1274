// One bubble around one real CLI: beside it sit plain programs that say what they were given, so that a test waits for
// nobody else. Every bubble has a repository of its own: the sandboxes of two Claude Codes in one repository put their
// mount points into the same git folder and stumble over each other.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { Envelope, EnvelopeOf, EnvelopeType } from "../../src/core/model/record/envelope.ts";
import type { StatusView } from "../../src/core/views/bubble/status.ts";
import type { Rig } from "../acceptance/rig.ts";
import { changeSetting, edit } from "../helpers/operator.ts";
import type { Asked, Model, Said } from "../models/model.ts";
import { treeMark } from "../models/tree.ts";
import { claudeSays, codexRuns, codexSays, type RealRig, realRig, review } from "./bubble-rig.ts";

export type Cli = "claude" | "codex";
export const clis = ["claude", "codex"] as const;

/** Generous: the machine may be busy with everything else. */
const limitMs = 90_000;

export const id = "total";

interface Cast {
  /** Who implements first. */
  readonly implementer: string;
  /** Who reviews; by default somebody who only asks whether this is enough. */
  readonly reviewer?: string;
  /** What the model says in this bubble. */
  readonly model?: Model;
  /** `[agent.<name>]` in bubble.toml. */
  readonly agents?: Readonly<Record<string, Settings>>;
  /** Agents that are shell scripts. */
  readonly programs?: Readonly<Record<string, readonly Line[]>>;
  readonly budget?: Settings;
  readonly notifications?: Settings;
  /** Other settings in bubble.toml, as they are written there. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The gate, or what makes it from the folder of the rig. */
  readonly test?: string | ((folder: string) => string);
  /** Files of the base commit: the project's own rules. */
  readonly files?: Readonly<Record<string, string>>;
}

type Settings = Readonly<Record<string, unknown>>;

export interface Bubble {
  readonly tool: Rig;
  /** Drives it until it waits for a person. */
  start(): Promise<StatusView>;
  /** Starts a driver in the background and returns at once. */
  detach(): Promise<void>;
  /** Answers, and waits until it waits again. */
  reply(...words: string[]): Promise<StatusView>;
  /** Waits until it waits for a person, or is over. */
  rests(): Promise<StatusView>;
  until(wanted: (log: readonly Envelope[]) => boolean, what: string): Promise<void>;
  all<T extends EnvelopeType>(type: T): EnvelopeOf<T>["payload"][];
  /** Every attempt as `t1.1 codex resumed`. */
  attempts(): string[];
  /** Every end of an attempt that did not hand over: `t1.1 crashed`. */
  ends(): string[];
  /** What the model was asked. */
  asked(): readonly Asked[];
  /** The prompt of an attempt, as it was written. */
  prompt(attempt: number): string;
  /** Lets time pass for Pairflow, and for nobody else. */
  later(minutes: number): void;
  /** All that happened, for people who read why a test failed. */
  story(): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A repository, a home and a model for this bubble alone, created and not yet started. */
export async function staged(cast: Cast): Promise<Bubble> {
  const real = await realRig(cast.model ?? (() => ({ error: 400, message: "this bubble has no model" })));
  const clock = join(real.tool.folder, "clock-shift");
  const tool = real.tool.with({ PAIRFLOW_CLOCK_SHIFT_FILE: clock, ...cast.env });
  await create(tool, cast);
  return bubbleOn({ ...real, tool }, clock);
}

async function create(
  tool: Rig,
  { implementer, reviewer = "clerk", test = "true", ...cast }: Cast,
): Promise<void> {
  for (const [path, text] of Object.entries(cast.files ?? {})) tool.write(path, text);
  if (cast.files) tool.git("add", "-A");
  if (cast.files) tool.git("commit", "-q", "-m", "rules");
  const who = ["--implementer", implementer, "--reviewer", reviewer];
  const gate = typeof test === "string" ? test : test(tool.folder);
  await tool.ok("bubble", "create", "--id", id, "--task", "Make the total right", "--test", gate, ...who);
  const programs = Object.entries({ clerk: [{ says: asksForMore }], ...cast.programs });
  const agents: Record<string, Settings> = {
    ...quick,
    ...Object.fromEntries(programs.map(([name, play]) => [name, program(tool, name, play)])),
    ...cast.agents,
  };
  const tables = Object.entries(agents).map(([name, settings]) => `\n[agent.${name}]\n${lines(settings)}`);
  edit(tool, id, (text) => `${text}${tables.join("")}`);
  // Only what the cast says: no default limit is in the way.
  edit(tool, id, (text) => text.replace(/\[budget\]\n(?:\w.*\n)*/, `[budget]\n${lines(cast.budget ?? {})}`));
  edit(tool, id, (text) =>
    text.replace("[notifications]\n", `[notifications]\n${lines(cast.notifications ?? {})}`),
  );
  for (const [key, value] of Object.entries(cast.settings ?? {})) changeSetting(tool, id, key, value);
}

const lines = (table: Settings) =>
  Object.entries(table)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
    .join("");

/** What is worth another try is the referee's business: Codex itself tries nothing again here. */
export const codex = {
  adapter: "codex",
  config: ["request", "stream"].map((what) => `model_providers.scripted.${what}_max_retries=0`),
};
const quick = { claude: { adapter: "claude" }, codex };

/** A reviewer that only asks this lets the bubble rest as soon as something is handed over. */
const enough = "Is this enough?";
export const asksForMore = review("", { status: "needs_input", questions: [{ question: enough }] });

/** The turn counts: whoever comes next has been asked to look at it, and asks a person. */
export async function handedOver(
  bubble: Bubble,
  rests: Promise<StatusView>,
  to = "clerk",
): Promise<StatusView> {
  const status = await rests;
  expect(status.questions, await bubble.story()).toMatchObject([{ kind: "agent", text: enough, from: to }]);
  return status;
}

/** Which prompts of ours were known to the session that spoke last: `the` implementer, or `still the` implementer. */
export function promptsKnown(bubble: Bubble): string[] {
  const texts = bubble.asked().at(-1)?.texts ?? [];
  return texts.flatMap((text) => /^# \S+ · round \d+ · \S+ is (the|still the)/.exec(text)?.[1] ?? []);
}

interface Line {
  /** Shell commands, run in the worktree. */
  readonly does?: string;
  /** Printed as the answer. */
  readonly says?: object;
}

/** Settings of an agent that is a shell script: one line of the play for each attempt. */
function program(tool: Rig, name: string, play: readonly Line[]): Settings {
  const folder = join(tool.folder, name);
  mkdirSync(folder);
  for (const [at, { does = "", says }] of play.entries()) {
    writeFileSync(join(folder, `${at + 1}.json`), says ? JSON.stringify(says) : "");
    writeFileSync(join(folder, `${at + 1}.sh`), `${does}\n`);
  }
  const count = `nr=$(($(cat "${folder}/count" 2>/dev/null || echo 0) + 1)); echo $nr > "${folder}/count"`;
  const says = `sed "s/${treeMark}/$PAIRFLOW_TREE/g" "${folder}/$nr.json"`;
  writeFileSync(join(folder, "run.sh"), `${count}\n. "${folder}/$nr.sh"\n${says}\n`);
  return { adapter: "command", command: `sh ${join(folder, "run.sh")}` };
}

/** The words of one model, request after request. */
export function saying(...says: readonly (Said | ((asked: Asked) => Said | Promise<Said>))[]): Model {
  let nr = 0;
  return (asked) => {
    const said = says[nr++];
    if (!said) throw new Error(`nothing to say to request ${nr}`);
    return typeof said === "function" ? said(asked) : said;
  };
}

/** The CLI's own way to run a command in the worktree. */
export const runs = (cli: Cli, command: string): Said =>
  cli === "codex"
    ? codexRuns(command)
    : {
        calls: [{ tool: "Bash", input: { command, description: "Does it" } }],
        usage: { input: 150, output: 15 },
      };

export const setsTotal = (cli: Cli, total = 2): Said =>
  runs(cli, `printf 'total: ${total}\\n' > src/cart.txt`);
export const answers = (cli: Cli, answer: object): Said =>
  cli === "codex" ? codexSays(answer) : claudeSays(answer);

interface Never {
  /** Resolves when the model has been asked for it. */
  readonly isReached: Promise<void>;
  /** Not even a first byte comes. */
  line(): Promise<Said>;
  /** It begins to speak, and stops in the middle. */
  stall(): Said;
}

/** Words that never come. */
export function never(): Never {
  let reached = () => {};
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  return {
    isReached,
    line() {
      reached();
      return new Promise<Said>(() => {});
    },
    stall() {
      reached();
      return { text: "I think", stallMs: 600_000 };
    },
  };
}

/** Looked up in the file, which costs less than a command: somebody is asked, or has to sign, or it is over. */
function isResting(log: readonly Envelope[]): boolean {
  const open = new Set<string>();
  for (const { type, seq, payload } of log) {
    if (type === "HUMAN_QUESTION") open.add(`q${seq}`);
    if (type === "HUMAN_REPLY" || type === "QUESTION_WITHDRAWN") open.delete(payload.question);
    if (type === "RESUMED") open.clear();
  }
  const rests: readonly string[] = ["APPROVAL_REQUEST", "CANCELLED", "FAILED"];
  return open.size > 0 || rests.includes(log.at(-1)?.type ?? "");
}

function bubbleOn(real: RealRig, clock: string): Bubble {
  const { tool, server } = real;
  let shift = 0;
  const all = <T extends EnvelopeType>(type: T) =>
    tool
      .log(id)
      .flatMap((envelope) => (envelope.type === type ? [envelope.payload as EnvelopeOf<T>["payload"]] : []));
  const bubble: Bubble = {
    ...{ tool, all },
    asked: () => server.asked,
    async start() {
      await tool.ok("bubble", "start", "--id", id, "--headless");
      return tool.status(id);
    },
    async detach() {
      await tool.ok("bubble", "start", "--id", id, "--headless", "--detach");
    },
    async reply(...words) {
      await tool.ok("bubble", "reply", "--id", id, ...words);
      return bubble.rests();
    },
    async rests() {
      await bubble.until(isResting, "a rest");
      return tool.until(id, ({ driver }) => !driver.alive, "the driver leaves", limitMs);
    },
    later(minutes) {
      shift += minutes * 60_000;
      writeFileSync(clock, `0 ${shift}`);
    },
    async until(wanted, what) {
      for (const end = Date.now() + limitMs; ; await pause(50)) {
        if (wanted(tool.log(id))) return;
        if (Date.now() > end) throw new Error(`never: ${what}\n${await bubble.story()}`);
      }
    },
    attempts: () =>
      all("TURN_STARTED").map(
        ({ turn, attempt, agent, fresh }) => `${turn}.${attempt} ${agent} ${fresh ? "fresh" : "resumed"}`,
      ),
    ends: () => all("TURN_ENDED").map(({ turn, attempt, outcome }) => `${turn}.${attempt} ${outcome}`),
    story: () => tool.ok("log", "--id", id, "--all"),
    prompt(attempt) {
      const name = all("TURN_STARTED")[attempt - 1]?.prompt ?? "";
      return readFileSync(join(tool.repo, ".pairflow", "bubbles", id, "artifacts", name), "utf8");
    },
    [Symbol.asyncDispose]: () => real[Symbol.asyncDispose](),
  };
  return bubble;
}
