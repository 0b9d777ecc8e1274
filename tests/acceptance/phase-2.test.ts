// The two acceptance points of phase 2, with twenty bubbles at once in real tmux sessions.
import { afterEach, describe, expect, it } from "vitest";
import { createScripted, fullPackage, type Rig, rig } from "./rig.ts";

let tool: Rig;
afterEach(() => tool?.close());

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
      steps: [{ converge: { summary: `converged ${id}`, checked: [`out/${id}.txt:1 says ${id}`] } }],
    },
  ],
  reviewer: [{ role: "reviewer", steps: [{ pass: { summary: `reviewed ${id}`, no_findings: true } }] }],
});

describe("phase 2", () => {
  it("1. twenty bubbles run at once, started from separate processes, without collision", {
    timeout: 240_000,
  }, async () => {
    tool = rig();
    for (const id of ids) await createScripted(tool, id, turnsFor(id), "--test", "true");
    await Promise.all(ids.map((id) => tool.ok("bubble", "start", "--id", id)));
    for (const id of ids)
      await tool.until(id, (status) => status.state === "READY_FOR_APPROVAL", `${id} is ready`, 180_000);
    const listed = JSON.parse(await tool.ok("bubble", "list", "--json"));
    expect(listed).toHaveLength(count);

    // 2. no transcript or session cross-contamination
    for (const id of ids) {
      const log = tool.log(id);
      expect(log.every((envelope) => envelope.bubble_id === id)).toBe(true);
      expect(log.map((envelope) => envelope.seq)).toEqual(log.map((_, i) => i + 1));
      const passes = log.flatMap((envelope) => (envelope.type === "PASS" ? [envelope.payload.summary] : []));
      expect(passes).toEqual([`implemented ${id}`, `reviewed ${id}`]);
      expect(tool.git("-C", tool.worktree(id), "status", "--porcelain", "-uall").trim()).toBe(
        `?? out/${id}.txt`,
      );
    }
    const verified = await tool.ok("verify");
    for (const id of ids) expect(verified).toContain(id);
    await Promise.all(ids.map((id) => tool.ok("bubble", "stop", "--id", id)));
  });
});
