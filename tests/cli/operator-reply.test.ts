// pairflow bubble reply: every question the referee asks, what each answer does, and which answers are a signature.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fullPackage, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { goOn, grant, readArtifact, readLastPrompt, runHeadless } from "../helpers/operator.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

const writes = (text: string) => ({ write: { path: "src/cart.txt", text } });
const implement = (text: string, more = {}) => ({
  role: "implementer",
  steps: [writes(text), { pass: { summary: "done", ...fullPackage, ...more } }],
});
const looked = ["src/cart.txt:1 holds the total the task asks for"];
const review = (claim: object) => ({
  role: "reviewer",
  steps: [{ pass: { summary: "looked", checked: looked, ...claim } }],
});
const converge = {
  role: "reviewer",
  steps: [{ converge: { summary: "nothing found", checked: looked } }],
};
const serious = ["P1:Total is wrong @ src/cart.txt:1 | total: 3"];
const minor = ["P3:Odd name @ src/cart.txt:1 | total: 2"];

const reply = (id: string, ...args: string[]) => tool.run("bubble", "reply", "--id", id, ...args);
const signed = (id: string, ...args: string[]) =>
  goOn(tool, id, "bubble", "reply", "--id", id, ...args, "--operator-key", tool.key);

describe.concurrent("a tie-break over minor findings", () => {
  const turns = {
    implementer: [implement("total: 2\n"), converge],
    reviewer: [review({ findings: minor }), review({ fixed: ["F1"], no_findings: true, checked: looked })],
  };

  it("names its choices, and waive is a signature with a reason", async () => {
    const waiting = await runHeadless(tool, "tie", turns);
    expect(waiting.questions).toMatchObject([{ kind: "tie-break", findings: ["F1"] }]);
    const inbox = await tool.ok("bubble", "inbox", "--id", "tie");
    expect(inbox).toMatch(/waive\s+they stay as they are[\s\S]*fix\s+the producer fixes them/);
    const plain = await reply("tie", "--message", "whatever");
    expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.needs-choice") });
    expect(plain.stderr).toMatch(/waive: .*\n\s+fix: /);
    // A word that grants something elsewhere is no answer here, whoever gives it.
    for (const word of ["waves", "accept"])
      expect(await reply("tie", "--choose", word, "--message", "x"), word).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("reply.unknown-choice"),
      });
    expect(await reply("tie", "--choose", "waive", "--message", "x")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("operator.no-terminal"),
    });
    const bare = await grant(tool, "bubble", "reply", "--id", "tie", "--choose", "waive");
    expect(bare).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.no-reason") });
    expect(await tool.run("bubble", "resume", "--id", "tie")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("resume.needs-choice"),
    });
    const ready = await signed("tie", "--choose", "waive", "--message", "the name is historic");
    expect(ready.state).toBe("READY_FOR_APPROVAL");
    expect(ready.findings.closed).toMatchObject([
      { id: "F1", status: "waived", because: "the name is historic" },
    ]);
    expect(readArtifact(tool, "tie", "done-package.md")).toContain("the name is historic");
    expect(tool.log("tie").find((envelope) => envelope.type === "HUMAN_REPLY")).toMatchObject({
      payload: { choice: "waive", via: "operator-key", waived: ["F1"] },
    });
  });

  it("fix sends them to the implementer and needs no key", async () => {
    await runHeadless(tool, "fix", {
      ...turns,
      implementer: [implement("total: 2\n"), implement("sum: 2, total: 2\n"), converge],
    });
    const ready = await goOn(
      tool,
      "fix",
      "bubble",
      "reply",
      "--id",
      "fix",
      "--choose",
      "fix",
      "--message",
      "rename it",
    );
    expect(ready).toMatchObject({
      state: "READY_FOR_APPROVAL",
      findings: { closed: [{ id: "F1", status: "fixed" }] },
    });
    expect(readArtifact(tool, "fix", "prompts/t3.1-codex.md")).toContain("rename it");
  });
});

