// A critic that adds files: what it judged is what it was given, so its review counts. Prompts and refusals once said that it
// does not, and nobody who signs was told of the files.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fullPackage, type Rig, rig } from "../acceptance/rig.ts";
import { configure } from "../cli/workflow-scene.ts";

const works = {
  role: "implementer",
  steps: [
    { write: { path: "src/cart.txt", text: "total: 2\n" } },
    { pass: { summary: "built", ...fullPackage } },
  ],
};
const checked = ["src/cart.txt:1 the first line holds the total that was asked for"];
const clean = { pass: { summary: "clean", no_findings: true, checked } };
const writes = (path: string) => ({ write: { path, text: "scratch\n" } });

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

async function plays(id: string, reviewer: readonly object[]): Promise<void> {
  const author = [works, { role: "reviewer", steps: [clean] }];
  configure(tool, { codex: author, claude: reviewer }, "defaults: { notifications: { enabled: false } }");
  await tool.ok("bubble", "create", "--id", id, "--task", "Make it two", "--test", "grep -q 2 src/cart.txt");
  await tool.ok("bubble", "start", "--id", id, "--headless");
  await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "approval is asked for", 60_000);
}
const packageOf = (id: string) =>
  readFileSync(join(tool.repo, ".pairflow/bubbles", id, "artifacts/done-package.md"), "utf8");
const handoffs = (id: string) =>
  tool.log(id).flatMap((line) => (line.type === "HANDOFF" ? [line.payload] : []));

describe("new files that appear during a review", () => {
  it("are put back and named in status and package, and the review counts", { timeout: 90_000 }, async () => {
    await plays("added", [{ role: "reviewer", steps: [writes("notes.txt"), clean] }]);
    expect(handoffs("added").every(({ problems }) => problems.length === 0)).toBe(true);
    expect(existsSync(join(tool.worktree("added"), "notes.txt"))).toBe(false);
    const named =
      /new files appeared during the turn of claude \(reviewer, round 1\) and were put back: notes\.txt/;
    expect(packageOf("added")).toMatch(named);
    expect((await tool.status("added")).put_back).toMatchObject([{ agent: "claude", files: ["notes.txt"] }]);
    expect(await tool.ok("bubble", "status", "--id", "added")).toMatch(/put back\s+notes\.txt/);
    expect(packageOf("added")).not.toContain("- added notes.txt");
  });

  it("beside a changed one undo the review: it is asked for again", { timeout: 90_000 }, async () => {
    const changes = { role: "reviewer", steps: [writes("notes.txt"), writes("src/cart.txt"), clean] };
    await plays("changed", [changes, { role: "reviewer", steps: [clean] }]);
    const refused = handoffs("changed").filter(({ problems }) => problems.length > 0);
    expect(refused.map(({ problems }) => problems[0])).toEqual([
      expect.stringContaining(
        "files changed during the turn of claude (reviewer): notes.txt, src/cart.txt; its review does not count",
      ),
    ]);
    expect(packageOf("changed")).not.toContain("new files appeared");
  });

  it("are spoken of in the same way by every prompt of a role that only reads", () => {
    const folder = join(import.meta.dirname, "../../prompts");
    const readers = readdirSync(folder).filter((name) => /reviewer|challenger|judge/.test(name));
    expect(readers).toHaveLength(6);
    for (const name of readers)
      expect(readFileSync(join(folder, name), "utf8")).toMatch(
        /Change nothing: a (?:review|turn|critique) that changes or removes files does not count; new files are put back/,
      );
  });
});
