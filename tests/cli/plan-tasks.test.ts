// pairflow tasks, and what a person does at a terminal: confirming tasks, writing a plan in an editor.
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { openTerminal, type Terminal } from "../helpers/operator.ts";

let tool: Rig;
let desk: Terminal | undefined;
beforeAll(() => {
  tool = rig({ files: { "src/cart.ts": "export {};\n" } });
});
afterEach(() => {
  desk?.close();
  desk = undefined;
});
afterAll(() => tool.close());

const execution = "1. Add the rule to `src/a.ts`\n2. Show it in `src/b.ts` (parallel)";
const planned = (slug: string, more = execution) =>
  tool.ok("plan", "T", "--slug", slug, "--mission", "Success criteria:\n- it works", "--execution", more);
const session = async (...args: string[]) => {
  const { code, stdout, stderr } = await tool.run(...args);
  return `\n${stdout}${stderr}${code === 0 ? "" : `[exit ${code}]\n`}`;
};
const kept = (slug: string) =>
  JSON.parse(readFileSync(join(tool.repo, `.pairflow/plans/${slug}/tasks.json`), "utf8"));

describe("without a terminal", () => {
  it("tasks are shown and kept, and wait for a person to confirm them", async () => {
    await planned("alone");
    expect(await session("tasks", "alone")).toMatchInlineSnapshot(`
      "
      2 tasks from the numbered lines of Execution
        t1              src/a.ts   Add the rule to \`src/a.ts\`
        t2      S1      src/b.ts   Show it in \`src/b.ts\`
      Not confirmed yet
      Next: pairflow tasks alone --yes   confirms them
      Or change .pairflow/plans/alone/tasks.json; pairflow tasks alone   checks them again
      Or let an agent split the plan: pairflow tasks alone --planner
      "
    `);
    expect(kept("alone").confirmed_at).toBeUndefined();
    expect(await session("tasks", "alone", "--yes")).toContain("Next: pairflow execute alone");
    const { confirmed_at } = kept("alone");
    expect(confirmed_at).toMatch(/^20/);
    expect(await session("tasks", "alone")).toContain("Confirmed");
    expect(kept("alone").confirmed_at).toBe(confirmed_at);
    expect(await session("tasks", "alone", "--again")).toContain("Not confirmed yet");
  });

  it("lines that cannot be tasks are refused before the plan is frozen, with all that is wrong", async () => {
    const lines = ["explore", "Wrong lines", "--slug", "wrong", "--no-agent"];
    await tool.ok(...lines);
    const set = (execution: string) =>
      tool.ok("plan", "edit", "wrong", "--set", "mission=Why", "--set", `execution=${execution}`);
    await set("1. A (after 2)\n2. B (after 1, 9)");
    expect(await session("promote", "wrong")).toMatchInlineSnapshot(`
      "
      Refused: the numbered lines of Execution cannot be tasks as they are; the plan wrong is not committed (plan.bad-tasks)
        t2 depends on t9, which is no task
        tasks wait for one another: t1 → t2 → t1
        lines without numbers are left to a planner: pairflow tasks wrong --planner
      Hint: pairflow plan edit wrong
      [exit 1]
      "
    `);
    await set(Array.from({ length: 30 }, (_, i) => `${i + 1}. Part ${i + 1}`).join("\n"));
    expect(await session("promote", "wrong")).toContain("30 tasks; a plan has at most 20: split the plan");
    await set("Part by part");
    expect(await session("promote", "wrong")).toContain("Next: pairflow tasks wrong --planner");
    expect(await session("tasks", "wrong")).toMatchInlineSnapshot(`
      "
      Refused: Execution of the plan wrong has no numbered lines to make tasks of (plan.no-tasks)
        a planner splits the plan, and you look at what it proposes
        or hand in your own: pairflow tasks wrong --file tasks.json
      Hint: pairflow tasks wrong --planner
      [exit 1]
      "
    `);
    writeFileSync(join(tool.repo, "own.json"), '[{"id": "only", "description": "All of it"}]');
    expect(await session("tasks", "wrong", "--file", "own.json", "--yes")).toContain("1 task handed in");
    expect(JSON.parse(await tool.ok("tasks", "wrong", "--json"))).toMatchObject({
      slug: "wrong",
      plan: "plan.wrong",
      tasks: [{ id: "only" }],
    });
  });

  it("an uncommitted plan has no tasks yet", async () => {
    await tool.ok("explore", "loose", "--no-agent");
    expect(await session("tasks", "loose")).toMatchInlineSnapshot(`
      "
      Refused: the plan loose is not committed yet; only a committed plan has tasks and is executed (plan.not-committed)
      Hint: pairflow promote loose
      [exit 1]
      "
    `);
    expect(await session("tasks")).toContain("(plan.no-slug)");
  });
});

describe("at a terminal", () => {
  it.each([
    ["", true],
    ["n", false],
  ])("the tasks are shown and asked about: %j", async (key, confirmed) => {
    const slug = confirmed ? "asked" : "declined";
    await planned(slug);
    desk = openTerminal(tool, ["tasks", slug]);
    await desk.sees("Use these tasks? [Y/n]");
    desk.types(key);
    const { code, screen } = await desk.ends();
    expect(code).toBe(0);
    expect(screen).toContain(confirmed ? "Confirmed" : "Not confirmed yet");
    expect(kept(slug).confirmed_at !== undefined).toBe(confirmed);
  });

  /** An editor that puts words into Mission and Execution. */
  const editor = (mission: string, steps: string) => {
    const path = join(tool.repo, "..", "editor.sh");
    const change = `s|^## Mission$|## Mission\\n${mission}|; s|^## Execution$|## Execution\\n${steps}|`;
    writeFileSync(path, `#!/bin/sh\nsed -i '${change}' "$1"\n`);
    chmodSync(path, 0o755);
    return { ...tool.env, EDITOR: `${path} ` };
  };

  it("plan opens the template in the editor and commits to what was written", async () => {
    desk = openTerminal(tool, ["plan", "Written by hand"], { env: editor("Why", "1. Go") });
    const { code, screen } = await desk.ends();
    expect(screen).toContain("Committed written-by-hand");
    expect(code).toBe(0);
  });

  it("plan edit opens the plan itself; what cannot be read is told with its line", async () => {
    await tool.ok("explore", "scribble", "--no-agent");
    desk = openTerminal(tool, ["plan", "edit", "scribble"], { env: editor("Because", "1. Go") });
    expect((await desk.ends()).screen).toContain("scribble: plan.json and plan.md say the same");
    desk.close();
    desk = openTerminal(tool, ["plan", "edit", "scribble"], { env: editor("Because", "## Oops") });
    const { code, screen } = await desk.ends();
    expect(screen).toMatch(/plan\.md:\d+:1: unknown section "Oops"/);
    expect(code).toBe(2);
  });
});
