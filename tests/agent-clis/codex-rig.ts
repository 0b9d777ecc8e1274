// A repository with a worktree, a home and a scripted model around the real Codex, for one test.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCodexAgent } from "../../src/adapters/agent/codex/adapter.ts";
import type { TurnEnd } from "../../src/core/model/turn-end.ts";
import type { AgentAdapter, TurnEvent, TurnRequest } from "../../src/ports/agent/adapter.ts";
import type { Model, Said } from "../models/model.ts";
import { type ModelServer, startModelServer } from "../models/server.ts";
import { type HeadlessRun, runHeadless } from "./headless-run.ts";
import { cliProgram, codexHome } from "./home.ts";

export interface CodexRig {
  readonly folder: string;
  readonly worktree: string;
  readonly server: ModelServer;
  readonly env: Readonly<Record<string, string>>;
  readonly adapter: AgentAdapter;
  request(changes?: Partial<TurnRequest>): TurnRequest;
  run(request: TurnRequest): HeadlessRun;
  /** Runs a turn until it says how it ended, and ends the process as a driver does: Codex would wait for the next turn. */
  turn(request: TurnRequest): Promise<{ end: TurnEnd; run: HeadlessRun }>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface RigOptions {
  readonly model: Model;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Pairflow's own command; by default a program that must not be run. */
  readonly command?: readonly string[];
}

export const answerSchema = {
  type: "object",
  additionalProperties: false,
  required: ["summary"],
  properties: { summary: { type: "string" } },
};

/** The final answer of a turn, as the model says it. */
export const answers = (summary: string): Said => ({ text: JSON.stringify({ summary }) });

/** How a turn ends that was answered like this: what was said, and the very text of it. */
export const answered = (answer: object) => ({ outcome: "answered", answer, text: JSON.stringify(answer) });

/** A new file by Codex's own tool. */
export const patch = (path: string, line: string): Said => ({
  calls: [
    { tool: "apply_patch", input: `*** Begin Patch\n*** Add File: ${path}\n+${line}\n*** End Patch\n` },
  ],
});

export const shell = (cmd: string, more: Readonly<Record<string, unknown>> = {}): Said => ({
  calls: [{ tool: "exec_command", input: { cmd, ...more } }],
});

/** Says the next of these each time it is asked; the last one from then on. */
export function inTurn(...says: readonly Said[]): Model {
  return ({ nr }) => says[Math.min(nr, says.length) - 1] ?? { text: "" };
}

export function ofType<T extends TurnEvent["type"]>(
  events: readonly TurnEvent[],
  type: T,
): Extract<TurnEvent, { type: T }>[] {
  return events.filter((event): event is Extract<TurnEvent, { type: T }> => event.type === type);
}

/** The id Codex gave its thread. */
export function sessionOf(events: readonly TurnEvent[]): string {
  return ofType(events, "session")[0]?.id ?? "";
}

export async function codexRig({ model, settings = {}, command = ["false"] }: RigOptions): Promise<CodexRig> {
  const folder = await mkdtemp(join(tmpdir(), "pairflow-codex-"));
  const at = (name: string) => join(folder, name);
  const [worktree, out, promptFile] = [at("worktree"), at("out"), at("prompt.md")];
  await Promise.all([mkdir(out), mkdir(at("tmp")), writeFile(promptFile, "Do the work.\n")]);
  await makeRepository(at("repository"), worktree);
  const server = await startModelServer(model);
  const home = await codexHome({ folder: at("home"), url: server.url });
  // Codex makes its sandbox helpers in its home, and refuses to below the system's temporary folder.
  const env = { ...home.env, TMPDIR: at("tmp"), ...timeZone };
  const adapter = createCodexAgent({ command });
  const runs: HeadlessRun[] = [];
  const run = (request: TurnRequest) => {
    const headless = adapter.headless(request);
    const started = runHeadless({ headless, cwd: worktree, env, folder, name: `run-${runs.length + 1}` });
    runs.push(started);
    return started;
  };
  return {
    ...{ folder, worktree, server, env, adapter, run },
    request: (changes) => ({
      settings: {
        adapter: "codex",
        program: cliProgram("codex"),
        model: "gpt-5.5",
        config: once,
        ...settings,
      },
      ...{ agent: "codex", role: "implementer", session: "not-known-yet", fresh: true },
      ...{ notice: `Read ${promptFile} and do what it says.`, promptFile, prompt: "Do the work." },
      ...{ answerSchema, worktree, out, readOnly: false },
      ...changes,
    }),
    async turn(request) {
      const started = run(request);
      const { end } = await started.event("over");
      started.kill("SIGTERM");
      await started.exited();
      return { end, run: started };
    },
    async [Symbol.asyncDispose]() {
      for (const started of runs) started.kill("SIGKILL");
      await Promise.all(runs.map((started) => started.exited()));
      await server.close();
      // What the CLI's own helpers still write while they end is waited for.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Codex names hours of the machine it runs on. */
const timeZone: Record<string, string> = process.env.TZ === undefined ? {} : { TZ: process.env.TZ };

/** A model that fails is asked once; Codex would ask again for half a minute. */
const once = ["request_max_retries", "stream_max_retries"].map((key) => `model_providers.scripted.${key}=0`);

async function makeRepository(repository: string, worktree: string): Promise<void> {
  await mkdir(repository);
  await writeFile(join(repository, "a.txt"), "a\n");
  const git = (...words: string[]) => execFileSync("git", ["-C", repository, ...words], { stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  git("add", ".");
  git("-c", "user.name=Test", "-c", "user.email=test@localhost", "commit", "--quiet", "-m", "start");
  git("worktree", "add", "--quiet", "-b", "bubble", worktree);
}
