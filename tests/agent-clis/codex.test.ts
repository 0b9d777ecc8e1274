// The real Codex without a terminal, against the scripted model: what it does, what it says, and how its ends are
// understood.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createCodexAgent } from "../../src/adapters/agent/codex/adapter.ts";
import type { TurnEvent } from "../../src/ports/agent/adapter.ts";
import type { Said } from "../models/model.ts";
import { answered, answers, codexRig, inTurn, ofType, patch, sessionOf, shell } from "./codex-rig.ts";

const minutes = (count: number) => ({ timeout: count * 60_000 });

describe("the real Codex without a terminal", minutes(3), () => {
  test("changes files with its own tools and answers in the asked form", async () => {
    const model = inTurn(patch("new.txt", "hello"), shell("cat new.txt > copy.txt"), answers("wrote it"));
    await using rig = await codexRig({ model });
    const before = readFileSync(join(rig.folder, "home", ".codex", "config.toml"), "utf8");
    const { end, run } = await rig.turn(rig.request());

    expect(end).toEqual(answered({ summary: "wrote it" }));
    expect(readFileSync(join(rig.worktree, "copy.txt"), "utf8")).toBe("hello\n");
    expect(rig.server.asked[0]?.texts.at(-1)).toBe("Do the work.");
    expect(rig.server.asked[0]?.body).toMatchObject({
      model: "gpt-5.5",
      text: { format: { type: "json_schema", strict: true } },
    });
    expect(ofType(run.events, "doing").map(({ text }) => text)).toContain("changes new.txt");
    expect(ofType(run.events, "usage").at(-1)?.usage).toMatchObject({ input: 300, output: 30 });
    // The person's own configuration stays as it was; left alone, Codex notes there that it trusts the folder.
    expect(readFileSync(join(rig.folder, "home", ".codex", "config.toml"), "utf8")).toBe(before);
  });

  test("continues in its thread by the id it named, in another process", async () => {
    await using rig = await codexRig({ model: inTurn(answers("one"), answers("two")) });
    const first = await rig.turn(rig.request());
    const session = sessionOf(first.run.events);
    const second = await rig.turn(rig.request({ session, fresh: false, prompt: "And now the rest." }));

    expect(second.end).toEqual(answered({ summary: "two" }));
    expect(sessionOf(second.run.events)).toBe(session);
    expect(rig.server.asked[1]?.texts.slice(-3)).toEqual([
      "Do the work.",
      '{"summary":"one"}',
      "And now the rest.",
    ]);
    expect(ofType(second.run.events, "usage").at(-1)?.usage).toMatchObject({ input: 100, output: 10 });
  });

  test("as a critic can neither patch nor write nor ask to", async () => {
    const escalated = { sandbox_permissions: "require_escalated", justification: "May I?" };
    const model = inTurn(
      patch("new.txt", "x"),
      shell("echo x > b.txt"),
      shell("touch c.txt", escalated),
      answers("no"),
    );
    await using rig = await codexRig({
      model,
      settings: { sandbox: "danger-full-access", permission: "allow" },
    });
    const { end, run } = await rig.turn(rig.request({ readOnly: true, role: "reviewer" }));

    expect(end).toEqual(answered({ summary: "no" }));
    expect(rig.server.asked.at(-1)?.results.map(({ text }) => text)).toEqual([
      expect.stringContaining("blocked by read-only sandbox"),
      expect.stringContaining("Read-only file system"),
      expect.stringContaining("approval policy is Never"),
    ]);
    expect(["new.txt", "b.txt", "c.txt"].filter((name) => existsSync(join(rig.worktree, name)))).toEqual([]);
    expect(ofType(run.events, "asked")).toEqual([]);
  });

  test("writes in its worktree and its out folder and nowhere else", async () => {
    const places = ["in.txt", "../out/handed.txt", "../outside.txt", "../tmp/x.txt", "../repository/.git/x"];
    const model = inTurn(shell(places.map((path) => `echo x > ${path}`).join("; ")), answers("done"));
    await using rig = await codexRig({ model });
    await rig.turn(rig.request());

    const written = places.filter((path) => existsSync(join(rig.worktree, path)));
    expect(written).toEqual(["in.txt", "../out/handed.txt"]);
  });

  test("asks a human through its own tool and continues with the answer", async () => {
    await using rig = await codexRig({
      model: ({ results }) =>
        results.length === 0
          ? { calls: [{ tool: "request_user_input", input: database }] }
          : answers(`${results[0]?.text}`),
    });
    const run = rig.run(rig.request());
    const asked = await run.event("asked");

    expect(asked.questions).toEqual([
      {
        ...{ id: "db", question: "Which database?", options: ["SQLite", "Postgres"] },
        context: "Database\nSQLite: small\nPostgres: big",
      },
    ]);
    run.conversation.answer(asked.id, { db: "Postgres" });
    const { end } = await run.event("over");
    expect(JSON.stringify(end)).toContain("Postgres");
  });

  test.each([
    ["allow", { outcome: "answered" }, true],
    ["deny", { outcome: "refused-tool" }, false],
  ])("outside its sandbox it does what a human says: %s", async (word, outcome, isWritten) => {
    await using rig = await codexRig({
      model: ({ results }) =>
        results.length === 0
          ? shell("echo x > ../outside.txt", {
              sandbox_permissions: "require_escalated",
              justification: "To build.",
            })
          : results[0]?.failed || results[0]?.text.includes("rejected")
            ? { text: "I cannot continue." }
            : answers("done"),
    });
    const run = rig.run(rig.request());
    const asked = await run.event("asked");
    expect(asked.questions[0]).toMatchObject({
      question: "May it run outside the sandbox: echo x > ../outside.txt?",
      options: ["allow", "deny"],
    });
    expect(asked.questions[0]?.context).toContain("To build.");
    run.conversation.answer(asked.id, { permission: word });

    expect((await run.event("over")).end).toMatchObject(outcome);
    expect(existsSync(join(rig.folder, "outside.txt"))).toBe(isWritten);
  });

  test("is interrupted in mid-tool and says so", async () => {
    await using rig = await codexRig({ model: inTurn(shell("sleep 300"), answers("never")) });
    const run = rig.run(rig.request());
    await run.event("doing");
    run.conversation.interrupt();

    expect((await run.event("over")).end).toMatchObject({ outcome: "unfinished" });
    expect(rig.server.asked).toHaveLength(1);
  });

  test("killed in mid-tool it continues in the same thread", async () => {
    await using rig = await codexRig({
      model: ({ nr }) => (nr === 1 ? shell("echo begun > begun.txt; sleep 300") : answers("done")),
    });
    const first = rig.run(rig.request());
    await first.event("doing");
    first.kill("SIGKILL");
    await first.exited();
    expect((await first.event("over")).end).toMatchObject({ outcome: "crashed" });

    const session = sessionOf(first.events);
    const second = await rig.turn(rig.request({ session, fresh: false, prompt: "Continue." }));
    expect(second.end).toEqual(answered({ summary: "done" }));
    expect(rig.server.asked.at(-1)?.texts).toEqual(expect.arrayContaining(["Do the work.", "Continue."]));
  });

  test("its output read again by another driver leads to the same events and the same words", async () => {
    const model = inTurn(patch("../outside.txt", "x"), shell("true"), answers("done"));
    await using rig = await codexRig({ model, settings: { permission: "deny" } });
    const request = rig.request();
    const { run } = await rig.turn(request);
    const events: TurnEvent[] = [];
    const sent: string[] = [];
    const again = createCodexAgent({ command: ["false"] })
      .headless(request)
      .converse({ send: (line) => void sent.push(line), happened: (event) => void events.push(event) });
    again.begin();
    for (const line of readFileSync(run.output, "utf8").split("\n")) again.heard(line);
    again.closed({ stderr: "" });

    expect(events).toEqual(run.events);
    expect(sent).toEqual(run.sent);
    expect(ofType(events, "refused-tool")).toHaveLength(1);
  });

  test("a last message that is no answer is garbage, with its words", async () => {
    await using rig = await codexRig({ model: inTurn({ text: "I am done, I think." }) });
    const { end } = await rig.turn(rig.request());

    expect(end).toMatchObject({ outcome: "garbage", detail: expect.stringContaining("I am done, I think.") });
  });
});