describe.concurrent("a dispute", () => {
  const disputed = {
    implementer: [
      implement("total: 3\n"),
      {
        role: "implementer",
        steps: [
          {
            pass: {
              summary: "it is right",
              disputes: ["F1:three is what the task says"],
              no_change: "nothing is wrong",
            },
          },
        ],
      },
      {
        role: "implementer",
        steps: [
          { verb: ["pass", "--summary", "no", "--dispute", "F1:again"], expect_exit: 1 },
          writes("total: 2\n"),
          { pass: { summary: "fixed" } },
        ],
      },
      converge,
    ],
    reviewer: [
      review({ findings: serious }),
      review({ open: ["F1"] }),
      review({ fixed: ["F1"], no_findings: true, checked: looked }),
    ],
  };

  it("uphold settles it for the reviewer: the producer fixes it and cannot dispute again", async () => {
    const waiting = await runHeadless(tool, "uphold", disputed);
    expect(waiting.questions).toMatchObject([{ kind: "dispute", findings: ["F1"] }]);
    expect(waiting.questions[0]?.text).toContain('"three is what the task says"');
    const ready = await goOn(
      tool,
      "uphold",
      ...["bubble", "reply", "--id", "uphold", "--choose", "uphold", "--message", "two it is"],
    );
    expect(ready.state).toBe("READY_FOR_APPROVAL");
    expect(
      tool
        .log("uphold")
        .filter((envelope) => envelope.type === "WARNING")
        .map((envelope) => envelope.payload.code),
    ).toContain("finding.settled");
  });

  it("waive settles it for the producer, with a key and a reason", async () => {
    await runHeadless(tool, "waive", {
      implementer: [...disputed.implementer.slice(0, 2), converge],
      reviewer: [...disputed.reviewer.slice(0, 2), review({ no_findings: true, checked: looked })],
    });
    expect(await reply("waive", "--choose", "waive", "--message", "x")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("operator.no-terminal"),
    });
    const ready = await signed(
      "waive",
      "--choose",
      "waive",
      "--message",
      "the task does say three",
      "--finding",
      "F1",
    );
    expect(ready).toMatchObject({
      state: "READY_FOR_APPROVAL",
      findings: { closed: [{ id: "F1", status: "waived" }] },
    });
  });
});

