// The line between agents and people: operator verbs inside a turn, agent verbs outside of one, and who speaks for whom.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli, createScripted, fullPackage, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { grant, runAt, runHeadless } from "../helpers/operator.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

const orchestra = join(cli, "..", "orchestra");
const first = shortest.implementer[0]!;

describe("inside an agent's turn", () => {
  it("operator verbs are refused, also with a cleaned environment and a key in the hand", async () => {
    const words = (verb: string) => ["bubble", verb, "--id", "inside", "--repo", tool.repo];
    const node = process.execPath;
    const clean = `env -i PATH="$PATH" HOME="$HOME" ${node} ${cli}`;
    const steps = [
      { verb: words("status") },
      { run: `echo "$PAIRFLOW_TURN" > ${join(tool.folder, "token")}` },
      ...["reply", "resume", "stop", "delete", "open", "watchdog"].map((verb) => ({
        verb: [...words(verb), ...(verb === "reply" ? ["--message", "x"] : [])],
        expect_exit: 1,
      })),
      { verb: [...words("approve"), "--yes", "--operator-key", tool.key], expect_exit: 1 },
      { verb: ["pass", "--summary", "x", "--as", "reviewer", "--no-findings"], expect_exit: 1 },
      { verb: ["init", "--operator-key", join(tool.folder, "mine.key")], expect_exit: 1 },
      { verb: ["bubble", "create", "--id", "mine", "--task", "x", "--test", "true"], expect_exit: 1 },
      { run: `${clean} ${words("stop").join(" ")}`, expect_exit: 1 },
      { run: `${clean} ${words("approve").join(" ")} --yes --operator-key ${tool.key}`, expect_exit: 1 },
      { run: `(${clean} ${words("commit").join(" ")} --operator-key ${tool.key})`, expect_exit: 1 },
      ...first.steps,
    ];
    // The fence for machines without a sandbox: inside one there is not even a record.
    const ready = await runHeadless(tool.with({ PAIRFLOW_SANDBOX: "off" }), "inside", {
      ...shortest,
      implementer: [{ ...first, steps }, shortest.implementer[1]],
    });
    expect(ready.state).toBe("READY_FOR_APPROVAL");
    const started = tool.log("inside").filter((envelope) => envelope.type === "TURN_STARTED");
    expect(started.map((envelope) => envelope.payload.attempt)).toEqual([1, 1, 1]);
    const said = readFileSync(join(tool.repo, ".pairflow/runtime/inside/t1.1.log"), "utf8");
    expect(said.match(/operator\.inside-agent/g)).toHaveLength(13);
    expect(existsSync(join(tool.folder, "mine.key"))).toBe(false);
  });

  it("a capability ends with its turn: used later it is refused and leaves a warning", async () => {
    const token = readFileSync(join(tool.folder, "token"), "utf8").trim();
    const env = { ...tool.env, PAIRFLOW_TURN: token };
    const late = await runAt(tool, { env }, "pass", "--summary", "one more thing");
    expect(late).toMatchObject({ code: 1, stderr: expect.stringMatching(/turn\.(stale|ended)/) });
    expect(late.stderr).toContain("end this session");
    expect(tool.log("inside").at(-1)).toMatchObject({ type: "WARNING" });
    expect((await tool.status("inside")).state).toBe("READY_FOR_APPROVAL");
  });

  it("the refusal tells the agent what it may do", async () => {
    const env = { ...tool.env, PAIRFLOW_TURN: "inside:t1.1:secret" };
    const refused = await runAt(tool, { env }, "bubble", "approve", "--id", "inside", "--yes");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("operator.inside-agent") });
    expect(refused.stderr).toContain('Hint: pairflow ask-human --question "…"');
  });
});

