// The tree of a run as text: marks, what it waits for, who continues with a task, and commands that are never cut.
import { describe, expect, it } from "vitest";
import { describeTree, renderTree } from "../../src/cli/render/bubble/tree.ts";
import { listOpenNodes, type TreeNode } from "../../src/core/views/tree/run.ts";

const node = (over: Partial<TreeNode>): TreeNode => ({
  ...{ kind: "task", key: "t1", title: "Write the rate down", bubble: "totals-t1", lifecycle: "RUNNING" },
  ...{ state: "running", says: "dev works", step: "developer", phase: null, round: 1 },
  ...{ agent: "dev", role: "developer", since: "2026-01-01T00:00:00.000Z", question: null, driven: true },
  ...{ cost: { tokens: 0, usd: null }, children: [] },
  ...over,
});
const question = {
  id: "q9",
  text: "Keep the old rounding?",
  command: 'pairflow bubble reply --id totals-t3 --message "…"',
};
const heir = node({
  ...{ kind: "heir", key: "task-decomposition", bubble: "totals-t2-task-decomposition" },
  ...{ parts: { done: 1, all: 2 }, says: "tasks are at work" },
  children: [node({ key: "p1", bubble: "totals-t2-task-decomposition-p1", state: "done", says: "1 round" })],
});
const tree = node({
  ...{ kind: "run", key: "totals", bubble: "totals", says: "tasks are at work", agent: null },
  ...{ parts: { done: 1, all: 4 }, cost: { tokens: 41_200, usd: 0.38 } },
  children: [
    node({
      kind: "phase",
      key: "plan",
      title: "The plan",
      bubble: null,
      state: "done",
      says: "critic passed it in round 2",
    }),
    node({ state: "done", says: "2 rounds" }),
    node({
      key: "t2",
      title: "Tell the total",
      bubble: "totals-t2",
      says: "too big",
      since: null,
      children: [heir],
    }),
    node({
      key: "t3",
      title: "Round",
      bubble: "totals-t3",
      state: "asks",
      says: "a human must answer",
      question,
    }),
    node({ key: "t4", title: "Print", bubble: null, state: "waiting", says: "waits for t2", since: null }),
  ],
});
const look = { now: "2026-01-01T00:00:40.000Z", colour: false, width: Number.POSITIVE_INFINITY };

describe("the tree", () => {
  it("tells phases, tasks, who continues with one, questions and what is waited for", () => {
    expect(renderTree(tree, look)).toMatchInlineSnapshot(`
      "totals   RUNNING   1 of 4 tasks done                                 41.2k tokens · $0.3800
        ✓ plan     The plan                                                critic passed it in round 2
        ✓ t1       Write the rate down   totals-t1                         2 rounds
        ● t2       Tell the total        totals-t2                         too big
          ↳ too big: totals-t2-task-decomposition   1 of 2 parts done
            ✓ p1   Write the rate down   totals-t2-task-decomposition-p1   1 round
        ? t3       Round                 totals-t3                         question: "Keep the old rounding?"
            pairflow bubble reply --id totals-t3 --message "…"
        · t4       Print                                                   waits for t2"
    `);
  });

  it("cuts lines to the width of the terminal, but never a command", () => {
    const lines = renderTree(tree, { ...look, width: 40 }).split("\n");
    expect(lines.filter((line) => line.length > 40)).toEqual([`      ${question.command}`]);
  });

  it("lets titles and names of bubbles give way where it is narrow, so that one sees how it stands", () => {
    expect(renderTree(tree, { ...look, width: 80 })).toMatchInlineSnapshot(`
      "totals   RUNNING   1 of 4 tasks done                      41.2k tokens · $0.3800
        ✓ plan     The plan                          critic passed it in round 2
        ✓ t1       Write the r…   totals-t1          2 rounds
        ● t2       Tell the to…   totals-t2          too big
          ↳ too big: totals-t2-task-decomposition   1 of 2 parts done
            ✓ p1   Write the r…   …ecomposition-p1   1 round
        ? t3       Round          totals-t3          question: "Keep the old rounding…
            pairflow bubble reply --id totals-t3 --message "…"
        · t4       Print                             waits for t2"
    `);
  });

  it("says who lacks a driver, unless it is being driven right now", () => {
    const left = node({ ...tree, children: [node({ driven: false })] });
    expect(renderTree(left, look)).toContain("nobody drives it");
    expect(renderTree(left, look, { live: true })).not.toContain("nobody drives it");
  });

  it("takes control characters of agents out", () => {
    const bad = node({ ...tree, children: [node({ title: "a\u001b[2Jb", says: "dev works" })] });
    expect(renderTree(bad, look)).not.toContain("\u001b");
  });

  it("is told line by line without times, and the run itself only when it stops", () => {
    expect([...describeTree(tree).values()]).toMatchInlineSnapshot(`
      [
        "✓ plan: critic passed it in round 2",
        "✓ t1 (totals-t1): 2 rounds",
        "● t2 (totals-t2): too big",
        "● t2/task-decomposition (totals-t2-task-decomposition): tasks are at work",
        "✓ t2/task-decomposition/p1 (totals-t2-task-decomposition-p1): 1 round",
        "? t3 (totals-t3): asks: "Keep the old rounding?"   pairflow bubble reply --id totals-t3 --message "…"",
      ]
    `);
    const asks = {
      ...tree,
      state: "approve",
      lifecycle: "READY_FOR_APPROVAL",
      says: "a human must approve",
    } as const;
    expect([...describeTree(asks).values()][0]).toBe("? totals: a human must approve");
  });

  it("knows everything that waits for a person, once", () => {
    expect(listOpenNodes(tree).map(({ bubble }) => bubble)).toEqual(["totals-t3"]);
  });
});
