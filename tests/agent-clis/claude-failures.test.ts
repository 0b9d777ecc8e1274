// How the failures of the API, of the session and of the model look through the real Claude Code, and what they are
// understood as.
import { describe, expect, test } from "vitest";
import type { TurnOutcome } from "../../src/core/model/turn-end.ts";
import type { Said } from "../models/model.ts";
import { answers, claudeRig } from "./claude-rig.ts";

const resetsAt = Math.floor(Date.parse("2099-01-01T12:00:00Z") / 1000);
const spent = {
  "retry-after": "3600",
  "anthropic-ratelimit-unified-status": "rejected",
  "anthropic-ratelimit-unified-reset": `${resetsAt}`,
  "anthropic-ratelimit-unified-representative-claim": "five_hour",
};

interface Case {
  readonly name: string;
  readonly said: Said;
  readonly outcome: TurnOutcome;
  readonly detail: RegExp;
}

const cases: readonly Case[] = [
  {
    name: "a key that is not accepted",
    said: { error: 401, message: "invalid x-api-key" },
    outcome: "auth",
    detail: /Invalid API key/,
  },
  {
    name: "too many requests",
    said: { error: 429, message: "Too many requests per minute", headers: { "retry-after": "1" } },
    outcome: "rate-limited",
    detail: /Too many requests per minute/,
  },
  {
    name: "an overloaded server",
    said: { error: 529, message: "Overloaded" },
    outcome: "rate-limited",
    detail: /Overloaded/,
  },
  {
    name: "a server that fails",
    said: { error: 500, message: "Internal server error" },
    outcome: "crashed",
    detail: /500/,
  },
  {
    name: "a model that does not exist",
    said: { error: 404, type: "not_found_error", message: "model: claude-0" },
    outcome: "unknown-model",
    detail: /selected model/,
  },
  {
    name: "a conversation that is too long",
    said: { error: 400, message: "prompt is too long: 210000 tokens > 200000 maximum" },
    outcome: "context-overflow",
    detail: /too long/i,
  },
  {
    name: "no money left",
    said: { error: 400, message: "Your credit balance is too low to access the Anthropic API." },
    outcome: "quota",
    detail: /Credit balance/,
  },
  {
    name: "a model that only talks",
    said: { text: "All is well, I think." },
    outcome: "garbage",
    detail: /All is well/,
  },
];

describe("failures of the real Claude Code", { timeout: 180_000 }, () => {
  for (const { name, said, outcome, detail } of cases) {
    test(`${name}: ${outcome}`, async () => {
      await using rig = await claudeRig({ model: () => said });
      const end = await rig.run(rig.request()).end();
      expect(end).toEqual({ outcome, detail: expect.stringMatching(detail) });
    });
  }

  test("a used-up subscription is quota, with the time of its return", async () => {
    await using rig = await claudeRig({
      model: () => ({ error: 429, message: "This request would exceed your limit", headers: spent }),
    });
    const run = rig.run(rig.request(), { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "dummy" });
    expect(await run.end()).toEqual({
      outcome: "quota",
      detail: expect.stringContaining("hit your session limit"),
      until: "2099-01-01T12:00:00.000Z",
    });
  });

  test("nobody is logged in: auth", async () => {
    await using rig = await claudeRig({ model: () => answers("never") });
    const end = await rig.run(rig.request(), { ANTHROPIC_API_KEY: "" }).end();
    expect(end).toMatchObject({ outcome: "auth", detail: expect.stringContaining("Not logged in") });
    expect(rig.server.asked).toEqual([]);
  });

  test("nobody listens at the provider's address: unreachable", async () => {
    await using rig = await claudeRig({ model: () => answers("never") });
    const end = await rig.run(rig.request(), { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" }).end();
    expect(end).toMatchObject({
      outcome: "unreachable",
      detail: expect.stringContaining("Unable to connect"),
    });
  });

  test("a session that is not there: no-session", async () => {
    await using rig = await claudeRig({ model: () => answers("never") });
    const end = await rig.run(rig.request({ fresh: false })).end();
    expect(end).toMatchObject({ outcome: "no-session", detail: expect.stringContaining("No conversation") });
  });

  test("a session id that was used before ends as crashed and touches nothing", async () => {
    await using rig = await claudeRig({ model: () => answers("first") });
    const request = rig.request();
    await rig.run(request).end();
    expect(await rig.run(request).end()).toMatchObject({
      outcome: "crashed",
      detail: expect.stringContaining("already in use"),
    });
    expect(rig.server.asked).toHaveLength(1);
  });

  test("more turns than it may take: unfinished", async () => {
    await using rig = await claudeRig({
      settings: { max_turns: 1 },
      model: () => ({ calls: [{ tool: "Bash", input: { command: "true", description: "nothing" } }] }),
    });
    expect(await rig.run(rig.request()).end()).toMatchObject({ outcome: "unfinished" });
  });
});