describe.concurrent("all rounds used", () => {
  const spent = {
    implementer: [implement("total: 3\n"), implement("total: 2\n"), converge],
    reviewer: [review({ findings: serious }), review({ fixed: ["F1"], no_findings: true, checked: looked })],
  };
  const exhaust = (id: string) => runHeadless(tool, id, spent, "--max-rounds", "1");

  it("accept waives what is open, by signature, and asks for approval of this tree", async () => {
    const waiting = await exhaust("accept");
    expect(waiting.questions).toMatchObject([
      { kind: "exhausted", options: [{ key: "accept" }, { key: "continue" }, { key: "reject" }] },
    ]);
    expect(await reply("accept", "--choose", "accept", "--message", "x")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("operator.no-terminal"),
    });
    const ready = await signed("accept", "--choose", "accept", "--message", "good enough for the demo");
    expect(ready.state).toBe("READY_FOR_APPROVAL");
    const shown = (await grant(tool, "bubble", "approve", "--id", "accept")).stderr;
    expect(shown).toContain("accepted by a human without convergence");
    expect(shown).toContain("0 findings fixed, 1 waived, 0 open");
  });

  it("continue grants rounds and gives the notes to the implementer", async () => {
    await exhaust("continue");
    expect(await reply("continue", "--choose", "reject", "--rounds", "2")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("reply.rounds"),
    });
    expect(await reply("continue", "--choose", "continue", "--rounds", "0.5")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("reply.rounds"),
    });
    const args = ["--choose", "continue", "--rounds", "2", "--message", "look at line one"];
    const ready = await goOn(tool, "continue", "bubble", "reply", "--id", "continue", ...args);
    expect(ready).toMatchObject({ state: "READY_FOR_APPROVAL", max_rounds: 3, round: 3 });
    expect(readArtifact(tool, "continue", "prompts/t3.1-codex.md")).toContain("look at line one");
  });

  it("reject ends the bubble and keeps the branch", async () => {
    await exhaust("reject");
    const ended = await goOn(
      tool,
      "reject",
      "bubble",
      "reply",
      "--id",
      "reject",
      "--choose",
      "reject",
      "--message",
      "wrong way",
    );
    expect(ended).toMatchObject({
      state: "CANCELLED",
      end: { message: expect.stringContaining("wrong way") },
    });
    expect(tool.git("branch", "--list", "bubble/reject")).toContain("bubble/reject");
  });

  it("a red gate is accepted only by its name", async () => {
    const red = { ...spent, reviewer: shortest.reviewer };
    const waiting = await runHeadless(
      tool,
      "red",
      red,
      "--max-rounds",
      "1",
      "--test",
      "grep -q 2 src/cart.txt",
    );
    expect(waiting.questions).toMatchObject([{ kind: "exhausted" }]);
    const unnamed = await grant(
      tool,
      "bubble",
      "reply",
      "--id",
      "red",
      "--choose",
      "accept",
      "--message",
      "flaky",
    );
    expect(unnamed).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.red-gates") });
    expect(unnamed.stderr).toContain("--waive-gate test");
    const ready = await signed("red", "--choose", "accept", "--message", "flaky", "--waive-gate", "test");
    expect(ready.state).toBe("READY_FOR_APPROVAL");
    expect((await grant(tool, "bubble", "approve", "--id", "red")).stderr).toContain("waived gates: test");
    expect(await grant(tool, "bubble", "approve", "--id", "red", "--yes")).toMatchObject({ code: 0 });
    expect(await grant(tool, "bubble", "commit", "--id", "red")).toMatchObject({ code: 0 });
  });
});

it.concurrent("a loop that makes no progress asks how to end it", async () => {
  const nothing = {
    role: "implementer",
    steps: [{ pass: { summary: "as it is", no_change: "seems right" } }],
  };
  const waiting = await runHeadless(tool, "stuck", {
    implementer: [implement("total: 3\n"), nothing, nothing, nothing],
    reviewer: [review({ findings: serious }), ...[1, 2, 3].map(() => review({ open: ["F1"] }))],
  });
  expect(waiting.questions).toMatchObject([
    { kind: "stuck", options: [{ key: "accept" }, { key: "continue" }, { key: "reject" }] },
  ]);
  expect(waiting.questions[0]?.text).toContain("stayed open on the same tree");
  const ready = await signed("stuck", "--choose", "accept", "--message", "leave it");
  expect(ready.state).toBe("READY_FOR_APPROVAL");
});

describe.concurrent("an agent's own question", () => {
  const asks = {
    ...shortest,
    implementer: [
      {
        role: "implementer",
        steps: [
          { ask: { question: "Which?", options: ["two", "accept"] } },
          ...shortest.implementer[0]!.steps,
        ],
      },
      shortest.implementer[1],
    ],
  };

  it("takes words or one of its options; an option called accept signs nothing", async () => {
    await runHeadless(tool, "agent", asks);
    expect(await reply("agent")).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.empty") });
    expect(await reply("agent", "--message", "x", "--rounds", "3")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("reply.rounds"),
    });
    expect(await reply("agent", "--message", "x", "--question", "q999")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("reply.no-question"),
    });
    const ready = await goOn(tool, "agent", "bubble", "reply", "--id", "agent", "--message", "Two, please");
    expect(ready).toMatchObject({ state: "READY_FOR_APPROVAL", questions: [] });
    expect(readArtifact(tool, "agent", "prompts/t1.2-codex.md")).toContain("Two, please");
    expect(readLastPrompt(tool, "agent")).not.toContain("Two, please");
    const again = await reply("agent", "--message", "Three");
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.no-question") });
  });
});