describe("outside of a turn", () => {
  beforeAll(async () => {
    await createScripted(tool, "hanging", {
      ...shortest,
      implementer: [
        {
          role: "implementer",
          steps: [{ write: { path: "src/cart.txt", text: "total: 2\n" } }, { hang: true }],
        },
      ],
    });
    await tool.ok("bubble", "start", "--id", "hanging", "--headless", "--detach");
    await tool.until("hanging", (status) => status.turn?.status === "running", "the turn runs");
  });

  it.each([
    ["pass", ["pass", "--summary", "x"]],
    ["ask-human", ["ask-human", "--question", "x"]],
    ["converged", ["converged", "--summary", "x"]],
  ])("%s has no capability and is told how an operator speaks", async (_verb, args) => {
    const refused = await tool.run(...args, "--id", "hanging");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("turn.no-capability") });
    expect(refused.stderr).toContain("Hint: add --as implementer to speak for codex as the operator");
  });

  it("a made-up, stale or foreign capability counts for nothing and is a warning on the record", async () => {
    const as = (token: string, ...more: string[]) =>
      runAt(tool, { env: { ...tool.env, PAIRFLOW_TURN: token } }, "pass", "--summary", "x", ...more);
    expect(await as("nonsense")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("turn.bad-token"),
    });
    expect(await as("hanging:t1.1:guess")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("turn.stale"),
    });
    expect(await as("hanging:t9.1:guess")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("turn.stale"),
    });
    expect(await as("hanging:t1.1:guess", "--id", "inside")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("turn.other-bubble"),
    });
    const warned = tool.log("hanging").filter((envelope) => envelope.type === "WARNING");
    expect(warned.map((envelope) => envelope.payload.code)).toEqual(
      expect.arrayContaining(["turn.no-capability", "turn.stale"]),
    );
    expect((await tool.status("hanging")).state).toBe("RUNNING");
  });

  it("--as another role than the one that has the turn is refused", async () => {
    const refused = await tool.run(
      "pass",
      "--id",
      "hanging",
      "--as",
      "reviewer",
      "--summary",
      "x",
      "--no-findings",
    );
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("turn.other-role") });
    expect(refused.stderr).toContain("it is the implementer's turn (codex), not the reviewer's");
  });

  it("--as the role that has it hands over, recorded as the operator's word", async () => {
    const parts = Object.entries(fullPackage).map(([part, text]) => `--${part.replace("_", "-")}=${text}`);
    await tool.ok("pass", "--id", "hanging", "--as", "implementer", "--summary", "by hand", ...parts);
    const ready = await tool.until("hanging", (status) => status.state !== "RUNNING", "the loop continues");
    expect(ready.state).toBe("WAITING_HUMAN");
    const pass = tool.log("hanging").find((envelope) => envelope.type === "PASS");
    expect(pass).toMatchObject({
      sender: "human",
      recipient: "claude",
      payload: { by_operator: true, role: "implementer" },
    });
  });
});

it("a review by --as reviewer is recorded and counts as no clean pass", async () => {
  await createScripted(tool, "proxy", {
    implementer: [first, { role: "reviewer", steps: [{ hang: true }] }],
    reviewer: [{ role: "reviewer", steps: [{ hang: true }] }],
  });
  await tool.ok("bubble", "start", "--id", "proxy", "--headless", "--detach");
  const reviewing = (status: { active_role: string | null; turn: { status: string } | null }) =>
    status.active_role === "reviewer" && status.turn?.status === "running";
  await tool.until("proxy", reviewing, "the reviewer's turn");
  const clean = ["--summary", "fine", "--as", "reviewer", "--checked", "src/cart.txt:1 total is 2"];
  await tool.ok("pass", "--id", "proxy", "--no-findings", ...clean);
  const after = await tool.until("proxy", (status) => status.seq > 0 && reviewing(status), "another review");
  expect(after.clean_passes).toMatchObject({ have: 0 });
  const refused = await tool.run("converged", "--id", "proxy", ...clean);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot converge yet") });
  expect(
    tool.log("proxy").find((envelope) => envelope.type === "PASS" && envelope.payload.by_operator),
  ).toMatchObject({ sender: "human" });
  await tool.ok("bubble", "stop", "--id", "proxy");
});

describe("orchestra", () => {
  it("has the agent verbs and nothing else", async () => {
    const spoken = await runAt(tool, { command: orchestra }, "pass", "--summary", "x", "--id", "inside");
    expect(spoken).toMatchObject({ code: 1, stderr: expect.stringContaining("turn.no-capability") });
    for (const words of [["bubble", "approve", "--id", "inside"], ["status"], []]) {
      const refused = await runAt(tool, { command: orchestra }, ...words);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain("orchestra has only the agent verbs pass, ask-human, converged");
    }
  });

  it("works inside a turn, as agents are told", async () => {
    const steps = [
      { write: { path: "src/cart.txt", text: "total: 2\n" } },
      {
        run: `orchestra pass --summary done ${Object.entries(fullPackage)
          .map(([part, text]) => `--${part.replace("_", "-")}='${text}'`)
          .join(" ")}`,
      },
    ];
    const ready = await runHeadless(tool, "alias", {
      ...shortest,
      implementer: [{ role: "implementer", steps }, shortest.implementer[1]],
    });
    expect(ready.state).toBe("READY_FOR_APPROVAL");
  });
});

describe("where one stands", () => {
  it.each([["worktree"], ["clone"]])(
    "a bubble is found from its %s, and from a folder in it",
    async (mode) => {
      await runHeadless(tool, `in-${mode}`, shortest, "--mode", mode);
      const deep = join(tool.worktree(`in-${mode}`), "src", "deep");
      mkdirSync(deep);
      for (const cwd of [tool.worktree(`in-${mode}`), deep]) {
        const found = await runAt(tool, { cwd }, "bubble", "status", "--json");
        expect(JSON.parse(found.stdout)).toMatchObject({ bubble: `in-${mode}`, state: "READY_FOR_APPROVAL" });
      }
      const env = tool.env;
      const signed = await runAt(
        tool,
        { cwd: deep, env },
        "bubble",
        "approve",
        "--yes",
        "--operator-key",
        tool.key,
      );
      expect(signed).toMatchObject({ code: 0 });
      expect(await grant(tool, "bubble", "commit", "--id", `in-${mode}`)).toMatchObject({ code: 0 });
    },
  );
});
