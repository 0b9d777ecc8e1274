// The session files of both CLIs: what was used since a turn began, and nothing of what was before.
import { describe, expect, test } from "vitest";
import { createClaudeAgent } from "../../src/adapters/agent/claude/adapter.ts";
import { createCodexAgent } from "../../src/adapters/agent/codex/adapter.ts";

const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const command = ["pairflow"];

describe("the session file of Claude Code", () => {
  const { usageIn } = createClaudeAgent({ command });
  const message = (id: string, timestamp: string, output: number) => ({
    type: "assistant",
    timestamp,
    message: {
      id,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 5,
        cache_read_input_tokens: 100,
        output_tokens: output,
      },
    },
  });

  test("gives the sum of the model's messages since then, each counted once", () => {
    const file = lines(
      message("m0", "2026-01-01T10:00:00.000Z", 900),
      { type: "user", timestamp: "2026-01-01T11:00:00.000Z" },
      message("m1", "2026-01-01T11:00:01.000Z", 1),
      message("m1", "2026-01-01T11:00:02.000Z", 7),
      message("m2", "2026-01-01T11:00:03.000Z", 20),
    );
    expect(usageIn?.(`{"cut": \n${file}`, "2026-01-01T11:00:00.000Z")).toEqual({
      input: 230,
      cached: 200,
      output: 27,
    });
  });

  test("tells the failure that the screen rests with, as long as nothing follows it", () => {
    const { troubleIn } = createClaudeAgent({ command });
    const failed = (error: string, text: string) => ({
      ...{ type: "assistant", isApiErrorMessage: true, error, timestamp: "2026-01-01T11:00:00.000Z" },
      message: { content: [{ type: "text", text }] },
    });
    const at = "2026-01-01T10:59:00.000Z";
    expect(troubleIn?.(lines(failed("authentication_failed", "Please run /login")), at)?.outcome).toBe(
      "auth",
    );
    expect(troubleIn?.(lines(failed("rate_limit", "usage limit reached|1800000000")), at)).toMatchObject({
      outcome: "quota",
      until: "2027-01-15T08:00:00.000Z",
    });
    expect(troubleIn?.(lines(failed("invalid_request", "Prompt is too long")), at)?.outcome).toBe(
      "context-overflow",
    );
    expect(troubleIn?.(lines(failed("server_error", "API Error: 500")), at)?.outcome).toBe("crashed");
    expect(troubleIn?.(lines(failed("rate_limit", "x"), { type: "user" }), at)).toBeUndefined();
    expect(troubleIn?.(lines(failed("rate_limit", "x")), "2026-01-01T12:00:00.000Z")).toBeUndefined();
  });

  test("says nothing where nothing is known", () => {
    expect(usageIn?.("", "2026")).toBeUndefined();
    expect(usageIn?.(lines({ type: "assistant" }), "")).toBeUndefined();
  });
});

describe("the session file of Codex", () => {
  const { usageIn } = createCodexAgent({ command });
  const count = (timestamp: string, input: number, info: object = {}) => ({
    type: "event_msg",
    timestamp,
    payload: {
      type: "token_count",
      info: {
        total_token_usage: { input_tokens: 9_999 },
        last_token_usage: {
          input_tokens: input,
          cached_input_tokens: 4,
          output_tokens: 2,
          total_tokens: input + 2,
        },
        model_context_window: 1_000,
        ...info,
      },
    },
  });

  test("gives the sum of the requests since then, not of the thread", () => {
    const file = lines(
      count("2026-01-01T10:00:00.000Z", 500),
      count("2026-01-01T11:00:01.000Z", 100),
      {
        type: "event_msg",
        timestamp: "2026-01-01T11:00:02.000Z",
        payload: { type: "token_count", info: null },
      },
      count("2026-01-01T11:00:03.000Z", 198),
    );
    expect(usageIn?.(file, "2026-01-01T11:00:00.000Z")).toEqual({
      input: 298,
      cached: 8,
      output: 4,
      context: 0.2,
    });
  });

  test("tells the failure of the newest turn, as long as no other has begun", () => {
    const { troubleIn } = createCodexAgent({ command });
    const event = (payload: object) => ({
      type: "event_msg",
      timestamp: "2026-01-01T11:00:00.000Z",
      payload,
    });
    const ended = (error: object | null) => event({ type: "task_complete", error });
    const limit = { message: "You've hit your usage limit.", codex_error_info: "usage_limit_exceeded" };
    const key = { message: "no", codex_error_info: { http_connection_failed: { http_status_code: 401 } } };
    const at = "2026-01-01T10:59:00.000Z";
    expect(troubleIn?.(lines(ended(limit)), at)).toMatchObject({ outcome: "quota", detail: limit.message });
    expect(troubleIn?.(lines(ended(key)), at)?.outcome).toBe("auth");
    expect(troubleIn?.(lines(ended(null)), at)).toBeUndefined();
    expect(troubleIn?.(lines(ended(limit), event({ type: "task_started" })), at)).toBeUndefined();
    expect(troubleIn?.(lines(ended(limit)), "2026-01-01T12:00:00.000Z")).toBeUndefined();
  });

  test("says nothing where nothing is known", () => {
    expect(usageIn?.("not a session", "2026")).toBeUndefined();
  });
});
