// Silence, intervention and the end: the watchdog by hand, resume after a person touched files, stop and delete.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, fullPackage, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { changeSetting, grant, killDriver, readArtifact, runHeadless } from "../helpers/operator.ts";
import { eventually } from "../scenarios/scene.ts";
import { linesOf } from "./workflow-scene.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

const cart = (id: string) => join(tool.worktree(id), "src/cart.txt");
const hanging = { ...shortest, implementer: [{ role: "implementer", steps: [{ hang: true }] }] };

async function hang(id: string, minutes: string): Promise<void> {
  await createScripted(tool, id, hanging);
  changeSetting(tool, id, "watchdog_timeout_minutes", minutes);
  await tool.ok("bubble", "start", "--id", id, "--headless", "--detach");
  await tool.until(id, (status) => status.turn?.status === "running", "the turn runs");
}

describe.concurrent("the watchdog by hand", () => {
  it("says how long an agent has left while it is not due", async () => {
    await hang("patient", "5");
    expect(await tool.ok("bubble", "watchdog", "--id", "patient")).toMatch(
      /^codex has (300|2\d\d) s left\n$/,
    );
    expect(JSON.parse(await tool.ok("bubble", "watchdog", "--id", "patient", "--json"))).toMatchObject({
      escalated: false,
    });
    expect((await tool.status("patient")).state).toBe("RUNNING");
    await tool.ok("bubble", "stop", "--id", "patient");
  });

  it("escalates when it is due, also when nobody drives; the person may wait or restart", async () => {
    await hang("silent", "5");
    await killDriver(tool, "silent");
    const later = join(tool.folder, "shift");
    writeFileSync(later, String(10 * 60_000));
    const tomorrow = tool.with({ PAIRFLOW_CLOCK_SHIFT_FILE: later });
    const said = await tomorrow.ok("bubble", "watchdog", "--id", "silent");
    expect(said).toMatch(/^Escalated: codex \(implementer, round 1\) gave no sign of life for 5 min/);
    const status = await tool.status("silent");
    expect(status).toMatchObject({
      state: "WAITING_HUMAN",
      questions: [{ kind: "watchdog", options: [{ key: "wait" }, { key: "restart" }, { key: "reject" }] }],
    });
    await tool.ok("bubble", "reply", "--id", "silent", "--choose", "restart", "--message", "wake up");
    const again = await tool.until(
      "silent",
      ({ turn }) => turn?.status === "running" && turn.attempt === 2,
      "the turn is restarted",
    );
    expect(again.state).toBe("RUNNING");
    expect(readArtifact(tool, "silent", "prompts/t1.2-codex.md")).toContain("wake up");
    await tool.ok("bubble", "stop", "--id", "silent");
  });
});

describe.concurrent("files that a person changed while nobody had the turn", () => {
  const asks = {
    implementer: [
      {
        role: "implementer",
        steps: [
          { write: { path: "src/cart.txt", text: "total: 3\n" } },
          { pass: { summary: "x", ...fullPackage } },
        ],
      },
      {
        role: "implementer",
        steps: [{ write: { path: "src/cart.txt", text: "total: 2\n" } }, { pass: { summary: "done" } }],
      },
      shortest.implementer[1],
    ],
    reviewer: [
      {
        role: "reviewer",
        steps: [
          {
            pass: {
              summary: "minor",
              findings: ["P3:Odd @ src/cart.txt:1 | total: 3"],
              checked: ["src/cart.txt:1 holds the total the task asks for"],
            },
          },
        ],
      },
      {
        role: "reviewer",
        steps: [
          {
            pass: {
              summary: "ok",
              fixed: ["F1"],
              no_findings: true,
              checked: ["src/cart.txt:1 holds the total the task asks for"],
            },
          },
        ],
      },
    ],
  };
  /** Waits at a tie-break; then a person edits; then the answer makes the next turn due on a changed tree. */
  async function disturbed(id: string): Promise<void> {
    await runHeadless(tool, id, asks);
    writeFileSync(cart(id), "total: mine\n");
    await tool.ok("bubble", "reply", "--id", id, "--choose", "fix", "--message", "fix it");
    const waiting = await tool.until(
      id,
      ({ questions }) => questions[0]?.kind === "tree-changed",
      "the question about files",
    );
    expect(waiting).toMatchObject({
      state: "WAITING_HUMAN",
      questions: [{ text: expect.stringContaining("src/cart.txt") }],
    });
  }

  it("are a question; neither a reply nor a plain resume passes over it", async () => {
    await disturbed("asked");
    const replied = await tool.run("bubble", "reply", "--id", "asked", "--message", "keep");
    expect(replied).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.use-resume") });
    const plain = await tool.run("bubble", "resume", "--id", "asked");
    expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining("resume.tree-changed") });
    expect(plain.stderr).toContain("pairflow bubble resume --id asked --keep   or   --put-back");
    const both = await tool.run("bubble", "resume", "--id", "asked", "--keep", "--put-back");
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("usage.contradiction") });
    expect(await tool.ok("bubble", "inbox", "--id", "asked")).toMatch(
      /keep\s+reopens the producer's turn[\s\S]*put-back\s+restores the tree/,
    );
    expect(readFileSync(cart("asked"), "utf8")).toBe("total: mine\n");
  });

  it("--keep reopens the implementer's turn on them", async () => {
    await disturbed("kept");
    await tool.ok("bubble", "resume", "--id", "kept", "--keep", "--headless");
    const ready = await tool.status("kept");
    expect(ready.state).toBe("READY_FOR_APPROVAL");
    expect(tool.log("kept").find((envelope) => envelope.type === "RESUMED")).toMatchObject({
      payload: { how: "keep" },
    });
  });

  it("--put-back restores the tree and keeps a patch of what was undone", async () => {
    await disturbed("restored");
    await tool.ok("bubble", "resume", "--id", "restored", "--put-back", "--headless");
    expect((await tool.status("restored")).state).toBe("READY_FOR_APPROVAL");
    const undone = tool.log("restored").find((envelope) => envelope.type === "TREE_RESTORED");
    const patch =
      undone?.type === "TREE_RESTORED" ? readArtifact(tool, "restored", undone.payload.patch) : "";
    expect(patch).toContain("+total: mine");
  });
});

