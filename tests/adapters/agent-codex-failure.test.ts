// Codex's names and words for failures, and the moments it names.
import { describe, expect, test } from "vitest";
import { findResetTime, toThreadFailure, toTurnFailure } from "../../src/adapters/agent/codex/failure.ts";

const at = new Date(2026, 10, 15, 23, 55, 10).getTime();

function failed(message: string, codexErrorInfo: unknown, resetsAt?: number) {
  return toTurnFailure({ error: { message, codexErrorInfo }, at, resetsAt });
}

describe("why a turn failed", () => {
  test.each([
    ["unexpected status 401 Unauthorized", { httpConnectionFailed: { httpStatusCode: 401 } }, "auth"],
    ["unexpected status 403 Forbidden", { httpConnectionFailed: { httpStatusCode: 403 } }, "auth"],
    ["Missing environment variable: `KEY`.", "other", "auth"],
    ["signed out", "unauthorized", "auth"],
    ["exceeded retry limit", { responseTooManyFailedAttempts: { httpStatusCode: 429 } }, "rate-limited"],
    ["Selected model is at capacity.", "serverOverloaded", "rate-limited"],
    ["We’re currently experiencing high demand", "internalServerError", "rate-limited"],
    ["Quota exceeded. Check your plan and billing details.", "usageLimitExceeded", "quota"],
    ["Codex ran out of room in the model's context window.", "contextWindowExceeded", "context-overflow"],
    ["The model `gpt-0` does not exist or you do not have access to it.", "other", "unknown-model"],
    [
      "The 'gpt-0' model is not supported when using Codex with a ChatGPT account.",
      "badRequest",
      "unknown-model",
    ],
    ["error sending request for url (http://127.0.0.1:9/v1/responses)", "other", "unreachable"],
    ["stream disconnected before completion: idle timeout waiting for SSE", "other", "crashed"],
    ["Connection failed: refused", { httpConnectionFailed: { httpStatusCode: null } }, "unreachable"],
    ["", null, "crashed"],
  ])("%s", (message, info, outcome) => {
    expect(failed(message, info)).toEqual({ outcome, detail: message || "Codex gave no reason" });
  });

  test("a body that was handed on whole is read for its own words", () => {
    const body = { error: { type: "x", code: "context_length_exceeded", message: "Too long." } };
    expect(failed(JSON.stringify(body), "other")).toEqual({
      outcome: "context-overflow",
      detail: "context_length_exceeded: Too long.",
    });
    expect(failed("{broken", "other")).toEqual({ outcome: "crashed", detail: "{broken" });
  });
});

describe("when it makes sense to try again", () => {
  const local = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();

  test.each([
    ["try again at Nov 16th, 2026 1:55 AM.", local(2026, 10, 16, 1, 56)],
    ["try again at Dec 1st, 2026 12:05 PM.", local(2026, 11, 1, 12, 6)],
    ["try again at 11:58 PM.", local(2026, 10, 15, 23, 59)],
    ["try again at 12:30 AM.", local(2026, 10, 16, 0, 31)],
  ])("in words: %s", (words, until) => {
    expect(failed(`You’ve hit your usage limit, ${words}`, "usageLimitExceeded")).toMatchObject({ until });
  });

  test("in figures, which are exact", () => {
    const end = failed("try again at 11:58 PM.", "usageLimitExceeded", 1794986910);
    expect(end).toMatchObject({ until: "2026-11-18T07:28:30.000Z" });
  });

  test.each([
    ["1.5s", 1500],
    ["250ms", 250],
    ["2m", 120_000],
  ])("after a while: %s", (wait, ms) => {
    const end = failed(`Rate limit reached. Please try again in ${wait}.`, "rateLimitExceeded");
    expect(end).toMatchObject({ until: new Date(at + ms).toISOString() });
  });

  test("a limit that names no time has none", () => {
    expect(failed("You’ve hit your usage limit. Try again later.", "usageLimitExceeded")).not.toHaveProperty(
      "until",
    );
  });

  test("of several limits only those that are used up count, and the latest of them", () => {
    const primary = { usedPercent: 100, resetsAt: 10 };
    expect(findResetTime({ primary, secondary: { usedPercent: 100, resetsAt: 20 } })).toBe(20);
    expect(findResetTime({ primary, secondary: { usedPercent: 99, resetsAt: 20 } })).toBe(10);
    expect(findResetTime({ primary: null, secondary: null })).toBeUndefined();
  });
});

test.each([
  ["no rollout found for thread id x", "no-session"],
  ["invalid session id: invalid character", "no-session"],
  ["thread x already has an active writer", "crashed"],
])("a thread that cannot be opened: %s", (reason, outcome) => {
  expect(toThreadFailure(reason)).toEqual({ outcome, detail: reason });
});