describe("the real Codex with a model that writes scripts for its tools", minutes(3), () => {
  const script = (code: string): Said => ({ calls: [{ tool: "functions__exec", input: code }] });
  const newest = { model: "gpt-6.1-sol" };
  const patched = "*** Begin Patch\\n*** Add File: new.txt\\n+hello\\n*** End Patch\\n";

  test("changes files, is seen doing it, and answers", async () => {
    const code = `await tools.apply_patch("${patched}"); text(await tools.exec_command({ cmd: "cat new.txt" }));`;
    await using rig = await codexRig({ model: inTurn(script(code), answers("wrote it")), settings: newest });
    const { end, run } = await rig.turn(rig.request());

    expect(end).toEqual(answered({ summary: "wrote it" }));
    expect(rig.server.asked[0]?.tools).toContain("functions__exec");
    expect(rig.server.asked[1]?.results[0]?.text).toContain("hello");
    expect(ofType(run.events, "doing").map(({ text }) => text)).toContain("changes new.txt");
  });

  test("a question that does not wait gets the advice to ask another way, and is not the answer", async () => {
    const questions = [{ title: "Which colour?", options: ["red", "blue"] }];
    const advised = (texts: readonly string[]) =>
      texts.some((text) => text.includes("Nobody answers questions"));
    await using rig = await codexRig({
      model: ({ nr, texts }) => {
        if (nr === 1)
          return { calls: [{ tool: "functions__request_user_input_async", input: { questions } }] };
        return advised(texts)
          ? answers("red, then")
          : script("await new Promise((on) => setTimeout(on, 200));");
      },
      settings: newest,
    });
    const { end } = await rig.turn(rig.request());

    expect(end).toEqual(answered({ summary: "red, then" }));
  });
});

const database = {
  questions: [
    {
      ...{ id: "db", header: "Database", question: "Which database?" },
      options: [
        { label: "SQLite", description: "small" },
        { label: "Postgres", description: "big" },
      ],
    },
  ],
};