describe.concurrent("resume", () => {
  it("with words passes over an agent's question and puts them into its prompt", async () => {
    const steps = [{ ask: "Which?" }, ...shortest.implementer[0]!.steps];
    await runHeadless(tool, "passed", {
      ...shortest,
      implementer: [{ role: "implementer", steps }, shortest.implementer[1]],
    });
    const said = await tool.run(
      "bubble",
      "resume",
      "--id",
      "passed",
      "--message",
      "decide yourself",
      "--headless",
    );
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining("passed is READY_FOR_APPROVAL") });
    expect(readArtifact(tool, "passed", "prompts/t1.2-codex.md")).toContain("decide yourself");
  });

  it("without words says which question it closes, and who asked it", async () => {
    const steps = [{ ask: "Which?" }, ...shortest.implementer[0]!.steps];
    await runHeadless(tool, "closed", {
      ...shortest,
      implementer: [{ role: "implementer", steps }, shortest.implementer[1]],
    });
    const [question] = (await tool.status("closed")).questions;
    const said = await tool.run("bubble", "resume", "--id", "closed", "--headless");
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining("closed is READY_FOR_APPROVAL") });
    expect(said.stderr).toContain(`${question?.id} is closed without an answer: codex asked "Which?"`);
  });

  it("that is refused takes nothing of bubble.toml over; a start that is refused neither", async () => {
    await runHeadless(tool, "refused", shortest);
    changeSetting(tool, "refused", "watchdog_timeout_minutes", "7");
    for (const verb of ["resume", "start"]) {
      const said = await tool.run("bubble", verb, "--id", "refused", "--headless");
      expect([said.code, said.stdout], said.stderr).toEqual([1, ""]);
    }
    const changed = linesOf(tool.log("refused"), "CONFIGURED").flatMap(({ payload }) => payload.changed);
    expect(changed).not.toContain("watchdog_timeout_minutes");
  });

  it("starts a driver where none lives, says so, and a second one is not started", async () => {
    await createScripted(tool, "driven", hanging);
    await tool.ok("bubble", "start", "--id", "driven", "--headless", "--detach");
    await eventually("the agent runs", () => linesOf(tool.log("driven"), "TURN_SPAWNED").length > 0);
    await killDriver(tool, "driven");
    const shown = await tool.ok("bubble", "status", "--id", "driven");
    expect(shown).toContain("nobody drives this bubble");
    expect(shown).toContain("pairflow bubble resume --id driven");
    expect(await tool.ok("bubble", "resume", "--id", "driven")).toContain("a driver was started");
    await tool.until("driven", (status) => status.driver.alive, "driven again");
    expect(await tool.ok("bubble", "resume", "--id", "driven")).toContain("it is driven already");
    const started = tool.log("driven").filter((envelope) => envelope.type === "TURN_STARTED");
    expect(started).toHaveLength(1);
    await tool.ok("bubble", "stop", "--id", "driven");
  });
});

describe("without a terminal", () => {
  it("start on a build machine opens no panes, and says which flag it takes", async () => {
    await createScripted(tool, "built", shortest);
    const refused = await tool.with({ CI: "true" }).run("bubble", "start", "--id", "built");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("start.no-terminal") });
    expect(refused.stderr).toContain("Hint: pairflow bubble start --id built --headless --exit-code");
    expect((await tool.status("built")).state).toBe("CREATED");
  });
});

