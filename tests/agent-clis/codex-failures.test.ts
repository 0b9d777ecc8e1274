// How the real Codex fails when its model or its settings do, and what the referee is told of it.
import { describe, expect, test } from "vitest";
import type { Said } from "../models/model.ts";
import { answers, codexRig, inTurn } from "./codex-rig.ts";

const minutes = (count: number) => ({ timeout: count * 60_000 });

describe("failures of the model behind the real Codex", minutes(3), () => {
  const resets = Math.floor(Date.now() / 1000) + 3 * 3600;
  const limited = { error: 429, type: "usage_limit_reached", message: "The usage limit has been reached" };
  const failures: readonly (readonly [string, Said, object])[] = [
    ["a key that is not accepted", { error: 401, message: "Incorrect API key" }, { outcome: "auth" }],
    [
      "a rate limit",
      { error: 429, type: "rate_limit_exceeded", message: "Slow down" },
      { outcome: "rate-limited" },
    ],
    [
      "a rate limit in mid-stream, with a time",
      { error: 200, type: "rate_limit_exceeded", message: "Rate limit reached. Please try again in 28s." },
      { outcome: "rate-limited", until: expect.stringMatching(/^\d{4}-.*Z$/) },
    ],
    [
      "an overloaded server",
      { error: 503, type: "server_is_overloaded", message: "Busy" },
      { outcome: "rate-limited" },
    ],
    [
      "a used up account, with a time in words",
      { ...limited, headers: { "x-resets-at": `${resets}` } },
      { outcome: "quota", until: new Date((Math.floor(resets / 60) + 1) * 60_000).toISOString() },
    ],
    [
      "a used up account, with a time in figures",
      {
        ...limited,
        headers: { "x-codex-primary-used-percent": "100", "x-codex-primary-reset-at": `${resets}` },
      },
      { outcome: "quota", until: new Date(resets * 1000).toISOString() },
    ],
    [
      "an account without money",
      { error: 429, type: "insufficient_quota", message: "Pay" },
      { outcome: "quota" },
    ],
    [
      "a model that does not exist",
      {
        error: 404,
        type: "model_not_found",
        message: "The model `gpt-0` does not exist or you do not have access to it.",
      },
      { outcome: "unknown-model" },
    ],
    [
      "a conversation that is too long",
      { error: 400, type: "context_length_exceeded", message: "Your input exceeds the context window." },
      {
        outcome: "context-overflow",
        detail: "context_length_exceeded: Your input exceeds the context window.",
      },
    ],
    [
      "a conversation that becomes too long in mid-stream",
      { error: 200, type: "context_length_exceeded", message: "Too long" },
      { outcome: "context-overflow" },
    ],
  ];

  test.each(failures)("%s", async (_, said, end) => {
    await using rig = await codexRig({ model: () => said });
    const ended = await rig.turn(rig.request());
    expect(ended.end).toMatchObject(end);
    expect("until" in ended.end).toBe("until" in end);
  });

  test("nobody is logged in: auth, and no model is asked", async () => {
    await using rig = await codexRig({
      model: inTurn(answers("never")),
      settings: { config: ["model_providers.scripted.env_key=NO_SUCH_KEY"] },
    });
    const { end } = await rig.turn(rig.request());
    expect(end).toMatchObject({ outcome: "auth", detail: expect.stringContaining("NO_SUCH_KEY") });
    expect(rig.server.asked).toHaveLength(0);
  });

  test("nobody listens at the provider's address: unreachable", async () => {
    const config = ['base_url="http://127.0.0.1:9/v1"', "request_max_retries=0", "stream_max_retries=0"];
    await using rig = await codexRig({
      model: inTurn(answers("never")),
      settings: { config: config.map((one) => `model_providers.scripted.${one}`) },
    });
    const { end } = await rig.turn(rig.request());
    expect(end).toMatchObject({ outcome: "unreachable" });
  });

  test("a model that stops in mid-stream is a crash once Codex gives up", async () => {
    const config = ["stream_idle_timeout_ms=1000", "stream_max_retries=0"].map(
      (one) => `model_providers.scripted.${one}`,
    );
    await using rig = await codexRig({
      model: () => ({ text: "x", stallMs: 120_000 }),
      settings: { config },
    });
    const { end } = await rig.turn(rig.request());

    expect(end).toMatchObject({ outcome: "crashed", detail: expect.stringContaining("idle timeout") });
  });

  test("a thread that does not exist is no session", async () => {
    await using rig = await codexRig({ model: inTurn(answers("never")) });
    const session = "01a1e1a1-0000-7c63-ad89-f72534fa4759";
    const { end } = await rig.turn(rig.request({ session, fresh: false }));

    expect(end).toMatchObject({ outcome: "no-session", detail: expect.stringContaining(session) });
    expect(rig.server.asked).toHaveLength(0);
  });

  test("a configuration that Codex does not take is a crash with its words", async () => {
    await using rig = await codexRig({
      model: inTurn(answers("never")),
      settings: { config: ["model_verbosity=7"] },
    });
    const run = rig.run(rig.request());

    expect(await run.end()).toMatchObject({
      outcome: "crashed",
      detail: expect.stringContaining("model_verbosity"),
    });
  });
});
