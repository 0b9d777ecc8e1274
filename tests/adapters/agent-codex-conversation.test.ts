// How the lines of Codex's app-server are understood, by what the real one has said.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codexAgent } from "../../src/adapters/agent/codex.ts";
import type { Conversation, TurnEvent, TurnRequest } from "../../src/ports/agent.ts";

interface Talk {
  readonly events: TurnEvent[];
  readonly sent: Record<string, unknown>[];
  readonly conversation: Conversation;
}

function talk(more: Partial<TurnRequest> = {}): Talk {
  const events: TurnEvent[] = [];
  const sent: Record<string, unknown>[] = [];
  const conversation = codexAgent({ command: ["pairflow"] })
    .headless({
      settings: { adapter: "codex" },
      ...{ agent: "codex", role: "implementer", session: "thread-1", fresh: true, readOnly: false },
      ...{ notice: "Read it.", prompt: "The whole prompt.", promptFile: "/bubble/prompt.md" },
      ...{ answerSchema: { type: "object" }, worktree: "/bubble/worktree", out: "/bubble/out" },
      ...more,
    })
    .converse({
      send: (line) => void sent.push(JSON.parse(line) as Record<string, unknown>),
      happened: (event) => void events.push(event),
    });
  conversation.begin();
  return { events, sent, conversation };
}

