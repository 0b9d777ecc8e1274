// What the lines of Claude Code mean: recorded from real runs, so that the reading is proven without the program.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { createClaudeConversation } from "../../src/adapters/agent/claude/conversation.ts";
import type { AgentSettings } from "../../src/core/model/config.ts";
import type { TurnOutcome } from "../../src/core/model/turn-end.ts";
import type { ProcessExit, TurnEvent, TurnRequest } from "../../src/ports/agent/adapter.ts";

const recorded = resolve(import.meta.dirname, "..", "fixtures", "cli");
const linesOf = (name: string) => readFileSync(join(recorded, `claude-${name}.ndjson`), "utf8").split("\n");

const turn: TurnRequest = {
  settings: { adapter: "claude" },
  agent: "claude",
  role: "implementer",
  session: "11111111-1111-4111-8111-111111111111",
  fresh: true,
  notice: "Read /project/prompt.md.",
  promptFile: "/project/prompt.md",
  prompt: "Do the work.",
  answerSchema: {},
  worktree: "/project/worktree",
  out: "/project/out",
  readOnly: false,
};

function listen(settings: Partial<AgentSettings> = {}) {
  const events: TurnEvent[] = [];
  const sent: unknown[] = [];
  const conversation = createClaudeConversation(
    { send: (line) => sent.push(JSON.parse(line)), happened: (event) => events.push(event) },
    { ...turn, settings: { adapter: "claude", ...settings } },
  );
  return { conversation, events, sent, ends: () => events.filter(({ type }) => type === "over") };
}

function hear(name: string, settings?: Partial<AgentSettings>, exit: ProcessExit = { code: 0, stderr: "" }) {
  const heard = listen(settings);
  heard.conversation.begin();
  for (const line of linesOf(name)) heard.conversation.heard(line);
  heard.conversation.closed(exit);
  return heard;
}

