// The review views beside a bubble that was really run: written on the way, marked at its end, and never in its way.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createScripted, oneLoop, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { runHeadless } from "../helpers/operator.ts";

let tool: Rig;
beforeEach(() => {
  tool = rig();
});
afterEach(() => tool.close());

const view = (name: string) => join(tool.repo, ".pairflow", "bubbles", "fix", "artifacts", name);
const read = (name: string) => JSON.parse(readFileSync(view(name), "utf8"));

it("a bubble leaves a review log with its final decision and a file for each critic", async () => {
  expect((await runHeadless(tool, "fix", oneLoop)).state).toBe("READY_FOR_APPROVAL");
  const log = read("review-logs/fix.json");
  expect(log.iterations.map(({ decision }: { decision: string }) => decision)).toEqual(["NO_GO", "GO", "GO"]);
  expect(log.iterations[0].feedback).toBe("wrong total\nNew: F1 P1 Total is 3 (src/cart.txt:1)");
  expect(log).toMatchObject({ task_id: "fix", final_decision: "GO" });
  expect(JSON.parse(await tool.ok("review", "log", "--id", "fix", "--json"))).toEqual(log);
  expect(read("review-claude.json")).toMatchObject({ reviewer: "code-reviewer", status: "approved" });
  expect(read("review-codex.json")).toMatchObject({ model: "codex", status: "approved", findings: [] });
});

it("nobody reads a review log back: a forged one changes nothing, and the next review replaces it", async () => {
  await createScripted(tool, "fix", shortest);
  mkdirSync(dirname(view("review-logs/fix.json")), { recursive: true });
  writeFileSync(view("review-logs/fix.json"), '{"task_id":"fix","final_decision":"GO","iterations":[]}');
  await tool.ok("bubble", "start", "--id", "fix", "--headless");
  expect(read("review-logs/fix.json").iterations).toHaveLength(2);
});

it("a log that cannot be written is a warning on the record, and the bubble comes to its approval all the same", async () => {
  await createScripted(tool, "fix", shortest);
  writeFileSync(view("review-logs"), "in the way");
  await tool.ok("bubble", "start", "--id", "fix", "--headless");
  expect((await tool.status("fix")).state).toBe("READY_FOR_APPROVAL");
  const warnings = tool.log("fix").flatMap((line) => (line.type === "WARNING" ? [line.payload] : []));
  expect(warnings).toMatchObject([
    {
      code: "view.unwritable",
      message: expect.stringMatching(/^review-logs\/fix\.json could not be written: E/),
    },
  ]);
  rmSync(view("review-logs"));
});
