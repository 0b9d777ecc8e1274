// Panes that go away and come back: a session killed by hand, and a bubble that moves between panes and headless.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { sees, spawned, status, tmux } from "./panes.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

const asking = (...steps: object[]) => ({
  ...shortest,
  implementer: [
    { role: "implementer", steps: [...steps, ...shortest.implementer[0]!.steps] },
    shortest.implementer[1],
  ],
});
const isWaiting = ({ state }: { state: string }) => state === "WAITING_HUMAN";
const isReady = ({ state }: { state: string }) => state === "READY_FOR_APPROVAL";
const hasSession = (id: string) => {
  try {
    tmux(tool, "has-session", "-t", `=pf-${id}`);
    return true;
  } catch {
    return false;
  }
};
const seats = (id: string) =>
  tool.log(id).flatMap((envelope) => (envelope.type === "DRIVER_CLAIMED" ? [envelope.payload.seat] : []));

describe.concurrent("a session killed by hand", () => {
  it("between turns loses nothing: the answer is kept, and resume opens the panes again", async ({
    expect,
  }) => {
    await createScripted(tool, "killed", asking({ ask: "One?" }, { ask: "Two?" }));
    await tool.ok("bubble", "start", "--id", "killed");
    await tool.until("killed", isWaiting, "the first question");
    tmux(tool, "kill-session", "-t", "=pf-killed");
    await expect
      .poll(async () => (await tool.status("killed")).driver.alive, { timeout: 10_000 })
      .toBe(false);
    expect(await tool.ok("bubble", "status", "--id", "killed")).toContain("asks     codex");
    await tool.ok("bubble", "reply", "--id", "killed", "--message", "yes");
    await sees(tool, "killed", status, /asks\s+codex, \d+ s ago: "Two\?"/);
    tmux(tool, "kill-session", "-t", "=pf-killed");
    await expect
      .poll(async () => (await tool.status("killed")).driver.alive, { timeout: 10_000 })
      .toBe(false);
    expect(await tool.ok("bubble", "resume", "--id", "killed", "--message", "continue")).toContain(
      "a driver was started",
    );
    await tool.until("killed", isReady, "ready");
    expect(hasSession("killed")).toBe(true);
    expect(spawned(tool, "killed").map(({ turn, attempt }) => `${turn}.${attempt}`)).toEqual([
      "t1.1",
      "t1.2",
      "t1.3",
      "t2.1",
      "t3.1",
    ]);
  });
});

describe.concurrent("a bubble moves", () => {
  it("from panes to headless and back between turns, with everything it knows", async () => {
    await createScripted(tool, "moves", asking({ ask: "One?" }, { ask: "Two?" }));
    await tool.ok("bubble", "start", "--id", "moves");
    await tool.until("moves", isWaiting, "the first question");
    const sessions = () =>
      JSON.parse(readFileSync(join(tool.repo, ".pairflow/runtime/sessions.json"), "utf8"));
    expect(sessions().moves).toMatchObject({ session: "pf-moves", seat: "tmux" });
    const said = await tool.ok("bubble", "resume", "--id", "moves", "--message", "yes", "--headless");
    expect(said).toContain("moves is WAITING_HUMAN");
    expect(hasSession("moves")).toBe(false);
    expect(sessions().moves).toBeUndefined();
    expect(await tool.run("bubble", "attach", "--id", "moves")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("attach.no-panes"),
    });
    expect(await tool.ok("bubble", "resume", "--id", "moves", "--message", "two", "--tmux")).toContain(
      "a driver was started",
    );
    await tool.until("moves", isReady, "ready");
    expect(hasSession("moves")).toBe(true);
    expect(seats("moves")).toEqual(["tmux", "process", "tmux"]);
    const started = tool
      .log("moves")
      .flatMap((envelope) => (envelope.type === "TURN_STARTED" ? [envelope.payload.seat] : []));
    expect(started).toEqual(["tmux", "process", "tmux", "tmux", "tmux"]);
  });

  it("not while an agent is at work: it would have to be started again", async () => {
    await createScripted(tool, "busy", {
      ...shortest,
      implementer: [{ role: "implementer", steps: [{ hang: true }] }],
    });
    await tool.ok("bubble", "start", "--id", "busy");
    await tool.until("busy", ({ turn }) => turn?.status === "running", "at work");
    // Its process may be a moment away: that is at work too, and ending its driver now would start it a second time.
    const refused = await tool.run("bubble", "resume", "--id", "busy", "--headless");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("resume.agent-at-work") });
    expect(await tool.ok("bubble", "resume", "--id", "busy")).toContain("it is driven already");
    expect(await tool.run("bubble", "resume", "--id", "busy", "--headless", "--tmux")).toMatchObject({
      code: 2,
    });
    await expect.poll(() => spawned(tool, "busy").length, { timeout: 10_000 }).toBe(1);
    await tool.ok("bubble", "stop", "--id", "busy");
    expect(hasSession("busy")).toBe(false);
  });
});
