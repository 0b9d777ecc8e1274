// One whole bubble as a person plays it: created, started, a question answered, approved, committed. The operator does
// what status says, so he also carries on wherever somebody was killed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StatusView } from "../../src/core/views/bubble/status.ts";
import { oneLoop, type Rig, rig } from "../acceptance/rig.ts";
import { recordChange, recordStamp } from "../helpers/record-changes.ts";

export const bubble = "b1";
const answer = "Two";
/** How long a bubble may run without a driver before the operator brings one: a background driver needs to start. */
const patienceMs = 2500;
const limitMs = 120_000;

/** The loop of the acceptance tests, with a question before the first edit. */
const turns = {
  ...oneLoop,
  implementer: oneLoop.implementer.map((entry, index) =>
    index === 0 ? { ...entry, steps: [{ ask: "Which total?" }, ...entry.steps] } : entry,
  ),
};

/** Another run than the one of `pair`: its agents stand in the project's configuration. */
export interface Story {
  /** Writes what the run needs into the repository. */
  readonly prepare: (tool: Rig) => void;
  /** The flags of `bubble create`, without the id. */
  readonly created: readonly string[];
  /** What a person answers: whatever is asked, or by the kind of the question. */
  readonly reply?: readonly string[] | ((kind: string) => readonly string[]);
}

export interface Playing {
  /** Left out: the loop of the acceptance tests with a question. */
  readonly story?: Story;
  /** The process that passes this crash point is killed there; 0 for nobody. */
  readonly crashAt?: number;
  /** Without panes, driven from the operator's own command, unless said otherwise. */
  readonly inPanes?: boolean;
  /** Further flags of `bubble create`. */
  readonly created?: readonly string[];
  /** Called with the rig when the play begins; what it returns is called at the end. */
  readonly beside?: (tool: Rig) => () => void;
}

export interface Played {
  readonly tool: Rig;
  /** Every crash point that was passed, in order, by any process of the bubble. */
  readonly points: readonly string[];
  /** The point at which a process was killed. */
  readonly killedAt: string | undefined;
  /** What the operator typed, and how it ended. */
  readonly typed: readonly string[];
  /** Commands that were not killed and did not succeed either. */
  readonly troubles: readonly string[];
}

/** Plays the bubble to its end. */
export async function play(playing: Playing = {}): Promise<Played> {
  const tool = rig();
  const operator = new Operator(tool, playing);
  const end = playing.beside?.(tool);
  try {
    await operator.playToTheEnd();
  } catch (error) {
    end?.();
    const story = await tool.run("log", "--id", bubble, "--all");
    await tool.close();
    throw new Error(`${(error as Error).message}; typed: ${operator.typed.join(", ")}\n${story.stdout}`);
  }
  end?.();
  const { typed, troubles, killedAt, points } = operator;
  return { tool, typed, troubles, killedAt, points };
}

class Operator {
  readonly typed: string[] = [];
  readonly troubles: string[] = [];
  readonly #tool: Rig;
  readonly #steered: Rig;
  readonly #file: string;
  readonly #seat: readonly string[];
  readonly #created: readonly string[];
  readonly #story: Story | undefined;
  #undrivenSince = 0;

  constructor(tool: Rig, { crashAt = 0, inPanes = false, created = [], story }: Playing) {
    this.#tool = tool;
    this.#story = story;
    story?.prepare(tool);
    this.#file = join(tool.folder, "crash-points");
    this.#seat = inPanes ? [] : ["--headless"];
    const usual = ["--task", "Make the total right", "--test", "grep -q total src/cart.txt"];
    this.#created = [...(story?.created ?? usual), ...created];
    const at = crashAt > 0 ? { PAIRFLOW_CRASH_AT: String(crashAt) } : {};
    this.#steered = tool.with({ PAIRFLOW_CRASH_FILE: this.#file, ...at });
  }

  get points(): string[] {
    return readFileSync(this.#file, "utf8").split("\n").slice(0, -1);
  }

  get killedAt(): string | undefined {
    const note = `${this.#file}.killed`;
    return existsSync(note) ? readFileSync(note, "utf8") : undefined;
  }

  async playToTheEnd(): Promise<void> {
    for (const end = Date.now() + limitMs; ; ) {
      const status = await this.#status();
      if (status?.state === "DONE") return;
      if (Date.now() > end) throw new Error(`${status?.state} for ever`);
      if (this.troubles.length > 3) throw new Error(this.troubles.join("\n"));
      await this.#act(status);
    }
  }

  async #status(): Promise<StatusView | undefined> {
    const asked = await this.#tool.run("bubble", "status", "--id", bubble, "--json");
    return asked.code === 0 ? JSON.parse(asked.stdout) : undefined;
  }

  async #act(status: StatusView | undefined): Promise<void> {
    const key = ["--operator-key", this.#tool.key];
    switch (status?.state) {
      case undefined:
        return this.#types("create", ...this.#created);
      case "CREATED":
        if (!this.#story) this.#findUsualAgents();
        return this.#types("start", ...this.#seat);
      case "PREPARING_WORKSPACE":
      case "RUNNING":
        return this.#seeThatItIsDriven(status);
      case "WAITING_HUMAN":
        return this.#types("reply", ...this.#answerTo(status), ...(this.#story?.reply ? key : []));
      case "READY_FOR_APPROVAL":
        return this.#types("approve", "--yes", ...key);
      case "APPROVED_FOR_COMMIT":
        return this.#types("commit", ...key);
      default:
        throw new Error(`it is ${status?.state}: ${JSON.stringify(status?.end)}`);
    }
  }

  #answerTo({ questions }: StatusView): readonly string[] {
    const reply = this.#story?.reply ?? ["--message", answer];
    return typeof reply === "function" ? reply(questions[0]?.kind ?? "") : reply;
  }

  async #seeThatItIsDriven({ driver }: StatusView): Promise<void> {
    const { repo } = this.#tool;
    if (driver.alive) this.#undrivenSince = 0;
    else this.#undrivenSince ||= Date.now();
    if (driver.alive || Date.now() - this.#undrivenSince < patienceMs)
      return recordChange(repo, bubble, recordStamp(repo, bubble));
    this.#undrivenSince = 0;
    await this.#types("resume", ...this.#seat);
  }

  /** As a person edits bubble.toml before the start. */
  #findUsualAgents(): void {
    const file = join(this.#tool.repo, ".pairflow", "bubbles", bubble, "bubble.toml");
    const text = readFileSync(file, "utf8");
    if (text.includes('adapter = "scripted"')) return;
    const agent = (name: string, script: unknown) =>
      `\n[agent.${name}]\nadapter = "scripted"\nscript = ${JSON.stringify(this.#tool.script(name, script))}\n`;
    writeFileSync(file, text + agent("codex", turns.implementer) + agent("claude", turns.reviewer));
  }

  async #types(verb: string, ...flags: string[]): Promise<void> {
    const tool = this.killedAt ? this.#tool : this.#steered;
    const { code, stdout, stderr } = await tool.run("bubble", verb, "--id", bubble, ...flags);
    this.typed.push(`${verb} (${code})`);
    const wasKilled = code === 128;
    if (code !== 0 && !wasKilled) this.troubles.push(`${verb} ended with ${code}: ${stdout}${stderr}`);
  }
}
