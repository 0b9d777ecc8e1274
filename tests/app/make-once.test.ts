// However a bubble is made, its workflow is read once and expanded once, and its agents are those of its program.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { completeConfigValues } from "../../src/app/config/bubble-file.ts";
import { buildChildBubble, buildStartedBubble } from "../../src/app/making/children.ts";
import { type MadeBubbleResult, makeBubble } from "../../src/app/making/make.ts";
import { nobody } from "../../src/app/making/settle.ts";
import { prepareDryRun } from "../../src/app/rehearsal/dry-run.ts";
import { createWorld } from "../../src/app/world/world.ts";
import type { State } from "../../src/core/model/state.ts";
import { load } from "../../src/engine/handle/command.ts";

const counted = vi.hoisted(() => ({ read: [] as string[], expanded: 0 }));

vi.mock("../../src/app/files/yaml.ts", async (importOriginal) => {
  const own = await importOriginal<typeof import("../../src/app/files/yaml.ts")>();
  const readYaml: typeof own.readYaml = (text, file, code, ...more) => {
    if (code === "workflow.syntax") counted.read.push(file);
    return own.readYaml(text, file, code, ...more);
  };
  return { ...own, readYaml };
});

vi.mock("../../src/core/workflow/load.ts", async (importOriginal) => {
  const own = await importOriginal<typeof import("../../src/core/workflow/load.ts")>();
  const loadWorkflow: typeof own.loadWorkflow = (...given) => {
    counted.expanded += 1;
    return own.loadWorkflow(...given);
  };
  return { ...own, loadWorkflow };
});

const workflow = `version: 1.0.0
max_iterations: 3
name: "\${bubble.id} makes it"
steps:
  - name: make
    action: { type: publish_agent, subject: agent.task.development, role: maker, prompt: Do it }
    on_success: gates
    on_fail: make
  - name: gates
    action:
      type: call
      subject: workflow.gate.structural
      payload: { slug: x, preset: "\${trigger.payload.gate_preset:-none}" }
    on_success: end
    on_fail: make
`;

let repo: string;
const git = (...args: string[]) => execFileSync("git", args, { cwd: repo });

beforeEach(() => {
  repo = realpathSync(mkdtempSync(join(tmpdir(), "pairflow-once-")));
  git("init", "-q", "-b", "main");
  mkdirSync(join(repo, ".pairflow", "workflows"), { recursive: true });
  writeFileSync(join(repo, ".pairflow", "workflows", "own.yaml"), workflow);
  writeFileSync(
    join(repo, ".pairflow", "config.yaml"),
    "agents:\n  mia: { adapter: scripted, script: mia.yaml }\n  zoe: { adapter: scripted, script: zoe.yaml }\n",
  );
  writeFileSync(join(repo, "package.json"), '{ "scripts": { "test": "node --test" } }\n');
  git("add", "-A");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "first");
  Object.assign(counted, { read: [], expanded: 0 });
});
afterEach(() => rmSync(repo, { recursive: true }));

const world = () => createWorld(repo, "process");
const made = (result: Awaited<ReturnType<typeof makeBubble>>): MadeBubbleResult => {
  if (result.refusal) throw new Error(result.refusal.message);
  return result;
};
const asked = { cwd: "/", settings: { agents: { maker: "mia" } }, workflow: "own", task: "Make it\n" };
const once = { read: [expect.stringContaining("own.yaml")], expanded: 1 };

/** A bubble that was made so, for others to be made of it. */
async function parent(): Promise<State> {
  const { config } = made(await makeBubble(world(), { ...asked, id: "above" }));
  const { state } = await load(world(), config.id);
  Object.assign(counted, { read: [], expanded: 0 });
  return state as State;
}

it("by a command, with a name of its own and with the one of its workflow", async () => {
  const heard: string[] = [];
  const person = { ...nobody, say: (line: string) => heard.push(line) };
  const { config, workflow: ran } = made(await makeBubble(world(), asked, person));
  expect(counted).toEqual(once);
  expect(config).toMatchObject({ id: "own", workflow: "own", agents: { maker: "mia" } });
  expect(Object.keys(config.agent)).toEqual(["mia"]);
  expect(ran.program.name).toBe("own makes it");
  expect(ran.program.payload).toMatchObject({ task_id: "own", task_description: "Make it\n" });
  const again = made(await makeBubble(world(), { ...asked, id: "named" }, person));
  expect(counted).toEqual({ read: [...once.read, ...once.read], expanded: 2 });
  expect(again.workflow.program.name).toBe("named makes it");
});

it("by another bubble, as its child and as what continues in its place", async () => {
  const above = await parent();
  const child = { key: "part", workflow: "own", payload: {} };
  const wish = { parent: above, child, from: above.baseCommit, id: "above-part" };
  const below = made(await makeBubble(world(), await buildChildBubble(world(), wish)));
  expect(counted).toEqual(once);
  expect(below.config.agents).toEqual({ maker: "mia" });
  Object.assign(counted, { read: [], expanded: 0 });
  const next = { parent: above, workflow: "own", payload: {}, id: "above-own", by: "it" };
  const settled = await buildStartedBubble(world(), next);
  // Which workflow a subject starts is asked of every file of the project.
  Object.assign(counted, { read: [] });
  made(await makeBubble(world(), settled));
  expect(counted).toEqual({ read: [], expanded: 1 });
});

it("by settings that are whole, and as a dry run", async () => {
  const config = completeConfigValues({
    ...{ id: "whole", repo_path: repo, base_branch: "main", bubble_branch: "bubble/whole" },
    ...{ workflow: "own", agents: { maker: "mia", other: "zoe" } },
  });
  const task = { title: "Make it", text: "Make it\n", criteria: [] };
  const profile = { gates: [], source: "none", confirmed: true, not_available: "a test" };
  const baseCommit = String(git("rev-parse", "main")).trim();
  const whole = made(await makeBubble(world(), { config, task, profile, baseCommit }));
  expect(counted).toEqual(once);
  expect(whole.config.agents).toEqual({ maker: "mia" });
  Object.assign(counted, { read: [], expanded: 0 });
  const dry = await prepareDryRun({ workflow: "own", payload: {}, rejections: 0, cwd: repo, repo });
  dry.close();
  expect(counted).toEqual(once);
});

it("by whoever comes first, and refused to whoever wants the same name at the same moment", async () => {
  for (const id of ["one", "two", "three"]) {
    const two = [1, 2].map(() => makeBubble(world(), { ...asked, id }));
    const codes = (await Promise.all(two)).map(({ refusal }) => refusal?.code);
    expect(codes.sort()).toEqual(["bubble.exists", undefined]);
  }
});
