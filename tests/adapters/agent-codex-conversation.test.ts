// How the lines of Codex's app-server are understood, by what the real one has said.
import { describe, expect, test } from "vitest";
import { heard, linesOf, methods, over, talk } from "./agent-codex-talk.ts";

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
      {
        type: "over",
        end: { outcome: "answered", answer: { summary: "wrote it" }, text: expect.any(String) },
      },
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

test("a thread that continues counts what this process used alone", () => {
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
    {
      type: "over",
      end: { outcome: "answered", answer: { summary: "main done" }, text: expect.any(String) },
    },
  ]);
  expect(one.events.findLast(({ type }) => type === "usage")).toMatchObject({
    usage: { input: 500, output: 50 },
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
