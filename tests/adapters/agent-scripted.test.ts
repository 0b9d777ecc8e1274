// The scripted agent as a real process: it edits, speaks the verbs, crashes and comes back to its place.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createScriptedAgent } from "../../src/adapters/agent/scripted/adapter.ts";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import { createTmuxSeats } from "../../src/adapters/seat/tmux.ts";
import type { TurnRequest } from "../../src/ports/agent/adapter.ts";
import { readTextOrEmpty, waitUntil } from "../../src/testing/contracts/seat.ts";
import type { Claim } from "./scripted-main.ts";

const processes = createNodeProcesses();
const built = mkdtempSync(join(tmpdir(), "pf-scripted-"));
const agent = createScriptedAgent({ command: [process.execPath, join(built, "main.cjs")] });
let folder: string;
let worktree: string;

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, "scripted-main.ts")],
    outfile: join(built, "main.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "warning",
  });
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pf-script-"));
  worktree = join(folder, "tree");
  mkdirSync(worktree);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function script(text: string): void {
  writeFileSync(join(folder, "s.yaml"), text);
}

function request(id: string, role: string): TurnRequest {
  return {
    settings: { adapter: "scripted", script: join(folder, "s.yaml") },
    ...{ agent: "codex", role, session: "s-1", fresh: true, notice: "-Your turn: read prompt.md" },
    ...{ promptFile: join(folder, "prompt.md"), worktree, out: join(folder, "out", id), readOnly: false },
    ...{ prompt: "Your turn.", answerSchema: {} },
  };
}

function envOf(id: string, role: string): Record<string, string> {
  const own = { PAIRFLOW_TURN: `secret-${id}`, PAIRFLOW_TURN_ID: id, PAIRFLOW_WORK: `${folder}/${id}.1` };
  const { env } = agent.launch(request(id, role));
  return { PATH: process.env.PATH ?? "", TEST_CLAIMS: join(folder, "claims"), ...own, ...env };
}

/** Runs one turn of the agent to its end, as a driver would. */
async function turn(id = "t1", role = "implementer") {
  const { argv } = agent.launch(request(id, role));
  return processes.exec(argv, { cwd: worktree, env: envOf(id, role), timeoutMs: 20_000 });
}

const claims = (): Claim[] =>
  readTextOrEmpty(join(folder, "claims"))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const spoken = () => claims().map((claim) => claim.words.join(" "));
const inTree = (path: string) => readFileSync(join(worktree, path), "utf8");

