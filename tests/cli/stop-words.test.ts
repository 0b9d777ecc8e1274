// pairflow bubble stop says what is so: a branch only where there is one, and stopped only once.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

it("a bubble that was never started has no branch, and is stopped once", async () => {
  await createScripted(tool, "new", shortest);
  const next = "Next: pairflow bubble delete --id new\n";
  expect(await tool.ok("bubble", "stop", "--id", "new")).toBe(`Stopped new\n${next}`);
  expect(await tool.ok("bubble", "stop", "--id", "new")).toBe(`new was stopped before\n${next}`);
});

it("a bubble that was started keeps its branch", async () => {
  await createScripted(tool, "begun", shortest);
  await tool.ok("bubble", "start", "--id", "begun", "--headless");
  expect(await tool.ok("bubble", "stop", "--id", "begun")).toMatch(
    /^Stopped begun; branch bubble\/begun is kept\n/,
  );
});
