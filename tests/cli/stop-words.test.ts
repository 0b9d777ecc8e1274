// pairflow bubble stop says what is so: where the work is that was handed over, and stopped only once.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

it("a bubble that was never started has handed nothing over, and is stopped once", async () => {
  await createScripted(tool, "new", shortest);
  const next = "Next: pairflow bubble delete --id new\n";
  expect(await tool.ok("bubble", "stop", "--id", "new")).toBe(
    `Stopped new; new has handed nothing over\n${next}`,
  );
  expect(await tool.ok("bubble", "stop", "--id", "new")).toBe(
    `new was stopped before; new has handed nothing over\n${next}`,
  );
});

it("a bubble that handed over has its work in the ref that is named", async () => {
  await createScripted(tool, "begun", shortest);
  await tool.ok("bubble", "start", "--id", "begun", "--headless");
  expect(await tool.ok("bubble", "stop", "--id", "begun")).toMatch(
    /^Stopped begun; the newest work of begun is kept in refs\/pairflow\/begun\/latest\n/,
  );
  expect(tool.git("show", "refs/pairflow/begun/latest:src/cart.txt")).toBe("total: 2\n");
});
