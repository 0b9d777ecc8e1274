// The real Claude Code without a terminal, against the scripted model: what it does, what it says, and how its ends are
// understood.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createClaudeAgent } from "../../src/adapters/agent/claude/adapter.ts";
import { buildAnswerSchema } from "../../src/core/answer/schema.ts";
import { dialects } from "../../src/core/model/review/verdict.ts";
import type { TurnEvent } from "../../src/ports/agent/adapter.ts";
import type { Asked } from "../models/model.ts";
import { answers, type ClaudeRig, claudeRig } from "./claude-rig.ts";

const minutes = (count: number) => ({ timeout: count * 60_000 });
const last = (asked: Asked) => asked.results.at(-1);

describe("the real Claude Code without a terminal", minutes(3), () => {
  test("writes a file with its own tool, answers in the asked form and ends by itself", async () => {
    await using rig = await claudeRig({
      model: (asked) =>
        asked.results.length === 0
          ? { text: "I write it.", calls: [write(join(rig.worktree, "hello.txt"), "hi\n")] }
          : answers("wrote it"),
    });
    const request = rig.request();
    const run = rig.run(request);

    expect(await run.end()).toEqual({ outcome: "answered", answer: { summary: "wrote it" } });
    expect(await run.exited()).toBe(0);
    expect(readFileSync(join(rig.worktree, "hello.txt"), "utf8")).toBe("hi\n");
    expect(rig.server.asked[0]?.texts).toContain("Do the work.");
    expect(ofType(run.events, "session")).toEqual([{ type: "session", id: request.session }]);
    expect(ofType(run.events, "doing").map(({ text }) => text)).toContain("I write it.");
    expect(ofType(run.events, "usage").at(-1)?.usage).toMatchObject({ input: 200, output: 20, cached: 0 });
    expect(ofType(run.events, "usage").at(-1)?.usage.usd).toBeGreaterThan(0);
  });

  // A form that it cannot read is passed over without a word, and no answer would ever come.
  for (const kind of ["handoff", "score", ...dialects] as const) {
    const schema = buildAnswerSchema(kind);
    test(`asks the model for the referee's own form of answer: ${kind}`, async () => {
      await using rig = await claudeRig({ model: () => ({ text: "no" }) });
      await rig.run(rig.request({ answerSchema: schema })).end();
      const form = expect.objectContaining({
        name: "StructuredOutput",
        input_schema: expect.objectContaining(schema),
      });
      expect(rig.server.asked[0]?.body).toMatchObject({ tools: expect.arrayContaining([form]) });
    });
  }

  test("continues in a session by its id, in another process", async () => {
    await using rig = await claudeRig({ model: (asked) => answers(`turn ${asked.nr}`) });
    const request = rig.request();
    await rig.run(request).end();
    const end = await rig.run({ ...request, fresh: false, prompt: "And now the rest." }).end();

    expect(end).toEqual({ outcome: "answered", answer: { summary: "turn 2" } });
    expect(rig.server.asked[1]?.texts).toEqual(expect.arrayContaining(["Do the work.", "And now the rest."]));
  });

  test("asks a human through its own tool and continues with the answer", async () => {
    const questions = [
      { question: "Which colour?", header: "Colour", multiSelect: false, options: colours },
      { question: "Which sizes?", header: "Size", multiSelect: true, options: sizes },
    ];
    await using rig = await claudeRig({
      model: (asked) =>
        asked.results.length === 0
          ? { calls: [{ tool: "AskUserQuestion", input: { questions } }] }
          : answers(last(asked)?.text ?? ""),
    });
    const run = rig.run(rig.request());
    const asked = await run.event("asked");

    expect(asked.questions).toEqual([
      { id: "q1", question: "Which colour?", options: ["Red", "Blue"], context: "Red: warm\nBlue: cold" },
      expect.objectContaining({ id: "q2", question: "Which sizes?", options: ["S", "L"] }),
    ]);
    run.conversation.answer(asked.id, { q1: "Blue", q2: "S, L" });
    const end = await run.end();
    expect(JSON.stringify(end)).toContain('\\"Which colour?\\"=\\"Blue\\"');
    expect(JSON.stringify(end)).toContain('\\"Which sizes?\\"=\\"S, L\\"');
  });

  test("is refused a tool and ends without an answer: refused-tool", async () => {
    await using rig = await claudeRig({
      settings: { permission: "deny" },
      model: (asked) =>
        asked.results.length === 0
          ? { calls: [write(join(rig.folder, "outside.txt"), "x")] }
          : { text: "I cannot continue." },
    });
    const run = rig.run(rig.request());

    expect(await run.end()).toMatchObject({
      outcome: "refused-tool",
      detail: expect.stringContaining("Write"),
    });
    expect(ofType(run.events, "refused-tool")[0]?.tool).toBe("Write");
    expect(existsSync(join(rig.folder, "outside.txt"))).toBe(false);
  });

  for (const words of ["allow", "rather not here"]) {
    test(`asks a human for a tool it may not use by itself, and hears "${words}"`, async () => {
      const exists = words === "allow";
      await using rig = await claudeRig({
        model: (asked) =>
          asked.results.length === 0
            ? { calls: [write(join(rig.folder, "outside.txt"), "x")] }
            : answers(last(asked)?.text ?? ""),
      });
      const run = rig.run(rig.request());
      const asked = await run.event("asked");
      expect(asked.questions).toEqual([
        expect.objectContaining({
          id: "permission",
          options: ["allow", "deny"],
          question: expect.stringContaining("Write"),
        }),
      ]);
      run.conversation.answer(asked.id, { permission: words });
      const end = await run.end();
      expect(existsSync(join(rig.folder, "outside.txt"))).toBe(exists);
      expect(JSON.stringify(end).includes(words)).toBe(!exists);
    });
  }

  test("is interrupted in the middle and can be resumed", async () => {
    await using rig = await claudeRig({
      model: (asked) => (asked.nr === 1 ? { text: "slow", stallMs: 600_000 } : answers("after all")),
    });
    const request = rig.request();
    const run = rig.run(request);
    await run.event("session");
    await expect.poll(() => rig.server.asked.length, { timeout: 60_000 }).toBe(1);
    run.conversation.interrupt();

    expect(await run.end()).toMatchObject({ outcome: "unfinished" });
    expect(await rig.run({ ...request, fresh: false }).end()).toMatchObject({ outcome: "answered" });
  });

  test("is killed in mid-turn, and its session continues in a new process", async () => {
    await using rig = await claudeRig({
      model(asked) {
        if (asked.nr === 1) return { calls: [write(join(rig.worktree, "half.txt"), "half\n")] };
        return asked.nr === 2 ? { text: "slow", stallMs: 600_000 } : answers("the other half");
      },
    });
    const request = rig.request();
    const run = rig.run(request);
    // The session's file is written a moment after the request that follows from it.
    await expect.poll(() => sessionOf(rig, request.session), { timeout: 60_000 }).toContain("tool_result");
    run.kill("SIGKILL");
    expect(await run.end()).toMatchObject({ outcome: "crashed" });

    const end = await rig.run({ ...request, fresh: false, prompt: "Continue." }).end();
    expect(end).toEqual({ outcome: "answered", answer: { summary: "the other half" } });
    expect(rig.server.asked.at(-1)?.results.map(({ tool }) => tool)).toEqual(["Write"]);
  });

  test("leaves an output from which a second conversation hears the same", async () => {
    await using rig = await claudeRig({
      model: (asked) =>
        asked.results.length === 0
          ? { text: "Look.", calls: [{ tool: "AskUserQuestion", input: { questions: [colourQuestion] } }] }
          : answers("done"),
    });
    const request = rig.request();
    const run = rig.run(request);
    const asked = await run.event("asked");
    run.conversation.answer(asked.id, { q1: "Red" });
    await run.end();

    const events: TurnEvent[] = [];
    const sent: string[] = [];
    const again = createClaudeAgent({ command: [] })
      .headless(request)
      .converse({ send: (line) => sent.push(line), happened: (event) => events.push(event) });
    again.begin();
    for (const line of readFileSync(run.output, "utf8").split("\n")) again.heard(line);
    again.closed({ stderr: "" });
    expect(events).toEqual(run.events);
    // The human's answer is the engine's to send again, if it was not sent yet.
    expect(sent).toEqual(run.sent.filter((line) => !line.includes('"answers"')));
  });
});

const colours = [
  { label: "Red", description: "warm" },
  { label: "Blue", description: "cold" },
];
const sizes = [
  { label: "S", description: "small" },
  { label: "L", description: "large" },
];
const colourQuestion = { question: "Which colour?", header: "Colour", multiSelect: false, options: colours };

function write(file: string, content: string) {
  return { tool: "Write", input: { file_path: file, content } };
}

function sessionOf({ home }: ClaudeRig, id: string): string {
  const projects = join(home.folder, ".claude", "projects");
  const folders = existsSync(projects) ? readdirSync(projects) : [];
  const files = folders
    .map((folder) => join(projects, folder, `${id}.jsonl`))
    .filter((file) => existsSync(file));
  return files.map((file) => readFileSync(file, "utf8")).join("");
}

function ofType<T extends TurnEvent["type"]>(events: readonly TurnEvent[], type: T) {
  return events.filter((event): event is Extract<TurnEvent, { type: T }> => event.type === type);
}