function linesOf(name: string): string[] {
  const file = join(import.meta.dirname, "..", "fixtures", "cli", `codex-${name}.ndjson`);
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

function heard(name: string, more: Partial<TurnRequest> = {}): Talk {
  const one = talk(more);
  for (const line of linesOf(name)) one.conversation.heard(line);
  return one;
}

const over = ({ events }: Talk) => events.filter(({ type }) => type === "over");
const methods = ({ sent }: Talk) => sent.map(({ method }) => method);

describe("a turn that is answered", () => {
  test("tells the session, what it does, what it used and the answer", () => {
    expect(heard("answered").events).toEqual([
      { type: "session", id: "thread-1" },
      { type: "doing", text: "says: I write it." },
      { type: "doing", text: "changes new.txt" },
      { type: "usage", usage: { input: 100, cached: 0, output: 10, context: 110 / 258400 } },
      { type: "doing", text: "runs cat new.txt > copy.txt; sleep 0.3" },
      { type: "usage", usage: { input: 200, cached: 0, output: 20, context: 110 / 258400 } },
      { type: "usage", usage: { input: 300, cached: 0, output: 30, context: 110 / 258400 } },
      { type: "over", end: { outcome: "answered", answer: { summary: "wrote it" } } },
    ]);
  });

  test("is made by one greeting, one thread and one turn, with everything explicit", () => {
    const settings = { adapter: "codex", model: "gpt-5.5", effort: "high" };
    const { sent } = heard("answered", { settings });
    const policy = { approvalPolicy: "on-request", approvalsReviewer: "user", model: "gpt-5.5" };
    expect(sent).toEqual([
      { id: 1, method: "initialize", params: expect.objectContaining({ clientInfo: expect.anything() }) },
      { method: "initialized" },
      {
        id: 2,
        method: "thread/start",
        params: { cwd: "/bubble/worktree", sandbox: "workspace-write", ...policy },
      },
      {
        id: 3,
        method: "turn/start",
        params: {
          ...{
            threadId: "thread-1",
            cwd: "/bubble/worktree",
            effort: "high",
            outputSchema: { type: "object" },
          },
          input: [{ type: "text", text: "The whole prompt." }],
          ...policy,
        },
      },
    ]);
  });

  test("a critic gets a read-only sandbox and may not ask to leave it", () => {
    const { sent } = heard("answered", {
      readOnly: true,
      settings: { adapter: "codex", sandbox: "workspace-write" },
    });
    expect(sent[2]?.params).toMatchObject({ sandbox: "read-only", approvalPolicy: "never" });
    expect(sent[3]?.params).toMatchObject({ approvalPolicy: "never" });
  });

  test("lines that are no JSON, or none of ours, change nothing", () => {
    const plain = heard("answered");
    const noisy = talk();
    for (const line of linesOf("answered")) {
      for (const noise of [
        "WARNING: something",
        "",
        "{",
        "null",
        '"x"',
        "[]",
        "{}",
        '{"id":99,"result":{}}',
      ]) {
        noisy.conversation.heard(noise);
      }
      noisy.conversation.heard(line);
    }
    expect(noisy.events).toEqual(plain.events);
    expect(noisy.sent).toEqual(plain.sent);
  });

  test("ends once, though the process ends too and speaks on", () => {
    const one = heard("answered");
    for (const line of linesOf("answered")) one.conversation.heard(line);
    one.conversation.closed({ code: 0, stderr: "" });
    expect(over(one)).toHaveLength(1);
  });
});

test("a thread that goes on counts what this process used alone", () => {
  const one = heard("resumed", { fresh: false });
  expect(methods(one)).toEqual(["initialize", "initialized", "thread/resume", "turn/start"]);
  expect(one.sent[2]?.params).toMatchObject({ threadId: "thread-1", sandbox: "workspace-write" });
  expect(one.events.filter(({ type }) => type === "usage")).toEqual([
    { type: "usage", usage: expect.objectContaining({ input: 100, output: 10 }) },
  ]);
});

test("a sub-agent's end is not the turn's, and what it used counts", () => {
  const one = heard("sub-agent");
  expect(over(one)).toEqual([
    { type: "over", end: { outcome: "answered", answer: { summary: "main done" } } },
  ]);
  expect(one.events.findLast(({ type }) => type === "usage")).toMatchObject({
    usage: { input: 500, output: 50 },
  });
});

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

describe("ends without an answer", () => {
  test.each([
    ["interrupted", { outcome: "unfinished" }],
    ["unauthorized", { outcome: "auth", detail: expect.stringContaining("Incorrect API key provided") }],
    ["used-up", { outcome: "quota", until: "2026-11-18T07:28:30.000Z" }],
    ["no-thread", { outcome: "no-session" }],
  ])("%s", (name, end) => {
    expect(over(heard(name, { fresh: name !== "no-thread" }))).toMatchObject([{ end }]);
  });

  test("a process that ends in the middle has crashed; its last words are told", () => {
    const one = talk();
    for (const line of linesOf("answered").slice(0, 8)) one.conversation.heard(line);
    one.conversation.closed({ code: 1, stderr: "Error: out of memory\n" });
    expect(over(one)).toMatchObject([
      { end: { outcome: "crashed", detail: expect.stringContaining("out of memory") } },
    ]);
  });

  test.each([1, 2, 3])("request %i refused by Codex is an end with its words", (id) => {
    const one = talk();
    for (const line of linesOf("answered").slice(0, id - 1)) one.conversation.heard(line);
    one.conversation.heard(JSON.stringify({ id, error: { code: -32600, message: "bad request" } }));
    expect(over(one)).toMatchObject([
      { end: { outcome: "crashed", detail: expect.stringContaining("bad request") } },
    ]);
  });

  test("an attempt to reach the model again is shown", () => {
    const doing = heard("unauthorized").events.flatMap((event) => (event.type === "doing" ? event.text : []));
    expect(doing).toEqual([expect.stringMatching(/^tries again: unexpected status 401/)]);
  });
});

test("an interrupt names the running turn; before there is one nothing can be said", () => {
  const one = talk();
  one.conversation.interrupt();
  expect(methods(one)).toEqual(["initialize"]);
  for (const line of linesOf("interrupted").slice(0, 8)) one.conversation.heard(line);
  one.conversation.interrupt();
  expect(one.sent.at(-1)).toEqual({
    id: 4,
    method: "turn/interrupt",
    params: { threadId: "thread-1", turnId: "turn-1" },
  });
});
