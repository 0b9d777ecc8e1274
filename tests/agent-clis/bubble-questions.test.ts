// Questions of agents without a terminal: they reach the inbox with their options, and the answer goes to the process
// that waits for it, or, where the agent ended with its questions, into the session it had.
import { existsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Said } from "../models/model.ts";
import { handoff } from "./bubble-rig.ts";
import {
  answers,
  type Bubble,
  type Cli,
  clis,
  handedOver,
  id,
  promptsKnown,
  saying,
  setsTotal,
  staged,
} from "./bubble-stage.ts";

const done = handoff("The total is right");

interface Question {
  readonly question: string;
  readonly options: readonly string[];
}
const tax: Question = { question: "Before or after tax?", options: ["before", "after"] };
const rounding: Question = { question: "How are cents rounded?", options: ["up", "down"] };

/** The tool by which each CLI lets its model ask. */
function asks(cli: Cli, ...questions: readonly Question[]): Said {
  const described = questions.map(({ question, options }, at) => ({
    ...{ question, header: `Question ${at + 1}` },
    options: options.map((label) => ({ label, description: `It is ${label}` })),
    ...(cli === "claude" ? { multiSelect: false } : { id: `question_${at + 1}` }),
  }));
  const tool = cli === "claude" ? "AskUserQuestion" : "request_user_input";
  return { calls: [{ tool, input: { questions: described } }] };
}

/** Something outside of its worktree, which only a person may allow. */
function touches(cli: Cli, ...files: readonly string[]): Said {
  const input = (file: string) =>
    cli === "claude"
      ? { file_path: file, content: "x" }
      : { cmd: `touch ${file}`, sandbox_permissions: "require_escalated", justification: "I need it" };
  return {
    calls: files.map((file) => ({ tool: cli === "claude" ? "Write" : "exec_command", input: input(file) })),
  };
}

/** What the model was told by the tools it called last. */
const told = (bubble: Bubble, request: number, last = 1) =>
  (bubble.asked()[request - 1]?.results ?? [])
    .slice(-last)
    .map(({ text }) => text)
    .join("\n");

/** One process from the first word to the last: nothing was started again. */
function isOneProcess(bubble: Bubble): void {
  expect(bubble.attempts().filter((one) => one.startsWith("t1"))).toHaveLength(1);
  expect(bubble.all("TURN_SPAWNED").filter(({ turn }) => turn === "t1")).toHaveLength(1);
  expect(bubble.ends().filter((one) => one.startsWith("t1"))).toEqual([]);
}

