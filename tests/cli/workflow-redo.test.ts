// pairflow workflow redo: a step is taken back with everything that rests on it, and nothing else is repeated.
import { afterAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { goOn } from "../helpers/operator.ts";
import { approves, configure, linesOf, makes, run, walked } from "./workflow-scene.ts";

const rigs: Rig[] = [];
afterAll(() => Promise.all(rigs.map((tool) => tool.close())));

const flow = `
tasks:
  design: { agent: ann, title: Design it }
  build: { agent: ben, title: Build it, depends_on: [design] }
  check: { agent: cid, title: Something else }
`;

async function finished(id: string): Promise<Rig> {
  const tool = rig();
  rigs.push(tool);
  tool.write("flows/three.yaml", flow);
  configure(tool, {
    ann: [makes("design.md", "one\n"), makes("design.md", "two\n")],
    ben: [makes("built.md", "one\n"), makes("built.md", "two\n")],
    cid: [makes("check.md", "one\n")],
    rex: [approves],
  });
  expect(await run(tool, "flows/three.yaml", "--id", id, "--test", "true")).toMatchObject({ code: 0 });
  return tool;
}

const turnsOf = (tool: Rig, id: string) =>
  linesOf(tool.log(id), "TURN_STARTED").map(({ payload }) => payload.agent);

describe.concurrent("a step that is taken back", () => {
  it("is done again with the tasks that depend on it, and no other one", async () => {
    const tool = await finished("again");
    expect(turnsOf(tool, "again")).toEqual(["ann", "ben", "cid"]);
    const before = walked(tool.log("again")).length;
    const words = [
      "workflow",
      "redo",
      "--id",
      "again",
      "--step",
      "design",
      "--reason",
      "the interface changed",
    ];
    expect(await goOn(tool, "again", ...words)).toMatchObject({ state: "READY_FOR_APPROVAL" });
    expect(linesOf(tool.log("again"), "STEP_REDONE")[0]).toMatchObject({
      sender: "human",
      payload: { step: "design", reason: "the interface changed", via: "cli" },
    });
    expect(turnsOf(tool, "again")).toEqual(["ann", "ben", "cid", "ann", "ben"]);
    expect(walked(tool.log("again")).slice(before)).toContain("build success");
  });

  it.each([
    [["--step", "desing", "--reason", "x"], "redo.unknown-step"],
    [["--step", "design", "--reason", " "], "redo.no-reason"],
    [["--step", "design/exhausted", "--reason", "x"], "redo."],
    [["--reason", "x"], "usage.missing-flag"],
  ])("%j is refused: %s", async (words, code) => {
    const tool = await finished("refused");
    const done = await tool.run("workflow", "redo", "--id", "refused", ...words);
    expect(done.code).not.toBe(0);
    expect(done.stderr).toContain(`(${code}`);
    expect(turnsOf(tool, "refused")).toHaveLength(3);
  });
});