describe.concurrent("the end", () => {
  it("stop is final: processes end, branch, worktree and record stay, and why is kept", async () => {
    await hang("stopped", "5");
    const spawned = tool.log("stopped").find((envelope) => envelope.type === "TURN_SPAWNED");
    const pid = spawned?.type === "TURN_SPAWNED" ? spawned.payload.pid : 0;
    const said = await tool.ok("bubble", "stop", "--id", "stopped", "--reason", "changed my mind");
    expect(said).toContain("stopped has handed nothing over");
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    expect(await tool.status("stopped")).toMatchObject({
      state: "CANCELLED",
      end: { message: "changed my mind" },
      driver: { alive: false },
    });
    expect(existsSync(cart("stopped"))).toBe(true);
    expect(
      JSON.parse(await tool.ok("bubble", "list", "--json")).bubbles.map(
        (one: { bubble: string }) => one.bubble,
      ),
    ).not.toContain("stopped");
    expect(await tool.ok("bubble", "list", "--all")).toContain("stopped");
    const again = await tool.run("bubble", "resume", "--id", "stopped");
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("stopped is CANCELLED: changed my mind"),
    });
    expect(await tool.run("bubble", "delete", "--id", "stopped")).toMatchObject({ code: 0 });
  });

  it("delete refuses while work is nowhere else, and says how to keep it", async () => {
    await runHeadless(tool, "unsaved", shortest);
    await tool.ok("bubble", "stop", "--id", "unsaved");
    const refused = await tool.run("bubble", "delete", "--id", "unsaved");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("delete.unsaved-work") });
    const keep = /keep it with: (git branch keep-unsaved [0-9a-f]+)/.exec(refused.stderr)?.[1] ?? "";
    expect(keep).not.toBe("");
    expect(refused.stderr).toContain("throw it away: pairflow bubble delete --id unsaved --discard");
    expect(existsSync(cart("unsaved"))).toBe(true);
    tool.git(...keep.split(" ").slice(1));
    expect(tool.git("show", "keep-unsaved:src/cart.txt")).toBe("total: 2\n");
  });

  it("delete refuses too when the worktree was removed by hand and the pins hold the only copy", async () => {
    await runHeadless(tool, "pinned", shortest);
    await tool.ok("bubble", "stop", "--id", "pinned");
    rmSync(tool.worktree("pinned"), { recursive: true });
    const refused = await tool.run("bubble", "delete", "--id", "pinned");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("git branch keep-pinned") });
  });

  it("delete --discard throws it away, archives the record, and the id is free again", async () => {
    await runHeadless(tool, "thrown", shortest);
    await tool.ok("bubble", "stop", "--id", "thrown");
    const done = JSON.parse(
      await tool.ok("bubble", "delete", "--id", "thrown", "--discard", "--drop-branch", "--json"),
    );
    expect(done).toMatchObject({ bubble: "thrown", branch: null });
    expect(readdirSync(done.archived)).toContain("transcript.ndjson");
    expect(existsSync(tool.worktree("thrown"))).toBe(false);
    expect(tool.git("branch", "--list", "bubble/thrown")).toBe("");
    expect(tool.git("for-each-ref", "refs/pairflow/thrown")).toBe("");
    expect(await tool.ok("bubble", "list", "--all")).not.toContain("thrown");
    expect(
      JSON.parse(await tool.ok("inbox", "--json")).items.map(({ bubble }: { bubble: string }) => bubble),
    ).not.toContain("thrown");
    expect(await tool.run("bubble", "status", "--id", "thrown")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("bubble.unknown"),
    });
    const again = await runHeadless(tool, "thrown", shortest);
    expect(again).toMatchObject({ state: "READY_FOR_APPROVAL", round: 2 });
  });

  it("after the commit nothing is lost: delete goes, and says that the branch stays", async () => {
    await runHeadless(tool, "finished", shortest);
    expect(await grant(tool, "bubble", "approve", "--id", "finished", "--yes")).toMatchObject({ code: 0 });
    expect(await grant(tool, "bubble", "commit", "--id", "finished")).toMatchObject({ code: 0 });
    const stopping = await tool.run("bubble", "stop", "--id", "finished");
    expect([stopping.code, stopping.stdout]).toEqual([1, ""]);
    expect(stopping.stderr).toContain("finished is DONE");
    const dropping = await tool.run("bubble", "delete", "--id", "finished", "--drop-branch");
    expect(dropping).toMatchObject({ code: 1, stderr: expect.stringContaining("delete.unsaved-work") });
    const said = await tool.ok("bubble", "delete", "--id", "finished");
    expect(said).toContain("Branch bubble/finished is kept; to delete it: git branch -D bubble/finished");
    expect(tool.git("show", "bubble/finished:src/cart.txt")).toBe("total: 2\n");
  });
});
