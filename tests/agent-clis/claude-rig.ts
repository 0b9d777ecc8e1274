// A repository with a worktree, a home and a scripted model around the real Claude Code, for one test.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createClaudeAgent } from "../../src/adapters/agent/claude/adapter.ts";
import type { AgentSettings } from "../../src/core/model/config.ts";
import type { TurnRequest } from "../../src/ports/agent/adapter.ts";
import type { Model } from "../models/model.ts";
import { type ModelServer, startModelServer } from "../models/server.ts";
import { type HeadlessRun, runHeadless } from "./headless-run.ts";
import { type CliHome, type CliName, claudeHome, cliProgram } from "./home.ts";

export interface ClaudeRig {
  readonly folder: string;
  readonly worktree: string;
  /** The main checkout, whose git folder the worktree shares. */
  readonly repository: string;
  readonly server: ModelServer;
  readonly home: CliHome;
  request(changes?: Partial<TurnRequest>): TurnRequest;
  run(request: TurnRequest, env?: Readonly<Record<string, string>>): HeadlessRun;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface RigOptions {
  readonly model: Model;
  readonly settings?: Partial<AgentSettings>;
  /** The program; by default the native one. */
  readonly program?: CliName;
  /** Pairflow's own command; by default a program that must not be run. */
  readonly command?: readonly string[];
}

export const answerSchema = {
  type: "object",
  additionalProperties: false,
  required: ["summary"],
  properties: { summary: { type: "string" } },
};

export const answers = (summary: string) => ({ calls: [{ tool: "StructuredOutput", input: { summary } }] });

export async function claudeRig({
  model,
  settings,
  program = "claude",
  command = ["false"],
}: RigOptions): Promise<ClaudeRig> {
  const folder = await mkdtemp(join(tmpdir(), "pairflow-claude-"));
  const [repository, worktree, out] = ["repository", "worktree", "out"].map((name) => join(folder, name));
  const places = { repository: repository ?? "", worktree: worktree ?? "", out: out ?? "" };
  await mkdir(places.out);
  await makeRepository(places.repository, places.worktree);
  const server = await startModelServer(model);
  const home = await claudeHome({ folder: join(folder, "home"), url: server.url });
  const adapter = createClaudeAgent({ command });
  const runs: HeadlessRun[] = [];
  const promptFile = join(folder, "artifacts", "prompts", "prompt.md");
  await mkdir(dirname(promptFile), { recursive: true });
  await writeFile(promptFile, "Do the work.\n");
  return {
    ...{ folder, repository: places.repository, worktree: places.worktree, server, home },
    request: (changes) => ({
      settings: { adapter: "claude", program: cliProgram(program), ...settings },
      ...{ agent: "claude", role: "implementer", session: randomUUID(), fresh: true },
      ...{ notice: `Read ${promptFile} and do what it says.`, promptFile, prompt: "Do the work." },
      ...{ answerSchema, worktree: places.worktree, out: places.out, readOnly: false },
      ...changes,
    }),
    run(request, env = {}) {
      const headless = adapter.headless(request);
      const name = `run-${runs.length + 1}`;
      const run = runHeadless({
        headless,
        cwd: request.worktree,
        env: { ...home.env, ...env },
        folder,
        name,
      });
      runs.push(run);
      return run;
    },
    async [Symbol.asyncDispose]() {
      for (const run of runs) run.kill("SIGKILL");
      await Promise.all(runs.map((run) => run.exited()));
      await server.close();
      // What the CLI's own helpers still write while they end is waited for.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

async function makeRepository(repository: string, worktree: string): Promise<void> {
  await mkdir(join(repository, "src"), { recursive: true });
  await writeFile(join(repository, "src", "a.txt"), "a\n");
  const git = (...words: string[]) => execFileSync("git", ["-C", repository, ...words], { stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  git("add", ".");
  git("-c", "user.name=Test", "-c", "user.email=test@localhost", "commit", "--quiet", "-m", "start");
  git("worktree", "add", "--quiet", "-b", "bubble", worktree);
}
