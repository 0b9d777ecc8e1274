// pairflow bubble update: the base branch has moved while a bubble was at work, and its newest commit is wanted in what is signed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cleanReviews, createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";

let tool: Rig;
beforeEach(() => {
  tool = rig();
});
afterEach(() => tool.close());

const reviews = cleanReviews("src/cart.txt");
/** After the update the roles stay: codex has the reviewer's, claude the implementer's. */
const again = {
  implementer: [...shortest.implementer, reviews.pass],
  reviewer: [...shortest.reviewer, reviews.converge],
};
const sign = () => ["--yes", "--operator-key", tool.key];

async function moveMain(path: string, text: string): Promise<string> {
  tool.write(path, text);
  tool.git("add", "-A");
  tool.git("commit", "-qm", `Change ${path}`);
  return tool.git("rev-parse", "main").trim();
}

async function reachApproval(turns: Parameters<typeof createScripted>[2], ...flags: string[]): Promise<void> {
  await createScripted(tool, "fix", turns, ...flags);
  await tool.ok("bubble", "start", "--id", "fix", "--headless");
  await tool.until("fix", ({ state }) => state === "READY_FOR_APPROVAL", "ready");
}

const judgedAgain = () =>
  tool.until("fix", ({ state, round }) => state === "READY_FOR_APPROVAL" && round > 2, "judged again");

describe.each(["worktree", "clone"])("the base moved, in a %s", (mode) => {
  it("its commit is merged, everything is judged again, and the signed commit stands on it", async () => {
    await reachApproval(again, ...(mode === "clone" ? ["--mode", "clone"] : []));
    const before = (await tool.status("fix")).approval?.digest ?? "";
    const main = await moveMain("NEWS.md", "news\n");
    const said = JSON.parse(await tool.ok("bubble", "update", "--json"));
    expect(said).toMatchObject({ bubble: "fix", base: main, merged: true, conflicts: [], round: 3 });
    const { approval, base, tree } = await judgedAgain();
    expect(base.commit).toBe(main);
    expect(tree).toMatchObject({ files: 1, added: 1, removed: 1 });
    expect(approval?.digest).not.toBe(before);
    const old = await tool.run("bubble", "approve", "--digest", before.slice(0, 12), ...sign());
    expect(old.code).toBe(1);
    const since = tool.log("fix").filter(({ seq }) => seq > (tool.log("fix").find(isUpdate)?.seq ?? 0));
    const [first, ...others] = since
      .filter(({ type }) => type === "GATES_RESULT")
      .map((line) => line.payload);
    expect(first).toMatchObject({ tree: tool.git("rev-parse", "main^{tree}").trim(), base: {} });
    expect(others.length).toBeGreaterThan(0);
    expect(
      since.filter(({ type }) => type === "PASS" || type === "CONVERGENCE").map((one) => one.sender),
    ).toEqual(["codex", "claude"]);
    await tool.ok("bubble", "approve", "--id", "fix", ...sign());
    await tool.ok("bubble", "commit", "--id", "fix", "--operator-key", tool.key);
    expect(tool.git("rev-parse", "bubble/fix^").trim()).toBe(main);
    expect(tool.git("show", "bubble/fix:NEWS.md")).toBe("news\n");
    expect(tool.git("show", "bubble/fix:src/cart.txt")).toBe("total: 2\n");
    expect(await tool.ok("verify", "--id", "fix")).toContain("good");
  });
});

const isUpdate = ({ type }: { type: string }) => type === "BASE_UPDATED";

describe("conflicts", () => {
  it("are named, and the implementer is told and settles them", async () => {
    const settles = {
      role: "implementer",
      steps: [
        { write: { path: "src/cart.txt", text: "sum: 1\ntotal: 2\n" } },
        { pass: { summary: "both lines are kept" } },
      ],
    };
    await reachApproval({
      implementer: [...shortest.implementer, reviews.pass],
      reviewer: [...shortest.reviewer, settles, reviews.converge],
    });
    await moveMain("src/cart.txt", "sum: 1\n");
    expect(await tool.ok("bubble", "update", "fix")).toMatch(
      /with conflicts in src\/cart\.txt: claude settles them in\s+round 3/,
    );
    const ready = await judgedAgain();
    const prompts = tool
      .log("fix")
      .flatMap(({ type, payload }) =>
        type === "TURN_STARTED" && payload.role === "implementer" ? [payload.prompt] : [],
      );
    const told = readFileSync(
      join(tool.repo, ".pairflow", "bubbles", "fix", "artifacts", prompts.at(-1) ?? ""),
      "utf8",
    );
    expect(told).toContain("## Files with conflict markers\n\n- src/cart.txt");
    expect(tool.git("show", `${ready.tree?.id}:src/cart.txt`)).toBe("sum: 1\ntotal: 2\n");
    expect(await tool.ok("explain", "--id", "fix")).toContain("conflicts in src/cart.txt");
  });
});

describe("refusals", () => {
  it("a base that has not moved, a branch that is not there, and a bubble that asks for nothing yet", async () => {
    await reachApproval(shortest);
    expect((await tool.run("bubble", "update", "fix")).stderr).toContain("(update.not-moved)");
    expect((await tool.run("bubble", "update", "fix", "--from", "nowhere")).stderr).toContain(
      "(git.no-base)",
    );
    await createScripted(tool, "new", shortest);
    expect((await tool.run("bubble", "update", "new")).stderr).toContain("(update.wrong-state)");
    expect((await tool.status("fix")).state).toBe("READY_FOR_APPROVAL");
  });

  it("whoever approves is told that the base has moved", async () => {
    await reachApproval(shortest);
    await moveMain("NEWS.md", "news\n");
    const asked = await tool.run("bubble", "approve", "--id", "fix", "--operator-key", tool.key);
    expect(asked.stderr.replaceAll(/\s+/g, " ")).toContain(
      "main has 1 commit more since this began; to take them in first: pairflow bubble update --id fix",
    );
  });
});

it("an agent's own commit on the branch is kept under a pin", async () => {
  await reachApproval(again);
  const worktree = tool.worktree("fix");
  tool.git("-C", worktree, "commit", "-q", "--allow-empty", "-m", "Mine");
  const mine = tool.git("-C", worktree, "rev-parse", "HEAD").trim();
  await moveMain("NEWS.md", "news\n");
  await tool.ok("bubble", "update", "fix");
  expect(tool.git("rev-parse", `refs/pairflow/fix/agent-${mine.slice(0, 12)}`).trim()).toBe(mine);
});