describe.concurrent("a real CLI without a terminal that asks", { timeout: 240_000 }, () => {
  test.for(clis)("%s waits for the answers to one question and to several, and continues", async (cli) => {
    await using bubble = await staged({
      implementer: cli,
      model: saying(asks(cli, tax), asks(cli, tax, rounding), setsTotal(cli), answers(cli, done)),
    });
    await bubble.start();
    const inbox = await bubble.tool.ok("inbox");
    for (const words of [tax.question, ...tax.options, "It is before"]) expect(inbox).toContain(words);
    const both = await bubble.reply("--choose", "after");
    expect(told(bubble, 2)).toContain("after");
    expect(both.questions.map(({ text }) => text.split("\n")[0])).toEqual([tax.question, rounding.question]);
    const [, second] = both.questions;
    await bubble.tool.ok("bubble", "reply", "--id", id, "--question", second?.id ?? "", "--choose", "down");
    expect(bubble.asked()).toHaveLength(2);
    await handedOver(bubble, bubble.reply("--choose", "before", "--message", "as on the invoice"));
    for (const words of ["before: as on the invoice", "down"]) expect(told(bubble, 3)).toContain(words);
    isOneProcess(bubble);
  });

  test.for(clis)(
    "%s does what a human allows, with a word or without, and hears what is refused",
    async (cli) => {
      let folder = "";
      const file = (name: string) => join(folder, name);
      await using bubble = await staged({
        implementer: cli,
        model: saying(
          () => touches(cli, file("first")),
          () => touches(cli, file("second")),
          () => touches(cli, file("third")),
          setsTotal(cli),
          answers(cli, done),
        ),
      });
      folder = bubble.tool.folder;
      expect((await bubble.start()).questions).toMatchObject([
        {
          kind: "agent",
          options: [{ key: "allow" }, { key: "deny" }],
          text: expect.stringContaining("first"),
        },
      ]);
      await bubble.reply("--choose", "allow");
      await bubble.reply("--choose", "allow", "--message", "once more");
      await handedOver(bubble, bubble.reply("--choose", "deny", "--message", "that is enough"));
      expect(["first", "second", "third"].map((name) => existsSync(file(name)))).toEqual([true, true, false]);
      if (cli === "claude") expect(told(bubble, 4)).toContain("that is enough");
      isOneProcess(bubble);
    },
  );

  test.for(clis)("%s that wants two things at once is asked about one after the other", async (cli) => {
    let folder = "";
    const files = () => ["first", "second"].map((name) => join(folder, name));
    await using bubble = await staged({
      implementer: cli,
      // Claude Code runs only tools that read side by side.
      model: saying(
        () =>
          cli === "codex"
            ? touches(cli, ...files())
            : { calls: files().map((file) => ({ tool: "Read", input: { file_path: file } })) },
        setsTotal(cli),
        answers(cli, done),
      ),
    });
    folder = bubble.tool.folder;
    if (cli === "claude") for (const file of files()) writeFileSync(file, `this is the ${basename(file)}`);
    await bubble.start();
    await bubble.reply("--choose", "allow");
    await handedOver(bubble, bubble.reply("--choose", "allow"));
    if (cli === "codex") expect(files().map((file) => existsSync(file))).toEqual([true, true]);
    else for (const name of ["first", "second"]) expect(told(bubble, 2, 2)).toContain(`this is the ${name}`);
    isOneProcess(bubble);
  });

  test.for(clis)("%s whose driver is killed while it waits is adopted by the next one", async (cli) => {
    await using bubble = await staged({
      implementer: cli,
      model: saying(asks(cli, tax), setsTotal(cli), answers(cli, done)),
      // Told that somebody is asked, the person's own command kills whoever told it.
      notifications: { command: "kill -9 $PPID" },
    });
    await bubble.detach();
    const waiting = await bubble.rests();
    expect(waiting).toMatchObject({ state: "WAITING_HUMAN", driver: { alive: false } });
    const driver = bubble.all("DRIVER_CLAIMED")[0]?.pid ?? 0;
    expect(isAlive(bubble.all("TURN_SPAWNED")[0]?.pid ?? 0)).toBe(true);
    await handedOver(bubble, bubble.reply("--choose", "after"));
    expect(told(bubble, 2)).toContain("after");
    expect(bubble.all("DRIVER_CLAIMED")[1]?.pid).not.toBe(driver);
    isOneProcess(bubble);
  });

  test.for(clis)("%s that ends with questions is answered in the session it had", async (cli) => {
    const questions = [tax, rounding].map((one, at) => ({ id: `q${at + 1}`, ...one, context: null }));
    await using bubble = await staged({
      implementer: cli,
      model: saying(
        answers(cli, handoff("", { status: "needs_input", questions, package: null })),
        setsTotal(cli),
        answers(cli, done),
      ),
    });
    const asked = await bubble.start();
    expect(asked.questions.map(({ text }) => text)).toEqual([tax.question, rounding.question]);
    expect(asked.questions[1]?.options?.map(({ key }) => key)).toEqual(rounding.options);
    const [, second] = asked.questions;
    await bubble.tool.ok("bubble", "reply", "--id", id, "--question", second?.id ?? "", "--choose", "up");
    await handedOver(bubble, bubble.reply("--choose", "after"));
    expect(bubble.attempts().slice(0, 2)).toEqual([`t1.1 ${cli} fresh`, `t1.2 ${cli} resumed`]);
    expect(bubble.ends()[0]).toBe("t1.1 asked");
    expect(promptsKnown(bubble)).toEqual(["the", "still the"]);
    expect(bubble.prompt(2)).toContain(`Answer to your question "${tax.question}": after`);
    expect(bubble.prompt(2)).toContain(`Answer to your question "${rounding.question}": up`);
  });
});

describe.concurrent("a program that leaves its signal as a file", { timeout: 120_000 }, () => {
  /** As workers write it that were made for it: with fields about themselves. */
  const leaves = (signal: object) => ({
    does: `cat > "$PAIRFLOW_OUT/worker-signal.json" <<'END'
${JSON.stringify({ worker_id: "w1", phase: "build", agent_id: "a1", timestamp: "2026-01-01T00:00:00Z", ...signal })}
END
echo "I am a worker, and this is no answer."`,
  });

  test("asks, is not ready, fails and hands over by it; each is understood", async () => {
    const [question, options] = [tax.question, tax.options];
    await using bubble = await staged({
      implementer: "worker",
      programs: {
        worker: [
          leaves({
            status: "needs_input",
            questions: [{ id: "q1", question, options, context: "for the cart" }],
          }),
          leaves({ status: "in_progress", message: "half of it" }),
          leaves({ status: "error", message: "the disk is full" }),
          {
            does: `echo 'total: 2' > src/cart.txt\n${
              leaves({ status: "completed", summary: "The total is right", package: done.package }).does
            }`,
          },
        ],
      },
    });
    const asked = await bubble.start();
    expect(asked.questions).toMatchObject([{ text: `${question}\n\nfor the cart`, from: "worker" }]);
    expect(asked.questions[0]?.options?.map(({ key }) => key)).toEqual(options);
    await handedOver(bubble, bubble.reply("--choose", "after"));
    expect(bubble.ends().slice(0, 3)).toEqual(["t1.1 asked", "t1.2 unfinished", "t1.3 crashed"]);
    expect(bubble.all("TURN_ENDED").map(({ detail }) => detail)).toEqual(
      expect.arrayContaining(["half of it", "it reports an error: the disk is full"]),
    );
    expect(bubble.prompt(2)).toContain(`Answer to your question "${question}`);
    expect(bubble.prompt(4)).toContain("the disk is full");
    expect(bubble.all("PASS")).toMatchObject([{ summary: "The total is right" }]);
  });

  test("a signal of an earlier attempt does not count again", async () => {
    const completed = leaves({ status: "completed", summary: "Done", no_change: "It was right before" });
    await using bubble = await staged({
      implementer: "worker",
      programs: { worker: [leaves({ status: "in_progress", message: "half of it" }), {}, completed] },
    });
    await handedOver(bubble, bubble.start());
    expect(bubble.ends().slice(0, 2)).toEqual(["t1.1 unfinished", "t1.2 crashed"]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
