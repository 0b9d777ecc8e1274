// The test of the example adapter: the contract on real conversations, and one whole turn. It would live in
// tests/adapters/.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Abilities, TurnRequest } from "../../src/ports/agent/adapter.ts";
import { buildAgentContract } from "../../src/testing/agent/contract.ts";
import { buildTurnRequestFor, type Recording } from "../../src/testing/agent/play.ts";
import type { AgentRig } from "../../src/testing/agent/rig.ts";
import { hold, type Listener } from "../../tests/adapters/live-agent.ts";
import { runContract } from "../../tests/adapters/run-contract.ts";
import { echoJsonAgent } from "./echo-json.ts";

const adapter = echoJsonAgent();
const program = join(import.meta.dirname, "echo-json.mjs");
const settings = { adapter: "echo-json", program };
const folder = mkdtempSync(join(tmpdir(), "pf-echo-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const turn = (more: Partial<TurnRequest> = {}) =>
  buildTurnRequestFor(settings, { worktree: folder, out: folder, ...more });

const helpful: Listener = {
  heard(event, conversation) {
    if (event.type === "asked") conversation.answer(event.id, { reply: "Hello" });
  },
};

async function record(
  name: keyof Abilities,
  more: Partial<TurnRequest>,
  listener?: Listener,
): Promise<Recording> {
  const asked = turn(more);
  const { lines, exit } = await hold(adapter, asked, listener);
  return { name, shows: [name], turn: asked, lines, exit, answers: { reply: "Hello" } };
}

const impatient: Listener = {
  heard(event, conversation) {
    if (event.type === "doing") conversation.interrupt();
  },
};

async function recordings(): Promise<Recording[]> {
  const interrupted = await record("interrupt", { prompt: "wait for me" }, impatient);
  return [
    await record("structuredAnswer", {}),
    await record("usage", {}),
    await record("ask", { prompt: "ask me" }, helpful),
    await record("resume", { fresh: false }),
    // Two lines come before the interruption: the session, and what it does.
    { ...interrupted, interruptAfter: 2 },
    await record("structuredAnswer", { fresh: false, session: "unknown" }).then((one) => ({
      ...one,
      shows: [],
    })),
  ];
}

let held: Promise<Recording[]> | undefined;

runContract(
  "the example adapter",
  buildAgentContract(async (): Promise<AgentRig> => {
    held ??= recordings();
    return {
      ...{ adapter, settings, recordings: () => held ?? recordings(), close: async () => {} },
      async answering(answer) {
        return {
          name: "an answer",
          shows: [],
          lines: [JSON.stringify({ answer })],
          exit: { code: 0, stderr: "" },
        };
      },
    };
  }),
);

test("a whole turn of the example: asked, answered, gone on with, and no session where there was none", async () => {
  const first = turn({ session: "one", prompt: "ask me\nwhat you want" });
  expect((await hold(adapter, first, helpful)).events).toEqual([
    { type: "session", id: "one" },
    { type: "doing", text: "reads 20 characters" },
    { type: "asked", id: "question", questions: [{ id: "reply", question: "What shall I say?" }] },
    { type: "usage", usage: { input: 20, output: 14 } },
    {
      type: "over",
      end: { outcome: "answered", answer: { status: "completed", summary: "ask me / Hello" } },
    },
  ]);
  const later = await hold(adapter, turn({ session: "one", fresh: false, prompt: "more", readOnly: true }));
  expect(later.events).toContainEqual({ type: "doing", text: "reads 4 characters, read-only" });
  expect(later.events.at(-1)).toMatchObject({ end: { answer: { summary: "ask me / more" } } });
  const lost = await hold(adapter, turn({ session: "two", fresh: false }));
  expect(lost.events).toEqual([{ type: "over", end: { outcome: "no-session", detail: "no session two" } }]);
});
