// pairflow bubble diff: all that a bubble changed, what one round added, and a patch that git takes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { paintPatch, renderStat } from "../../src/cli/render/bubble/diff.ts";
import { createScripted, oneLoop, type Rig, rig } from "../acceptance/rig.ts";

describe("of a bubble of two rounds", () => {
  let tool: Rig;
  beforeAll(async () => {
    tool = rig();
    await createScripted(tool, "loop", oneLoop);
    expect(await tool.run("bubble", "diff", "loop")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("diff.nothing"),
    });
    await tool.ok("bubble", "start", "--id", "loop", "--headless");
  });
  afterAll(() => tool.close());

  it("is a patch that git takes, and gives the tree that is signed", async () => {
    writeFileSync(join(tool.folder, "all.patch"), await tool.ok("diff"));
    tool.git("checkout", "-q", "-b", "tried");
    tool.git("apply", "--index", join(tool.folder, "all.patch"));
    const to = JSON.parse(await tool.ok("diff", "--json")).to;
    expect(tool.git("write-tree").trim()).toBe(tool.git("rev-parse", `${to}^{tree}`).trim());
  });

  it("of a round is what that round added", async () => {
    const rounds = [1, 2].map(async (round) =>
      JSON.parse(await tool.ok("diff", "--round", `${round}`, "--json")),
    );
    const [first, second] = await Promise.all(rounds);
    expect(second.from).toBe(first.to);
    expect(await tool.ok("diff", "--round", "2")).not.toBe(await tool.ok("diff"));
    expect(await tool.run("diff", "--round", "7")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("nothing was handed over in round 7 of loop"),
    });
  });

  it("in numbers has a line a file and the sum", async () => {
    const lines = (await tool.ok("diff", "--stat")).trimEnd().split("\n");
    expect(lines.at(-1)).toMatch(/^\d+ files?, \+\d+ −\d+$/);
    expect(lines[0]).toMatch(/^src\/cart\.txt\s+\d+ \+*-*$/);
  });
});

it("on a terminal: no text of a file moves the cursor, and only lines of a hunk have its colours", () => {
  const patch = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\u001b[2Jc\n";
  const painted = paintPatch(patch, true);
  expect(painted).toContain("\u001b[1m+++ b/x\u001b[0m");
  expect(painted).toContain("\u001b[32m+b␛[2Jc\u001b[0m");
  expect(painted).toContain("\u001b[31m-a\u001b[0m");
  expect(paintPatch("+b\u001b[2J", false)).toBe("+b␛[2J");
});

it("in numbers fits the terminal, and says what is no text", () => {
  const file = {
    path: "a/very/long/path/to/some/file/of/a/project.ts",
    from: null,
    status: "modified",
    blob: "0",
  };
  const more = { notes: [], generated: false };
  const lines = renderStat(
    [
      { ...file, ...more, added: 900, removed: 1 },
      { ...file, ...more, path: "logo.png", added: null, removed: null, notes: ["executable"] },
    ],
    false,
    60,
  ).split("\n");
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(lines[1]).toMatch(/^logo\.png +not text {2}executable$/);
  expect(renderStat([], false, 80)).toBe("Nothing changed");
});
