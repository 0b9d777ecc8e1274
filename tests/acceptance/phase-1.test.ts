// The six acceptance points of phase 1, each through the command line, real tmux and real git.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createScripted, fullPackage, oneLoop, type Rig, rig, shortest } from "./rig.ts";

let tool: Rig;
afterEach(() => tool?.close());

const types = (id: string) => tool.log(id).map((envelope) => envelope.type);
const pane = (id: string, index: number) =>
  execFileSync("tmux", ["-L", tool.socket, "capture-pane", "-p", "-t", `=pf-${id}:0.${index}`], {
    encoding: "utf8",
  });

describe("phase 1", () => {
  it("1. one bubble runs end to end with at least one review loop", async () => {
    tool = rig();
    await createScripted(tool, "loop", oneLoop);
    await tool.ok("bubble", "start", "--id", "loop");
    const ready = await tool.until(
      "loop",
      (status) => status.state === "READY_FOR_APPROVAL",
      "ready for approval",
    );
    expect(ready.round).toBeGreaterThanOrEqual(3);
    expect(ready.findings.closed).toMatchObject([{ id: "F1", severity: "P1", status: "fixed" }]);
    await tool.ok("bubble", "approve", "--id", "loop", "--yes", "--operator-key", tool.key);
    await tool.ok("bubble", "commit", "--id", "loop", "--operator-key", tool.key);
    expect(tool.git("show", "bubble/loop:src/cart.txt")).toBe("total: 2\n");
    expect(tool.git("log", "-1", "--format=%s", "bubble/loop").trim()).toBe(fullPackage.commit_message);
    expect(tool.git("status", "--porcelain")).toBe("");
    expect((await tool.status("loop")).state).toBe("DONE");
    expect(await tool.ok("verify", "--id", "loop")).toContain("loop");
  });

  it("2. a human answers a blocking question and the bubble continues", async () => {
    tool = rig();
    const asks = {
      ...shortest,
      implementer: [
        {
          role: "implementer",
          steps: [
            { ask: "Which total?" },
            { write: { path: "src/cart.txt", text: "total: 2\n" } },
            { pass: { summary: "done", ...fullPackage } },
          ],
        },
        shortest.implementer[1],
      ],
    };
    await createScripted(tool, "asks", asks);
    await tool.ok("bubble", "start", "--id", "asks");
    const waiting = await tool.until(
      "asks",
      (status) => status.state === "WAITING_HUMAN",
      "waiting for a human",
    );
    expect(waiting.questions).toMatchObject([{ text: "Which total?", from: "codex" }]);
    expect(JSON.parse(await tool.ok("inbox", "--json"))).toMatchObject({
      items: [{ bubble: "asks", text: "Which total?" }],
    });
    await tool.ok("bubble", "reply", "--id", "asks", "--message", "Two");
    const ready = await tool.until(
      "asks",
      (status) => status.state === "READY_FOR_APPROVAL",
      "ready for approval",
    );
    expect(ready.questions).toEqual([]);
    expect(types("asks").filter((type) => type === "HUMAN_REPLY")).toHaveLength(1);
  });

  it("3. nothing is committed without an explicit approval", async () => {
    tool = rig();
    await createScripted(tool, "gate", shortest);
    const before = tool.git("rev-parse", "HEAD");
    await tool.ok("bubble", "start", "--id", "gate");
    await tool.until("gate", (status) => status.state === "READY_FOR_APPROVAL", "ready for approval");
    const early = await tool.run("bubble", "commit", "--id", "gate", "--operator-key", tool.key);
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining("commit.not-approved") });
    const noDoor = await tool.run("bubble", "approve", "--id", "gate", "--yes");
    expect(noDoor).toMatchObject({ code: 1, stderr: expect.stringContaining("operator.no-terminal") });
    expect(tool.git("rev-parse", "bubble/gate")).toBe(before);
    await tool.ok("bubble", "approve", "--id", "gate", "--yes", "--operator-key", tool.key);
    writeFileSync(join(tool.worktree("gate"), "src/cart.txt"), "total: 99\n");
    const changed = await tool.run("bubble", "commit", "--id", "gate", "--operator-key", tool.key);
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining("commit.tree-changed") });
    expect(tool.git("rev-parse", "bubble/gate")).toBe(before);
    await tool.ok("bubble", "resume", "--id", "gate", "--put-back");
    await tool.ok("bubble", "commit", "--id", "gate", "--operator-key", tool.key);
    expect(tool.git("show", "bubble/gate:src/cart.txt")).toBe("total: 2\n");
  });

  it("4. the agent verbs write envelopes and each handoff is delivered into the recipient's pane", async () => {
    tool = rig();
    await createScripted(tool, "panes", {
      ...shortest,
      reviewer: [
        {
          role: "reviewer",
          steps: [{ say: "I am in the reviewer's pane" }, { wait: "1500ms" }, ...shortest.reviewer[0]!.steps],
        },
      ],
    });
    await tool.ok("bubble", "start", "--id", "panes");
    await tool.until(
      "panes",
      (status) => status.active_role === "reviewer" && status.turn?.status === "running",
      "the reviewer's turn",
    );
    const screens = () => [1, 2].map((index) => pane("panes", index)).join("\n");
    await expect.poll(screens, { timeout: 5000 }).toContain("I am in the reviewer's pane");
    expect(pane("panes", 0)).toMatch(/panes\s+RUNNING/);
    await tool.until("panes", (status) => status.state === "READY_FOR_APPROVAL", "ready for approval");
    const log = tool.log("panes");
    const pass = log.find((envelope) => envelope.type === "PASS");
    const started = log.find(
      (envelope) => envelope.type === "TURN_STARTED" && envelope.payload.role === "reviewer",
    );
    expect(pass).toMatchObject({
      sender: "codex",
      recipient: "claude",
      payload: { pass_intent: "task", summary: "done" },
    });
    expect(pass?.refs.some((ref) => /^artifact:\/\/messages\/\d+-codex-pass\.md$/.test(ref))).toBe(true);
    expect(started?.seq).toBeGreaterThan(pass?.seq ?? 0);
    expect(types("panes")).toEqual(
      expect.arrayContaining(["TASK", "PASS", "CONVERGENCE", "DONE_PACKAGE", "APPROVAL_REQUEST"]),
    );
    const artifacts = readdirSync(join(tool.repo, ".pairflow/bubbles/panes/artifacts"));
    expect(artifacts).toEqual(
      expect.arrayContaining(["messages", "round-001.diff", "round-001.tests.txt", "done-package.md"]),
    );
  });

  it("5. the watchdog escalates when the active agent is idle beyond its timeout without a protocol command", async () => {
    tool = rig();
    await createScripted(tool, "idle", {
      ...shortest,
      implementer: [{ role: "implementer", steps: [{ hang: true }] }],
    });
    setting("idle", "watchdog_timeout_minutes", "0.02");
    await tool.ok("bubble", "start", "--id", "idle");
    const waiting = await tool.until(
      "idle",
      (status) => status.state === "WAITING_HUMAN",
      "the watchdog's question",
    );
    expect(waiting.questions).toMatchObject([{ kind: "watchdog", from: "orchestrator" }]);
    expect(tool.log("idle").at(-1)).toMatchObject({
      type: "HUMAN_QUESTION",
      sender: "orchestrator",
      recipient: "human",
    });
  });

  it("6. a convergence claim is refused while reviewer-role alternation evidence is missing", async () => {
    tool = rig();
    const early = {
      role: "reviewer",
      steps: [
        { verb: ["converged", "--summary", "all good"], expect_exit: 1 },
        {
          pass: {
            summary: "nothing found",
            no_findings: true,
            checked: ["src/cart.txt:1 holds the total the task asks for"],
          },
        },
      ],
    };
    await createScripted(tool, "early", { ...shortest, reviewer: [early] });
    await tool.ok("bubble", "start", "--id", "early");
    await tool.until("early", (status) => status.state === "READY_FOR_APPROVAL", "ready for approval");
    const warning = tool.log("early").find((envelope) => envelope.type === "WARNING");
    expect(warning).toMatchObject({ payload: { code: "convergence.no-alternation", agent: "claude" } });
    expect(JSON.stringify(warning)).toContain("round_role_history");
    expect(existsSync(join(tool.repo, ".pairflow/bubbles/early/state.json"))).toBe(true);
  });
});

function setting(id: string, key: string, value: string): void {
  const file = join(tool.repo, ".pairflow/bubbles", id, "bubble.toml");
  const text = execFileSync("cat", [file], { encoding: "utf8" });
  writeFileSync(file, text.replace(new RegExp(`^${key} = .*$`, "m"), `${key} = ${value}`));
}
