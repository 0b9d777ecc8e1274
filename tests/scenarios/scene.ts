// A scenario of the specification on stage: a repository whose agents follow scripts as real processes, one workflow file, and the
// commands a person types. Nothing reaches into the referee; what happened is read from the record and the files.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { InboxItem } from "../../src/core/views/bubble/inbox.ts";
import type { StatusView } from "../../src/core/views/bubble/status.ts";
import { fullPackage, type Ran, type Rig, rig } from "../acceptance/rig.ts";
import { configure, linesOf } from "../cli/workflow-scene.ts";
import { closeAfterFile } from "../helpers/after-file.ts";

export { walked } from "../cli/workflow-scene.ts";

export interface Play {
  /** The workflow as its author writes it. */
  readonly workflow: string;
  /** Its file below flows/; the ending says which form it has. */
  readonly file?: string;
  /** What each agent does, turn by turn. */
  readonly agents: Readonly<Record<string, readonly unknown[]>>;
  /** More of .pairflow/config.yaml; with `defaults:` in it reviews are judged as the project says. */
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export const id = "work";

export class Scene {
  readonly tool: Rig;
  readonly file: string;

  constructor({ workflow, file = "work.yaml", agents, config, files = {} }: Play) {
    this.tool = rig({ files: { ...files } });
    closeAfterFile(() => this.tool.close());
    this.file = `flows/${file}`;
    this.tool.write(this.file, workflow);
    configure(this.tool, agents, config);
  }

  /** The same scene, its commands with these variables. */
  with(env: Record<string, string>): Scene {
    return Object.assign(Object.create(Scene.prototype) as Scene, this, { tool: this.tool.with(env) });
  }

  /** `pairflow workflow run`, driven from this terminal until somebody is asked or it is over. */
  run(...flags: string[]): Promise<Ran> {
    const gates = flags.includes("--test") || flags.includes("--yes") ? [] : ["--test", "true"];
    const task = flags.includes("--task") ? [] : ["--task", "Design the shop"];
    const words = ["workflow", "run", this.file, "--id", id, "--headless", ...task, ...gates];
    return this.tool.run(...words, ...flags);
  }

  /** The same, and it must come to a stop without trouble. */
  async plays(...flags: string[]): Promise<StatusView> {
    const done = await this.run(...flags);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    return this.status();
  }

  status(): Promise<StatusView> {
    return this.tool.status(id);
  }

  until(state: StatusView["state"]): Promise<StatusView> {
    return this.tool.until(id, (status) => status.state === state, `${id} is ${state}`, 60_000);
  }

  get log(): Envelope[] {
    return this.tool.log(id);
  }

  lines<T extends Envelope["type"]>(type: T) {
    return linesOf(this.log, type);
  }

  /** Whose turns there were: step and agent, in order. */
  get turns(): string[] {
    return this.lines("TURN_STARTED")
      .filter(({ payload }) => payload.attempt === 1)
      .map(({ payload }) => `${payload.role} ${payload.agent}`);
  }

  /** What the agent was told in each of its turns. */
  prompts(agent: string): string[] {
    return this.lines("TURN_STARTED")
      .filter(({ payload }) => payload.agent === agent)
      .map(({ payload }) => this.artifact(payload.prompt));
  }

  path(name: string): string {
    return join(this.tool.repo, ".pairflow", "bubbles", id, "artifacts", name);
  }

  artifact(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  /** A file of the record changed behind the referee's back. */
  tamper(path: string, change: (text: string) => string): void {
    const before = readFileSync(path, "utf8");
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(path, after);
  }

  async inbox(): Promise<InboxItem[]> {
    return JSON.parse(await this.tool.ok("inbox", "--json")).items;
  }

  answers(choice: string, message: string, ...flags: string[]): Promise<string> {
    const said = ["--choose", choice, "--message", message, "--operator-key", this.tool.key];
    return this.tool.ok("bubble", "reply", "--id", id, ...said, ...flags);
  }

  /** Signs what is there and commits it. */
  async signs(): Promise<void> {
    await this.tool.ok("bubble", "approve", "--id", id, "--yes", "--operator-key", this.tool.key);
    await this.tool.ok("bubble", "commit", "--id", id, "--operator-key", this.tool.key);
  }

  committed(path: string): string {
    return this.tool.git("show", `bubble/${id}:${path}`);
  }
}

/** Waits until something holds; tests that run side by side have no polling of their own. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await holds()); await sleep(20))
    if (Date.now() > end) throw new Error(`never: ${what}`);
}

/** A producer's turn: a file, and its handoff with everything a package needs. */
export const makes = (path: string, text: string, summary = `wrote ${path}`, more: object = {}) => ({
  steps: [{ write: { path, text } }, { pass: { summary, ...fullPackage, ...more } }],
});

/** A critic's turn in the words of its dialect. */
export const reviews = (review: object) => ({ steps: [{ review: { tree: "{{tree}}", ...review } }] });