describe("a conversation with Claude Code", () => {
  test("begins with the whole prompt and ends the process after the result", () => {
    const { sent, events, ends } = hear("answered");
    expect(sent).toEqual([
      { type: "user", message: { role: "user", content: [{ type: "text", text: "Do the work." }] } },
      { type: "control_request", request_id: "over", request: { subtype: "end_session" } },
    ]);
    expect(events[0]).toEqual({ type: "session", id: turn.session });
    expect(ends()).toEqual([{ type: "over", end: { outcome: "answered", answer: { summary: "wrote it" } } }]);
  });

  test("tells what it does in a few words", () => {
    const { events } = hear("answered");
    expect(events.filter(({ type }) => type === "doing")).toEqual([
      { type: "doing", text: "I write the file." },
      { type: "doing", text: "Write: /project/worktree/hello.txt" },
      { type: "doing", text: 'StructuredOutput: {"summary":"wrote it"}' },
    ]);
  });

  test("counts each message once, and lets the result's own figures be the last", () => {
    const usages = hear("answered").events.filter((event) => event.type === "usage");
    expect(usages.map(({ usage }) => usage)).toEqual([
      { input: 1200, cached: 0, output: 1 },
      { input: 2700, cached: 0, output: 2 },
      { input: 2700, cached: 0, output: 52, usd: expect.any(Number), context: 0.0015 },
    ]);
  });

  test("takes an answer given as JSON text where the form was not used, and nothing else for one", () => {
    const asText = listen();
    asText.conversation.heard(
      JSON.stringify({ type: "result", subtype: "success", result: '```json\n{"summary":"x"}\n```' }),
    );
    expect(asText.ends()).toMatchObject([
      {
        type: "over",
        end: { outcome: "answered", answer: { summary: "x" }, text: expect.stringMatching(/^```json/) },
      },
    ]);
  });

  test("passes over lines that are no JSON, cut off, or of another kind", () => {
    const { conversation, events } = listen();
    for (const line of [
      "",
      "Warning: something",
      '{"type":"resu',
      "7",
      "null",
      '{"type":"news"}',
      '{"type":"result"}',
    ])
      conversation.heard(line);
    expect(events).toEqual([]);
  });

  test("says exactly once that it is over, whatever comes behind", () => {
    const heard = hear("answered");
    for (const line of linesOf("garbage")) heard.conversation.heard(line);
    heard.conversation.closed({ code: 1, stderr: "late" });
    expect(heard.ends()).toHaveLength(1);
  });

  test("hears the same from the same lines", () => {
    for (const name of ["answered", "asked", "permission", "quota"]) {
      expect(hear(name).events).toEqual(hear(name).events);
      expect(hear(name).sent).toEqual(hear(name).sent);
    }
  });

  test("refuses requests it does not understand, so that nobody waits", () => {
    const { conversation, sent } = listen();
    conversation.heard('{"type":"control_request","request_id":"r9","request":{"subtype":"elicitation"}}');
    expect(sent).toMatchObject([{ response: { subtype: "error", request_id: "r9" } }]);
  });

  test("sends the interruption, and understands the end as unfinished", () => {
    const { conversation, sent, ends } = listen();
    conversation.interrupt();
    conversation.heard(JSON.stringify({ type: "result", subtype: "error_during_execution", is_error: true }));
    expect(sent[0]).toMatchObject({ type: "control_request", request: { subtype: "interrupt" } });
    expect(ends()[0]).toMatchObject({ end: { outcome: "unfinished" } });
  });
});

describe("a question of Claude Code", () => {
  test("goes to a human, with its options, and the answers go back by question", () => {
    const { conversation, events, sent } = listen();
    for (const line of linesOf("asked").slice(0, 3)) conversation.heard(line);
    const asked = events.find((event) => event.type === "asked");
    expect(asked?.questions).toEqual([
      { id: "q1", question: "Which colour?", options: ["Red", "Blue"], context: "Red: warm\nBlue: cold" },
      {
        id: "q2",
        question: "Which sizes?",
        options: ["S", "L"],
        context: "S: small\nL: large\nMore than one may be chosen, with commas between.",
      },
    ]);
    conversation.answer(asked?.id ?? "", { q1: "Blue", q2: "S, L" });
    expect(sent.at(-1)).toMatchObject({
      type: "control_response",
      response: {
        request_id: asked?.id,
        response: {
          behavior: "allow",
          updatedInput: { answers: { "Which colour?": "Blue", "Which sizes?": "S, L" } },
        },
      },
    });
  });

  test("is a human's to answer even where no tool may be asked for", () => {
    for (const permission of ["allow", "deny"]) {
      const { events } = hear("asked", { permission });
      expect(events.filter(({ type }) => type === "asked")).toHaveLength(1);
    }
  });

  test("that was taken back is not answered", () => {
    const { conversation, events, sent } = listen();
    for (const line of linesOf("asked").slice(0, 3)) conversation.heard(line);
    const asked = events.find((event) => event.type === "asked");
    conversation.heard(JSON.stringify({ type: "control_cancel_request", request_id: asked?.id }));
    conversation.answer(asked?.id ?? "", { q1: "Red" });
    expect(sent).toEqual([]);
  });

  test("is not answered twice, and nobody else's answer is sent", () => {
    const { conversation, events, sent } = listen();
    for (const line of linesOf("asked").slice(0, 3)) conversation.heard(line);
    const asked = events.find((event) => event.type === "asked");
    conversation.answer("another", { q1: "Red" });
    expect(sent).toEqual([]);
    conversation.answer(asked?.id ?? "", { q1: "Red", q2: "S" });
    conversation.answer(asked?.id ?? "", { q1: "Blue", q2: "S" });
    expect(sent).toHaveLength(1);
  });
});

describe("a tool that Claude Code may not use by itself", () => {
  const bash = JSON.stringify({
    type: "control_request",
    request_id: "r1",
    request: {
      subtype: "can_use_tool",
      tool_name: "Bash",
      input: { command: "npm install" },
      description: "Install",
    },
  });
  const reply = (settings: Partial<AgentSettings>, line = bash) => {
    const heard = listen(settings);
    heard.conversation.heard(line);
    return heard;
  };

  test("is a human's to allow, with what it would do", () => {
    const { conversation, events, sent } = reply({});
    expect(events).toEqual([
      {
        type: "asked",
        id: "r1",
        questions: [
          {
            id: "permission",
            question: "May it use Bash: Install?",
            options: ["allow", "deny"],
            context: "npm install",
          },
        ],
      },
    ]);
    conversation.answer("r1", { permission: "allow" });
    expect(sent).toEqual([
      {
        type: "control_response",
        response: {
          subtype: "success",
          request_id: "r1",
          response: { behavior: "allow", updatedInput: { command: "npm install" } },
        },
      },
    ]);
  });

  test("is refused with the human's own words", () => {
    const { conversation, sent } = reply({});
    conversation.answer("r1", { permission: "use the lockfile" });
    expect(JSON.stringify(sent)).toContain('"deny","message":"A human refused this: use the lockfile"');
  });

  test("is refused at once by permission = deny, and allowed at once by permission = allow", () => {
    const refused = reply({ permission: "deny" });
    expect(JSON.stringify(refused.sent)).toContain('"behavior":"deny"');
    expect(refused.events).toEqual([
      { type: "refused-tool", tool: "Bash", why: expect.stringContaining("deny") },
    ]);
    const allowed = reply({ permission: "allow" });
    expect(JSON.stringify(allowed.sent)).toContain('"behavior":"allow"');
    expect(allowed.events).toEqual([]);
  });

  test("is refused and told so where it is a host, unless the settings say who decides", () => {
    const host = bash
      .replace("Bash", "SandboxNetworkAccess")
      .replace('"command":"npm install"', '"host":"a.test"');
    const unasked = reply({}, host);
    expect(JSON.stringify(unasked.sent)).toMatch(
      /"deny","message":"Refused: no network in this turn: a\.test /,
    );
    expect(unasked.events).toMatchObject([{ type: "refused-tool", tool: "SandboxNetworkAccess" }]);
    expect(reply({ permission: "ask" }, host).events).toMatchObject([{ type: "asked" }]);
    expect(JSON.stringify(reply({ permission: "allow" }, host).sent)).toContain('"behavior":"allow"');
  });

  test("is asked for in spite of permission = allow where it edits files outside the turn's folders", () => {
    const { sent, events } = reply({ permission: "allow" }, bash.replace("Bash", "Write"));
    expect(sent).toEqual([]);
    expect(events).toMatchObject([{ type: "asked" }]);
  });
});

const failures: readonly (readonly [name: string, outcome: TurnOutcome, detail: string, until?: string])[] = [
  ["auth", "auth", "Invalid API key"],
  ["rate-limited", "rate-limited", "Too many requests"],
  ["overloaded", "rate-limited", "Overloaded"],
  ["quota", "quota", "hit your session limit", "2099-01-01T12:00:00.000Z"],
  ["overflow", "context-overflow", "Prompt is too long"],
  ["garbage", "garbage", "All is well"],
  ["no-session", "no-session", "No conversation found"],
];

describe("an end without an answer", () => {
  for (const [name, outcome, detail, until] of failures) {
    test(`${name} is ${outcome}`, () => {
      expect(hear(name).ends()).toEqual([
        {
          type: "over",
          end: {
            outcome,
            detail: expect.stringContaining(detail),
            ...(until === undefined ? {} : { until }),
          },
        },
      ]);
    });
  }

  test("after a refused tool is refused-tool, and names the tool", () => {
    const { ends, events } = hear("permission", { permission: "deny" });
    expect(ends()[0]).toMatchObject({
      end: { outcome: "refused-tool", detail: expect.stringContaining("Write") },
    });
    expect(events.find(({ type }) => type === "refused-tool")).toMatchObject({ tool: "Write" });
  });

  test("with a used-up allowance in the old words has the time of its return", () => {
    const { conversation, ends } = listen();
    const result = "API Error: Request rejected (429) · Claude AI usage limit reached|4070952000";
    conversation.heard(
      JSON.stringify({ type: "result", subtype: "success", is_error: true, api_error_status: 429, result }),
    );
    expect(ends()[0]).toMatchObject({ end: { outcome: "quota", until: "2099-01-01T12:00:00.000Z" } });
  });

  test("at a limit that the account's owner has set is quota, with the day of its end", () => {
    const { conversation, ends } = listen();
    const words =
      "You have reached your specified API usage limits. You will regain access on 2099-01-01 at 00:00 UTC.";
    const failed = { type: "result", subtype: "success", is_error: true, api_error_status: 400 };
    conversation.heard(JSON.stringify({ ...failed, result: `API Error: 400 ${words}` }));
    expect(ends()[0]).toMatchObject({ end: { outcome: "quota", until: "2099-01-01T00:00:00.000Z" } });
  });

  test("at the limit of turns is unfinished", () => {
    const { conversation, ends } = listen();
    const errors = ["Reached maximum number of turns (1)"];
    conversation.heard(
      JSON.stringify({ type: "result", subtype: "error_max_turns", is_error: true, errors }),
    );
    expect(ends()[0]).toMatchObject({ end: { outcome: "unfinished", detail: errors[0] } });
  });

  test("of a process that said nothing is crashed, with its last words", () => {
    const { conversation, ends } = listen();
    conversation.closed({ code: 1, stderr: "error: unknown option '--nonsense'\n" });
    expect(ends()).toEqual([
      { type: "over", end: { outcome: "crashed", detail: expect.stringContaining("--nonsense") } },
    ]);
  });

  test("of a process that only said on standard error that there is no such session is no-session", () => {
    const { conversation, ends } = listen();
    conversation.closed({ code: 1, stderr: "No conversation found with session ID: 7\n" });
    expect(ends()[0]).toMatchObject({ end: { outcome: "no-session" } });
  });
});
