// A workflow that starts another one: a bubble of its own, told what it was started with, and never twice.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { getUserFolder } from "../../src/app/host/user-folder.ts";
import { createWorld } from "../../src/app/world/world.ts";
import { load } from "../../src/engine/handle/command.ts";
import { type Rig, rig, shortest } from "../acceptance/rig.ts";

const rigs: Rig[] = [];
afterAll(async () => {
  vi.unstubAllEnvs();
  for (const tool of rigs) await tool.close();
});

const relay = (workflow: string) => `
id: relay
name: Relay
version: 1.0.0
loop: { producer: implementer, max_rounds: 1, clean_passes: 1, role_switch: never, exhausted: exhausted }
start: implement
steps:
  - name: implement
    kind: turn
    role: implementer
    session: resumed
    answer: handoff
    on: { success: relay, refused: implement }
  - name: relay
    kind: start
    workflow: ${workflow}
    payload: { reason: too big, slug: "\${trigger.payload.slug:-none}", parts: [cart, shop] }
    on: { success: approval, fail: { to: implement, round: next } }
  - { name: exhausted, kind: question, ask: exhausted, on: { accept: approval, continue: $resume, reject: $cancel } }
  - { name: approval, kind: approval, on: {} }
`;

async function started(workflow: string): Promise<Rig> {
  const tool = rig();
  rigs.push(tool);
  writeFileSync(join(tool.folder, "relay.yaml"), relay(workflow));
  await tool.ok(
    ...["bubble", "create", "--id", "first", "--task", "Make the total right"],
    ...["--workflow", join(tool.folder, "relay.yaml"), "--test", "grep -q total src/cart.txt"],
    ...["--agent", "implementer=codex", "--agent", "reviewer=claude"],
  );
  const toml = join(tool.repo, ".pairflow", "bubbles", "first", "bubble.toml");
  const turns = { codex: shortest.implementer, claude: shortest.reviewer };
  const agents = Object.entries(turns).map(
    ([name, script]) =>
      `\n[agent.${name}]\nadapter = "scripted"\nscript = ${JSON.stringify(tool.script(name, script))}\n`,
  );
  writeFileSync(toml, readFileSync(toml, "utf8") + agents.join(""));
  await tool.ok("bubble", "start", "--id", "first", "--headless");
  return tool;
}

const line = (tool: Rig) => tool.log("first").find(({ type }) => type === "WORKFLOW_STARTED")?.payload;

it("starts from the tree as it is, with the payload in words under the task, and runs by itself", async () => {
  const tool = await started("pair");
  expect(line(tool)).toEqual({ step: "relay", workflow: "pair", bubble: "first-pair" });
  const made = tool.log("first-pair")[0]?.payload as { base_commit: string; parent?: object; config: object };
  const handoff = tool.log("first").find(({ type }) => type === "HANDOFF")?.payload as { commit: string };
  expect(made.base_commit).toBe(handoff.commit);
  expect(made.parent).toBeUndefined();
  const task = readFileSync(join(tool.repo, ".pairflow/bubbles/first-pair/artifacts/task.md"), "utf8");
  expect(task).toBe(
    "Make the total right\n\n## Started with\n\n### Reason\n\ntoo big\n\n### Slug\n\nfirst\n\n### Parts\n\n- cart\n- shop\n\n",
  );
  expect(await tool.status("first")).toMatchObject({ state: "READY_FOR_APPROVAL" });
  await tool.until("first-pair", ({ state }) => state !== "RUNNING", "it runs by itself");
});

it("continues with `fail` when there is no such workflow", async () => {
  const tool = await started("pear");
  expect(line(tool)).toMatchObject({ workflow: "pear", problem: expect.stringContaining("pear") });
  expect(await tool.status("first")).toMatchObject({ state: "WAITING_HUMAN" });
});

it("is one bubble for one wish, however often it is wished, and another one for the next", async () => {
  const tool = await started("pair");
  vi.stubEnv("PAIRFLOW_HOME", getUserFolder(tool.env));
  const world = createWorld(tool.repo, "process");
  const { state } = await load(world, "first");
  if (!state) throw new Error("first has no state");
  const wish = (reason: string) => world.siblings.start(state, { workflow: "pair", payload: {}, reason });
  expect(await wish("start:99")).toEqual({ bubble: "first-pair-2" });
  expect(await wish("start:99")).toEqual({ bubble: "first-pair-2" });
  expect(await wish("start:100")).toEqual({ bubble: "first-pair-3" });
  expect(await wish("start:99")).toEqual({ bubble: "first-pair-2" });
});

it("is a child that was made and not started, or a new one beside those that were", async () => {
  const tool = await started("pair");
  const world = createWorld(tool.repo, "process");
  const { state } = await load(world, "first");
  if (!state) throw new Error("first has no state");
  const child = (key: string, from = state.baseCommit) =>
    world.siblings.child(state, { key, workflow: "pair" }, from);
  expect(await child("a/b")).toEqual({ bubble: "first-a-b" });
  expect(await child("a/b")).toEqual({ bubble: "first-a-b" });
  expect(await child("a-b")).toEqual({ bubble: "first-a-b-2" });
  expect(await child("a/b", state.tree?.commit)).toEqual({ bubble: "first-a-b-3" });
  await world.siblings.stop("first-a-b", "not needed");
  expect(await child("a/b")).toEqual({ bubble: "first-a-b-4" });
  tool.git("branch", "bubble/first-c");
  expect(await child("c")).toEqual({ bubble: "first-c-2" });
});
