// What Codex wants in mid-turn: questions for a human, and leave for what its sandbox does not let it do.
import { describe, expect, test } from "vitest";
import { heard, linesOf, over, talk } from "./agent-codex-talk.ts";

describe("what it wants from a human", () => {
  test("a question comes with its options, and the answer goes back by its id", () => {
    const one = heard("asked");
    expect(one.events.find(({ type }) => type === "asked")).toEqual({
      type: "asked",
      id: "request-0",
      questions: [
        {
          ...{ id: "db", question: "Which database?", options: ["SQLite", "Postgres"] },
          context: "Database\nSQLite: small\nPostgres: big",
        },
      ],
    });
    const waiting = talk();
    for (const line of linesOf("asked").slice(0, -6)) waiting.conversation.heard(line);
    waiting.conversation.answer("request-0", { db: "Postgres" });
    expect(waiting.sent.at(-1)).toEqual({ id: 0, result: { answers: { db: { answers: ["Postgres"] } } } });
  });

  test("leave to change files and to run outside the sandbox is asked for", () => {
    const asked = heard("declined").events.flatMap((event) =>
      event.type === "asked" ? event.questions : [],
    );
    expect(asked).toEqual([
      {
        ...{ id: "permission", options: ["allow", "deny"] },
        question: "May it change files it may not write: /bubble/outside.txt?",
      },
      {
        ...{ id: "permission", options: ["allow", "deny"] },
        question: "May it run outside the sandbox: echo x > ../out.txt?",
        context: "To build.\nin /bubble/worktree",
      },
    ]);
  });

  test.each([
    ["allow", "accept"],
    ["yes", "accept"],
    ["deny", "decline"],
    ["allow nothing", "decline"],
  ])("the human's word %s means %s", (word, decision) => {
    const one = heard("declined");
    one.conversation.answer("request-1", { permission: word });
    expect(one.sent.at(-1)).toEqual({ id: 1, result: { decision } });
  });

  test.each([
    ["deny", "decline"],
    ["allow", "accept"],
  ])("with permission %s nobody is asked: %s", (permission, decision) => {
    const one = heard("declined", { settings: { adapter: "codex", permission } });
    expect(one.events.filter(({ type }) => type === "asked")).toEqual([]);
    expect(one.sent.slice(-2)).toEqual([0, 1].map((id) => ({ id, result: { decision } })));
  });

  test("what was declined is told, and without an answer it is how the turn ended", () => {
    const one = heard("declined");
    expect(one.events.filter(({ type }) => type === "refused-tool")).toEqual([
      { type: "refused-tool", tool: "/bubble/outside.txt", why: "it was declined" },
      { type: "refused-tool", tool: "echo x > ../out.txt", why: "it was declined" },
    ]);
    expect(over(one)).toMatchObject([{ end: { outcome: "refused-tool" } }]);
  });

  test("a critic's wish is denied whatever its settings say", () => {
    const one = heard("declined", { readOnly: true, settings: { adapter: "codex", permission: "allow" } });
    expect(one.sent.slice(-2)).toEqual([0, 1].map((id) => ({ id, result: { decision: "decline" } })));
  });

  test("a tool of another server is asked for; a form of it nobody can fill in", () => {
    const one = heard("no-thread");
    const fresh = talk();
    const params = { serverName: "files", message: "Allow it?" };
    const call = {
      ...params,
      mode: "form",
      _meta: { codex_approval_kind: "mcp_tool_call", tool_params: { path: "a" } },
    };
    const method = "mcpServer/elicitation/request";
    for (const [id, wish] of [call, { ...params, mode: "form", _meta: null }].entries()) {
      fresh.conversation.heard(JSON.stringify({ id, method, params: wish }));
      one.conversation.heard(JSON.stringify({ id, method, params: wish }));
    }
    expect(fresh.events).toEqual([
      {
        type: "asked",
        id: "request-0",
        questions: [expect.objectContaining({ question: "May it use a tool of files?" })],
      },
      { type: "refused-tool", tool: "a form of files", why: expect.any(String) },
    ]);
    expect(fresh.sent.at(-1)).toEqual({ id: 1, result: { action: "decline", content: null, _meta: null } });
    // After the end nothing is said any more.
    expect(one.sent).toHaveLength(3);
  });

  test("a question that does not wait is answered with advice, and is not taken for the final message", () => {
    const one = talk();
    const [...lines] = linesOf("answered");
    const item = {
      type: "agentMessage",
      id: "call",
      text: "Which colour?",
      phase: "final_answer",
      delivery: "async",
    };
    const aside = {
      item: { ...item, questions: [{ title: "Which colour?" }] },
      threadId: "thread-1",
      turnId: "turn-1",
    };
    for (const line of lines.slice(0, 8)) one.conversation.heard(line);
    one.conversation.heard(JSON.stringify({ method: "item/completed", params: aside }));
    expect(one.sent.at(-1)).toMatchObject({
      id: 100,
      method: "turn/steer",
      params: { threadId: "thread-1", expectedTurnId: "turn-1" },
    });
    one.conversation.heard('{"id":100,"error":{"code":-32600,"message":"no active turn"}}');
    const completed = { id: "turn-1", status: "completed", error: null, items: [item] };
    const params = { threadId: "thread-1", turn: completed };
    one.conversation.heard(JSON.stringify({ method: "turn/completed", params }));
    expect(over(one)).toMatchObject([
      { end: { outcome: "garbage", detail: expect.stringContaining("I write it.") } },
    ]);
  });

  test("what only other clients can do is refused in the protocol's words", () => {
    const one = talk();
    one.conversation.heard('{"id":5,"method":"attestation/generate","params":{}}');
    expect(one.sent.at(-1)).toMatchObject({ id: 5, error: { code: -32601 } });
  });
});
