// Several processes that want the same thing at the same moment: one gets it, the others are told so, and the record
// holds it once. In `npm test` two passes race in eight turns, in `npm run soak` in twenty.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createScripted, fullPackage, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { hangingTurn, waitingQuestion } from "./scene.ts";

const soak = process.env.PAIRFLOW_SOAK === "1";
const id = "b1";
let tool: Rig;
beforeEach(() => {
  tool = rig();
});
afterEach(() => tool.close());

const ofType = (type: string) => tool.log(id).filter((envelope) => envelope.type === type);

test("of two passes at the same moment one counts, in every turn, and the other is told", {
  timeout: 120_000,
}, async () => {
  const rounds = soak ? 10 : 4;
  await createScripted(tool, id, bothAtOnce(rounds), "--max-rounds", String(rounds));
  await tool.ok("bubble", "start", "--id", id, "--headless");
  const passes = ofType("PASS");
  const turns = passes.map(({ payload }) => (payload as { turn: string }).turn);
  expect(turns).toEqual(Array.from({ length: 2 * rounds }, (_, index) => `t${index + 1}`));
  for (const [index, turn] of turns.entries()) {
    const told = ["one", "two"].map((name) => readFileSync(join(outOf(turn), name), "utf8")).sort();
    const line = passes[index]?.seq;
    const loser = index % 4 < 2 ? `Already passed (line ${line})` : "turn.ended";
    expect(told.join("\n---\n")).toContain(`Passed (line ${line})`);
    expect(told.join("\n---\n")).toContain(loser);
    expect(told.map((text) => text.trim().split("\n").at(-1)).sort()).toEqual(
      index % 4 < 2 ? ["0", "0"] : ["0", "1"],
    );
  }
  await tool.ok("verify", "--id", id);
});

const outOf = (turn: string) => join(tool.folder, ".pairflow-worktrees", "shop", ".out", id, turn);

/** Every turn is handed over by two processes: with the same words in one round, with different words in the next. */
function bothAtOnce(rounds: number) {
  const twice = (round: number, flags: string) => {
    const pass = (name: string) => {
      const words = round % 2 === 0 ? "done" : `done by ${name}`;
      return `{ pairflow pass --summary '${words}' ${flags}; echo $?; } > $PAIRFLOW_OUT/${name} 2>&1`;
    };
    return { run: `${pass("one")} & ${pass("two")} & wait` };
  };
  const pack = `--what '${fullPackage.what}' --why w --risks r --test-plan t --commit-message m`;
  const numbers = Array.from({ length: rounds }, (_, round) => round);
  return {
    implementer: numbers.map((round) => ({
      role: "implementer",
      steps: [{ write: { path: "src/cart.txt", text: `total: ${round + 10}\n` } }, twice(round, pack)],
    })),
    reviewer: numbers.map((round) => ({
      role: "reviewer",
      steps: [
        twice(round, round === 0 ? "--finding 'P1:Wrong total @ src/cart.txt:1 | total: 10'" : "--open F1"),
      ],
    })),
  };
}

test("of several replies at the same moment one counts, and the others are told that nothing waits", async () => {
  await waitingQuestion(tool);
  const words = ["One", "Two", "Three", "Four"];
  const ran = await Promise.all(
    words.map((word) => tool.run("bubble", "reply", "--id", id, "--message", word)),
  );
  expect(ran.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1]);
  for (const { code, stderr } of ran) if (code === 1) expect(stderr).toContain("reply.no-question");
  const winner = words[ran.findIndex(({ code }) => code === 0)];
  await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "ready for approval");
  expect(ofType("HUMAN_REPLY")).toMatchObject([{ payload: { message: winner } }]);
});

test("of two starts at the same moment one drives, and the other says so", async () => {
  await createScripted(tool, id, shortest);
  const ran = await Promise.all([1, 2].map(() => tool.run("bubble", "start", "--id", id, "--headless")));
  expect(ran.map(({ code }) => code === 0).sort()).toEqual([false, true]);
  expect(ran.map(({ stderr }) => stderr).join()).toMatch(/start\.already|driver\.running/);
  expect(ofType("START_REQUESTED")).toHaveLength(1);
  expect(ofType("WORKSPACE_READY")).toHaveLength(1);
  expect(ofType("TURN_STARTED").map(({ payload }) => (payload as { turn: string }).turn)).toEqual([
    "t1",
    "t2",
    "t3",
  ]);
  expect((await tool.status(id)).state).toBe("READY_FOR_APPROVAL");
});

test("eight processes that hammer one bubble lose nothing and leave a dense record", {
  timeout: 120_000,
}, async () => {
  const { agent } = await hangingTurn(tool);
  const [workers, each] = [8, 6];
  const hammer = async (worker: number) => {
    const codes: number[] = [];
    for (let n = 0; n < each; n += 1) {
      const asks = ["ask-human", "--question", `question ${worker}.${n}?`];
      const claims = ["converged", "--summary", `claim ${worker}.${n}`];
      codes.push((await agent.run(...(n % 2 === 0 ? claims : asks))).code);
    }
    return codes;
  };
  const codes = (await Promise.all(Array.from({ length: workers }, (_, worker) => hammer(worker)))).flat();
  expect(codes.filter((code) => code === 1)).toHaveLength(workers * each - 1);
  expect(ofType("HUMAN_QUESTION")).toHaveLength(1);
  // Every one is refused; of one turn no more than twenty are written down.
  expect(ofType("WARNING")).toHaveLength(20);
  const counting = tool
    .log(id)
    .filter(({ seq }, index, all) => all.findIndex((other) => other.seq === seq) === index);
  expect(counting.map(({ seq }) => seq)).toEqual(counting.map((_, index) => index + 1));
  await tool.ok("verify", "--id", id);
});
