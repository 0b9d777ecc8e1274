// Agents never see the server: nothing of the connection is in their environment, and hooks of their sessions go to the driver's socket.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { listenAt } from "../../src/adapters/verbs/socket.ts";
import { tellHook } from "../../src/app/caller/hooks.ts";
import { buildAgentEnv, pickAllowedEnv } from "../../src/app/host/environment.ts";
import { createSharedPorts } from "../../src/app/store/shared.ts";
import { assertFailsWith } from "../../src/testing/contracts/contract.ts";

const folder = mkdtempSync(join(tmpdir(), "pf-agents-apart-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const connection = {
  PAIRFLOW_STORE: "nats://127.0.0.1:4222/shop",
  PAIRFLOW_STORE_CREDENTIALS: "/home/anna/.local/state/pairflow/stores/shop.nk",
  PAIRFLOW_STORE_WORKER: "1",
  NATS_URL: "nats://127.0.0.1:4222",
  NATS_CREDS: "/home/anna/shop.creds",
  NATS_NKEY: "SUAEXAMPLE",
};

test("no agent, gate or setup command gets a word of the connection, not even by name", () => {
  const env = { PATH: "/bin", ...connection };
  for (const given of [buildAgentEnv(env), buildAgentEnv(env, Object.keys(connection)), pickAllowedEnv(env)])
    expect(Object.keys(given).filter((name) => name.startsWith("PAIRFLOW_STORE"))).toEqual([]);
  expect(Object.keys(buildAgentEnv(env)).filter((name) => name.startsWith("NATS"))).toEqual([]);
});

test("a process of a turn does not connect, whatever is configured", async () => {
  const env = { ...connection, PAIRFLOW_TURN: "fix-cart:t1.1:secret" };
  await assertFailsWith("store.not-for-agents", () => createSharedPorts(folder, env, () => {}).open());
});

test("a hook is told to the driver, and what the driver says is what the session hears", async () => {
  const asked: unknown[] = [];
  const socket = join(folder, "s");
  const door = await listenAt(socket, async (question) => {
    asked.push(question);
    return { told: "go on" };
  });
  const env = { ...connection, PAIRFLOW_TURN: "fix-cart:t1.2:secret", PAIRFLOW_VERBS: socket };
  expect(await tellHook({ cwd: folder, env }, { hook_event_name: "Stop" }, false)).toBe("go on");
  expect(asked).toEqual([
    {
      ...{ bubble: "fix-cart", hook: { hook_event_name: "Stop" }, awaitsTools: false },
      actor: { kind: "agent", turn: "t1", attempt: 2, secret: "secret" },
    },
  ]);
  await door.close();
  // Nobody listens: a hook holds no session up, and breaks none.
  expect(await tellHook({ cwd: folder, env }, { hook_event_name: "Stop" }, false)).toBe("");
});
