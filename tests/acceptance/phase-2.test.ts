// The two acceptance points of phase 2, with twenty bubbles at once in real tmux sessions.
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, fullPackage, type Rig, rig } from "./rig.ts";

let tool: Rig;
const count = 20;
const ids = Array.from({ length: count }, (_, i) => `b${i + 1}`);

const turnsFor = (id: string) => ({
  implementer: [
    {
      role: "implementer",
      steps: [
        { write: { path: `out/${id}.txt`, text: `made by ${id}\n` } },
        { pass: { summary: `implemented ${id}`, ...fullPackage, commit_message: `add ${id}` } },
      ],
    },
    {
      role: "reviewer",
      steps: [
        { converge: { summary: `converged ${id}`, checked: [`out/${id}.txt:1 names the bubble ${id}`] } },
      ],
    },
  ],
  reviewer: [
    {
      role: "reviewer",
      steps: [
        {
          pass: {
            summary: `reviewed ${id}`,
            no_findings: true,
            checked: [`out/${id}.txt:1 names the bubble ${id}`],
          },
        },
      ],
    },
  ],
});

describe("phase 2", () => {
  beforeAll(async () => {
    tool = rig();
    for (const id of ids) await createScripted(tool, id, turnsFor(id), "--test", "true");
    await Promise.all(ids.map((id) => tool.ok("bubble", "start", "--id", id)));
    for (const id of ids) {
      await tool.until(id, (status) => status.state === "READY_FOR_APPROVAL", `${id} is ready`, 200_000);
    }
  }, 240_000);
  afterAll(() => tool?.close());

  it("1. twenty bubbles, started at once from separate processes, run without collision", async () => {
    const { bubbles } = JSON.parse(await tool.ok("bubble", "list", "--json"));
    expect(bubbles.map((bubble: { state: string }) => bubble.state)).toEqual(
      ids.map(() => "READY_FOR_APPROVAL"),
    );
    const sessions = execFileSync("tmux", ["-L", tool.socket, "list-sessions", "-F", "#{session_name}"], {
      encoding: "utf8",
    });
    expect(sessions.trim().split("\n").sort()).toEqual(ids.map((id) => `pf-${id}`).sort());
    for (const id of ids) {
      const second = await tool.run("bubble", "start", "--id", id);
      expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("start.already") });
    }
  }, 60_000);

  it("2. no transcript, worktree or session holds anything of another bubble", async () => {
    for (const id of ids) {
      const log = tool.log(id);
      expect(log.every((envelope) => envelope.bubble_id === id)).toBe(true);
      expect(log.map((envelope) => envelope.seq)).toEqual(log.map((_, i) => i + 1));
      const passes = log.flatMap((envelope) => (envelope.type === "PASS" ? [envelope.payload.summary] : []));
      expect(passes).toEqual([`implemented ${id}`, `reviewed ${id}`]);
      const changed = tool.git("-C", tool.worktree(id), "status", "--porcelain", "-uall").trim();
      expect(changed).toBe(`?? out/${id}.txt`);
      const screen = execFileSync("tmux", ["-L", tool.socket, "capture-pane", "-p", "-t", `=pf-${id}:0.0`], {
        encoding: "utf8",
      });
      expect(screen).toMatch(new RegExp(`^${id}\\s+READY_FOR_APPROVAL`, "m"));
    }
    expect((await tool.run("verify")).code).toBe(0);
    await tool.ok("bubble", "stop", "--id", "b1");
    const left = execFileSync("tmux", ["-L", tool.socket, "list-sessions", "-F", "#{session_name}"], {
      encoding: "utf8",
    });
    expect(left).not.toMatch(/^pf-b1$/m);
    expect(left.trim().split("\n")).toHaveLength(count - 1);
  }, 60_000);
});