describe("a scripted agent", () => {
  test("edits files, runs programs and hands over through the verbs, with the turn's own capability", async () => {
    writeFileSync(join(worktree, "old.js"), "old");
    script(`
agent: codex
turns:
  - role: implementer
    steps:
      - say: "Reading the task"
      - wait: 10ms
      - write: {path: src/cart.js, text: "total = a + a"}
      - replace: {path: src/cart.js, find: "a + a", with: "a + b $& $1"}
      - delete: old.js
      - run: echo "$PAIRFLOW_TURN_ID" > ran.txt
      - pass:
          summary: "- Totals are right"
          fixed: [F1]
          disputes: ["F2:not so"]
          refs: [a.md, b.md]
          test_plan: "npm test"
          commit_message: "Fix totals"
`);
    const { code, stdout } = await turn();
    expect(stdout).toContain(
      "codex: implementer, session s-1\n> -Your turn: read prompt.md\nReading the task\nwrote src/cart.js\n",
    );
    expect(code).toBe(0);
    expect(inTree("src/cart.js")).toBe("total = a + b $& $1");
    expect(existsSync(join(worktree, "old.js"))).toBe(false);
    expect(inTree("ran.txt")).toBe("t1\n");
    expect(claims()).toEqual([
      {
        turn: "secret-t1",
        words: [
          ...["pass", "--summary=- Totals are right", "--fixed=F1", "--ref=a.md", "--ref=b.md"],
          ...["--dispute=F2:not so", "--test-plan=npm test", "--commit-message=Fix totals"],
        ],
      },
    ]);
  });

  test("speaks every word of a review and of a convergence", async () => {
    script(`
turns:
  - steps:
      - pass: {summary: s, findings: ["P1:Title @ a.js:3"], open: [F1], withdrawn: ["F2:wrong"], checked: ["a.js:1 read"]}
      - pass: {summary: s, no_findings: true, no_change: why, what: w, why: y, risks: r, intent: review}
      - converge: {summary: c, checked: ["a.js:1 read"], fixed: [F1]}
`);
    await turn();
    expect(spoken()).toEqual([
      "pass --summary=s --finding=P1:Title @ a.js:3 --open=F1 --withdrawn=F2:wrong --checked=a.js:1 read",
      "pass --summary=s --no-findings --no-change=why --what=w --why=y --risks=r --intent=review",
      "converged --summary=c --fixed=F1 --checked=a.js:1 read",
    ]);
  });

  test("ends at a question and continues behind it in the next attempt at the same turn", async () => {
    script(`
turns:
  - steps: [{say: before}, {ask: "Keep the old rounding?"}, {say: after}, {pass: {summary: first}}]
  - steps: [{pass: {summary: second}}]
`);
    expect(await turn("t1")).toMatchObject({ code: 0, stdout: expect.not.stringContaining("after") });
    expect(spoken()).toEqual(["ask-human --question=Keep the old rounding?"]);
    expect(await turn("t1")).toMatchObject({ code: 0, stdout: expect.not.stringContaining("before") });
    await turn("t3");
    expect(spoken().slice(1)).toEqual(["pass --summary=first", "pass --summary=second"]);
  });

  test("a refused verb ends it with 4, unless the script continues or expected it", async () => {
    script("turns: [{steps: [{pass: {summary: bogus}}, {say: on}]}]");
    const { code, stdout } = await turn();
    expect(code).toBe(4);
    expect(stdout).toContain("Error: that is not how it goes\nscripted agent: pairflow pass ended with 2\n");
    script(
      `
turns:
  - steps: [{say: x}]
  - steps:
      - verb: [pass, --bogus]
        expect_exit: 2
      - pass: {summary: bogus}
        on_refused: continue
      - verb: [pass]
        expect_exit: 2
`,
    );
    expect(await turn("t2")).toMatchObject({
      code: 4,
      stdout: expect.stringContaining("pairflow pass ended with 0"),
    });
    expect(spoken().slice(1)).toEqual(["pass --bogus", "pass --summary=bogus", "pass"]);
  });

  test("a program or an edit that fails ends it with 4", async () => {
    script("turns: [{steps: [{run: exit 3}]}, {steps: [{replace: {path: a, find: b, with: c}}]}]");
    expect(await turn("t1")).toMatchObject({
      code: 4,
      stdout: expect.stringContaining("`exit 3` ended with 3"),
    });
    expect(await turn("t2")).toMatchObject({ code: 4, stdout: expect.stringContaining("a does not hold") });
    writeFileSync(join(worktree, "a"), "x b x b");
    expect(await turn("t2")).toMatchObject({ code: 0 });
    expect(await turn("t2")).toMatchObject({ code: 0 });
    expect(inTree("a")).toBe("x c x c");
  });

  test("crashes with a code or by a kill, and a step marked once is left out afterwards", async () => {
    script(`
turns:
  - steps: [{crash: 7, once: true}, {nonsense: "VERDICT: APPROVED"}]
  - steps: [{crash: kill}]
`);
    expect((await turn("t1")).code).toBe(7);
    expect(await turn("t1")).toMatchObject({ code: 0, stdout: expect.stringContaining("VERDICT: APPROVED") });
    expect(claims()).toEqual([]);
    expect((await turn("t2")).code).toBeGreaterThanOrEqual(128);
  });

  test("hangs until it is ended, and leaves an orphan where the script says so", async () => {
    script("turns: [{steps: [{spawn_orphan: true}, {hang: true}]}]");
    const { argv } = agent.launch(request("t1", "implementer"));
    const env = envOf("t1", "implementer");
    const work = env.PAIRFLOW_WORK ?? "";
    const { pid } = await processes.spawn({ argv, cwd: worktree, env, output: join(folder, "log"), work });
    await waitUntil("both run", async () => (await processes.find(work)).length === 2);
    process.kill(pid, "SIGKILL");
    await waitUntil("the orphan stays", async () => !processes.alive(pid));
    expect(await processes.find(work)).toHaveLength(1);
    await processes.end(work);
  });

  test("says when it is not its role, when the script is over, and when the script is wrong", async () => {
    script("agent: codex\nturns: [{role: reviewer, steps: [{say: x}]}]");
    const wrong = await turn("t1", "implementer");
    expect(wrong).toMatchObject({
      code: 3,
      stdout: expect.stringContaining("is for reviewer, not for implementer"),
    });
    expect(await turn("t1", "reviewer")).toMatchObject({ code: 0 });
    const over = await turn("t2", "reviewer");
    expect(over).toMatchObject({
      code: 5,
      stdout: expect.stringContaining("this is turn 2, and the script has only 1"),
    });
    script("agent: codex\nturns: [{role: reviewer, steps: [{say: x}]}]\nthen: repeat-last");
    expect(await turn("t3", "reviewer")).toMatchObject({ code: 0 });
    script("turns: 3");
    expect(await turn("t4")).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("s.yaml:1:8: turns:"),
    });
  });

  test("waits in its pane for the reply where the script says so", async () => {
    script(`
turns:
  - steps:
      - ask: {question: "Which?", options: [a, b], wait: true}
      - pass: {summary: heard}
`);
    const socket = folder.split("/").at(-1) ?? "";
    const env = { PATH: process.env.PATH ?? "", TMUX_TMPDIR: folder };
    const seats = createTmuxSeats({ processes, socket, env, statusCommand: () => ["sleep", "300"] });
    await seats.open("abc1", { cwd: worktree, agents: ["codex"], title: "" });
    const { argv } = agent.launch(request("t1", "implementer"));
    const output = join(folder, "log");
    const place = {
      bubble: "abc1",
      turn: "t1",
      attempt: 1,
      agent: "codex",
      role: "implementer",
      cwd: worktree,
    };
    await seats.start({ ...place, argv, env: envOf("t1", "implementer"), output, work: `${folder}/t1.1` });
    await waitUntil("the question is asked", () => spoken().length === 1);
    expect(await seats.deliver("abc1", "codex", "Reply to your question: a")).toBe("sent");
    await waitUntil("the turn is handed over", () => spoken().length === 2);
    expect(spoken()).toEqual(["ask-human --question=Which? --option=a --option=b", "pass --summary=heard"]);
    expect(readTextOrEmpty(output)).toContain("< Reply to your question: a");
    await seats.close("abc1");
  });
});

describe("the settings of a scripted agent", () => {
  test("are checked together with the script they name", () => {
    expect(agent.check({ adapter: "scripted" })).toContain("needs the setting script");
    expect(agent.check({ adapter: "scripted", script: join(folder, "none.yaml") })).toContain(
      "there is no script",
    );
    script("turns: [{steps: [{sya: x}]}]");
    const settings = { adapter: "scripted", script: join(folder, "s.yaml") };
    expect(agent.check(settings)).toContain("did you mean say?");
    script("turns: [{steps: [{say: x}]}]");
    expect(agent.check(settings)).toBeUndefined();
    expect(agent.check({ adapter: "scripted", script: "in/the/tree.yaml" })).toBeUndefined();
  });

  test("become a launch whose place in the script outlives turns", () => {
    const launch = agent.launch(request("t1", "reviewer"));
    expect(launch.argv.slice(2, 5)).toEqual(["scripted-agent", "--script", join(folder, "s.yaml")]);
    expect(launch.env).toEqual({
      PAIRFLOW_SCRIPT_STATE: join(folder, "out", "script-codex.json"),
      PAIRFLOW_ROLE: "reviewer",
    });
  });
});
