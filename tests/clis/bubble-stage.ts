// One rig for many bubbles at once. Each bubble has a play of its own; beside the real CLI it is about sit plain programs
// that say what they were given, so that a test waits for nobody else.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { Envelope, EnvelopeOf, EnvelopeType } from "../../src/core/model/envelope.ts";
import type { StatusView } from "../../src/core/views/status.ts";
import type { Rig } from "../acceptance/rig.ts";
import { edit, setting } from "../helpers/desk.ts";
import type { Asked, Model, Said } from "../models/model.ts";
import { claudeSays, codexRuns, codexSays, type RealRig, realRig, review } from "./bubble-rig.ts";
import { claudeHome, codexHome } from "./home.ts";

export type Cli = "claude" | "codex";
export const clis = ["claude", "codex"] as const;

/** Generous: the machine may be busy with everything else. */
export const limitMs = 90_000;

export interface Stage {
  readonly tool: Rig;
  bubble(cast: Cast): Promise<Bubble>;
  close(): Promise<void>;
}

export interface Cast {
  readonly id: string;
  /** Who implements first, and who reviews; whoever is no real CLI needs settings. */
  readonly implementer: string;
  readonly reviewer?: string;
  /** What the model says in this bubble. */
  readonly model?: Model;
  /** `[agent.<name>]` in bubble.toml. */
  readonly agents?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly budget?: Readonly<Record<string, number>>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly test?: string;
}

export interface Bubble {
  readonly id: string;
  readonly tool: Rig;
  /** Drives it until it waits for a person. */
  start(): Promise<StatusView>;
  /** Starts a driver in the background and returns at once. */
  detach(): Promise<void>;
  /** Answers, and waits until it waits again. */
  reply(...words: string[]): Promise<StatusView>;
  /** Waits until it rests, as it is: `questions` more than were asked before, or an end. */
  rests(): Promise<StatusView>;
  until(wanted: (log: readonly Envelope[]) => boolean, what: string): Promise<void>;
  all<T extends EnvelopeType>(type: T): EnvelopeOf<T>["payload"][];
  /** Every attempt as `t1.1 codex resumed`. */
  attempts(): string[];
  /** Every end of an attempt that did not hand over: `t1.1 crashed`. */
  ends(): string[];
  /** What the model was asked for this bubble. */
  asked(): readonly Asked[];
  /** The prompt of an attempt, as it was written. */
  prompt(attempt: number): string;
  /** All that happened, for people who read why a test failed. */
  story(): Promise<string>;
}

/** A rig whose model knows from the prompt which bubble asks. */
export async function stage(): Promise<Stage> {
  const models = new Map<string, Model>();
  const real = await realRig((asked) => {
    const model = models.get(bubbleOf(asked));
    if (!model) throw new Error(`no bubble ${bubbleOf(asked)} is on this stage`);
    return model(asked);
  });
  return {
    tool: real.tool,
    async bubble(cast) {
      models.set(cast.id, cast.model ?? (() => ({ error: 400, message: "this bubble has no model" })));
      const tool = real.tool.with({ ...(await homeOf(real, cast.id)), ...cast.env });
      await create(tool, cast);
      return bubbleOn(tool, cast.id, () => real.server.asked.filter((asked) => bubbleOf(asked) === cast.id));
    },
    close: () => real[Symbol.asyncDispose](),
  };
}

/** A home for each bubble: a Codex that makes its files in a new home does not bear another one beside it. */
async function homeOf({ tool, server }: RealRig, id: string): Promise<Record<string, string>> {
  const home = { folder: join(tool.folder, "homes", id), url: server.url };
  const [claude, own] = [await claudeHome(home), await codexHome(home)];
  copyFileSync(join(tool.env.HOME ?? "", ".gitconfig"), join(home.folder, ".gitconfig"));
  return { ...claude.env, ...own.env, PATH: tool.env.PATH ?? "" };
}

function bubbleOf({ texts }: Asked): string {
  const title = /^(?:# |\[pairflow\] )(\S+?)(?: ·|,) round \d+/m;
  const found = [...texts].reverse().flatMap((text) => title.exec(text)?.[1] ?? []);
  return found[0] ?? "";
}

async function create(tool: Rig, cast: Cast): Promise<void> {
  const { id, implementer, reviewer = "clerk", test = "true" } = cast;
  const who = ["--implementer", implementer, "--reviewer", reviewer];
  await tool.ok("bubble", "create", "--id", id, "--task", "Make the total right", "--test", test, ...who);
  const agents = { ...quick, ...(reviewer === "clerk" ? { clerk: clerk(tool, id) } : {}), ...cast.agents };
  const tables = Object.entries(agents).map(([name, settings]) => `\n[agent.${name}]\n${lines(settings)}`);
  edit(
    tool,
    id,
    (text) => `${text.replace("[budget]", `[budget]\n${lines(cast.budget ?? {})}`)}${tables.join("")}`,
  );
  for (const [key, value] of Object.entries(cast.settings ?? {})) setting(tool, id, key, value);
}

const lines = (table: Readonly<Record<string, unknown>>) =>
  Object.entries(table)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
    .join("");

/** What is worth another try is the referee's business: Codex itself tries nothing again here. */
export const codex = {
  adapter: "codex",
  config: ["request", "stream"].map((what) => `model_providers.scripted.${what}_max_retries=0`),
};
const quick = { claude: { adapter: "claude" }, codex };

/** A reviewer that only asks whether this is enough: the bubble rests as soon as something is handed over. */
const clerk = (tool: Rig, id: string) => program(tool, `${id}-clerk`, [{ says: asksForMore }]);
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

export interface Line {
  /** Shell commands, run in the worktree. */
  readonly does?: string;
  /** Printed as the answer. */
  readonly says?: object;
}

/** Settings of an agent that is a shell script: one line of the play for each attempt. */
export function program(tool: Rig, name: string, play: readonly Line[]): Record<string, unknown> {
  const folder = join(tool.folder, name);
  mkdirSync(folder);
  for (const [at, { does = "", says }] of play.entries()) {
    writeFileSync(join(folder, `${at + 1}.json`), says ? JSON.stringify(says) : "");
    writeFileSync(join(folder, `${at + 1}.sh`), `${does}\n`);
  }
  const count = `nr=$(($(cat "${folder}/count" 2>/dev/null || echo 0) + 1)); echo $nr > "${folder}/count"`;
  writeFileSync(join(folder, "run.sh"), `${count}\n. "${folder}/$nr.sh"\ncat "${folder}/$nr.json"\n`);
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

export interface Never {
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

const isOver = ["CANCELLED", "FAILED", "READY_FOR_APPROVAL", "DONE"];

function bubbleOn(tool: Rig, id: string, asked: () => readonly Asked[]): Bubble {
  const all = <T extends EnvelopeType>(type: T) =>
    tool
      .log(id)
      .flatMap((envelope) => (envelope.type === type ? [envelope.payload as EnvelopeOf<T>["payload"]] : []));
  const bubble: Bubble = {
    ...{ id, tool, all, asked },
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
    rests: () =>
      tool.until(
        id,
        ({ state, driver }) => !driver.alive && (state === "WAITING_HUMAN" || isOver.includes(state)),
        `${id} rests`,
        limitMs,
      ),
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
  };
  return bubble;
}
