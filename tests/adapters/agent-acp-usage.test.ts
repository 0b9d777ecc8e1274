// The figures of real ACP agents, each in the spelling and with the meaning that was seen on its wire.
import { describe, expect, test } from "vitest";
import { buildPromptUsage, type PromptMeasure } from "../../src/adapters/agent/acp/usage.ts";
import { converse, scene } from "./acp-rig.ts";

const measured = (more: Partial<PromptMeasure>): PromptMeasure => ({
  ...{ agent: "unknown", isNew: true, usedTools: false, window: undefined },
  ...more,
});
const later = { isNew: false };

const claude = "@agentclientprotocol/claude-agent-acp";
const codex = "@agentclientprotocol/codex-acp";

describe("the tokens of a prompt", () => {
  test("Claude Agent: those of the prompt, in every session; its cost is that of its process", () => {
    const usage = {
      inputTokens: 20,
      outputTokens: 30,
      cachedReadTokens: 150,
      cachedWriteTokens: 50,
      totalTokens: 250,
    };
    const window = { used: 140, size: 200_000, cost: { amount: 0.00185, currency: "USD" } };
    const known = { input: 220, cached: 150, output: 30, usd: 0.00185, context: 0.0007 };
    expect(buildPromptUsage({ usage }, measured({ agent: claude, usedTools: true, window }))).toEqual(known);
    expect(
      buildPromptUsage({ usage }, measured({ agent: claude, usedTools: true, window, ...later })),
    ).toEqual(known);
  });

  test("Codex: those of the prompt, the cache within the input, and the same in a place of its own", () => {
    const usage = {
      ...{ totalTokens: 250, inputTokens: 220, cachedReadTokens: 100, cachedWriteTokens: 0 },
      ...{ outputTokens: 30, thoughtTokens: 10 },
    };
    const token_count = { totalTokens: 250, inputTokens: 220, cachedInputTokens: 100, outputTokens: 30 };
    const known = { input: 220, cached: 100, output: 30 };
    expect(buildPromptUsage({ usage }, measured({ agent: codex, ...later }))).toEqual(known);
    expect(buildPromptUsage({ usage: null, _meta: { quota: { token_count } } }, measured(later))).toEqual(
      known,
    );
    // A prompt that failed has none: not zero, but unknown.
    const failed = { usage: null, _meta: { quota: { token_count: null, model_usage: [] } } };
    expect(buildPromptUsage(failed, measured({ agent: codex }))).toBeUndefined();
  });

  test("OpenCode: those of the last request, so that after tools it is this much or more", () => {
    const usage = { inputTokens: 120, outputTokens: 20, totalTokens: 140 };
    const window = { used: 120, size: 200_000, cost: { amount: 0, currency: "USD" } };
    const known = { input: 120, output: 20, context: 0.0006 };
    expect(buildPromptUsage({ usage }, measured({ agent: "OpenCode", window, ...later }))).toEqual(known);
    expect(buildPromptUsage({ usage }, measured({ agent: "OpenCode", window, usedTools: true }))).toEqual({
      ...known,
      at_least: true,
    });
  });

  test("Gemini CLI: those of the prompt, with underscores, in a place of its own", () => {
    const _meta = { quota: { token_count: { input_tokens: 200, output_tokens: 14 } } };
    expect(buildPromptUsage({ _meta }, measured({ agent: "gemini-cli", ...later }))).toEqual({
      input: 200,
      output: 14,
    });
  });

  test.each([
    { inputTokens: 7, outputTokens: 3 },
    { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
  ])("an unknown agent: of a new session, %j; of one that continues they may be sums", (usage) => {
    expect(buildPromptUsage({ usage }, measured({}))).toEqual({ input: 7, output: 3 });
    expect(buildPromptUsage({ usage }, measured(later))).toBeUndefined();
  });

  test("the cache apart from the input is added where the total says so", () => {
    const usage = {
      totalTokens: 175,
      inputTokens: 100,
      outputTokens: 20,
      thoughtTokens: 5,
      cachedReadTokens: 50,
    };
    expect(buildPromptUsage({ usage }, measured({}))).toEqual({ input: 150, cached: 50, output: 25 });
    expect(buildPromptUsage({ usage: { ...usage, totalTokens: 120 } }, measured({}))).toEqual({
      input: 100,
      cached: 50,
      output: 20,
    });
  });

  test.each([
    undefined,
    null,
    {},
    { inputTokens: 5 },
    { inputTokens: 0, outputTokens: 0 },
    { inputTokens: "5", outputTokens: 2 },
  ])("%j says nothing", (usage) => {
    expect(buildPromptUsage({ usage }, measured({ agent: codex }))).toBeUndefined();
  });
});

test("figures, window and tools of a real conversation come together", async () => {
  const window = {
    sessionUpdate: "usage_update",
    used: 50,
    size: 200,
    cost: { amount: 0.25, currency: "USD" },
  } as const;
  const turn = await scene().turn({
    steps: [{ update: window }, { answer: { status: "completed" } }],
    usage: { totalTokens: 120, inputTokens: 100, outputTokens: 20 },
  });
  expect((await converse(turn)).events).toContainEqual({
    type: "usage",
    usage: { input: 100, output: 20, usd: 0.25, context: 0.25 },
  });
});

test("an error that an agent says in place of an answer, with nothing used, is that error", async () => {
  const say = "unexpected status 404 Not Found: model: nope-9, url: http://127.0.0.1:1/v1/responses";
  const turn = await scene().turn({ steps: [{ say }], usage: null });
  expect((await converse(turn)).events.at(-1)).toEqual({
    type: "over",
    end: { outcome: "unknown-model", detail: `the agent reports an error: ${say}` },
  });
});
