// The golden transcript of each built-in workflow: one rejected round, then approval, through the real command line.
// A difference is a change of what a workflow does. If it is meant, write them anew and read the difference:
//   UPDATE_GOLDEN=1 npx vitest run tests/golden/workflows.test.ts && git diff tests/fixtures/golden
// The raw transcripts (tests/fixtures/golden/raw) are kept for ever and are only added to: see raw.test.ts.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rig } from "../acceptance/rig.ts";
import { normalised } from "./normal.ts";
import { id, names, playRun } from "./runs.ts";

const root = join(import.meta.dirname, "..", "..");
const golden = (name: string) => join(root, "tests", "fixtures", "golden", `${name}.ndjson`);

describe("the golden transcript", () => {
  it("exists for every built-in workflow", () => {
    const builtIn = readdirSync(join(root, "workflows")).map((file) => file.replace(/\.(ya?ml|json)$/, ""));
    expect([...names].sort()).toEqual(builtIn.sort());
  });

  it.each(names)("of %s is what it was", { timeout: 90_000 }, async (name) => {
    const tool = rig();
    try {
      await playRun(tool, name);
      const log = tool.log(id);
      const now = normalised(log, tool);
      if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden(name), now);
      expect(now.split("\n")).toEqual(readFileSync(golden(name), "utf8").split("\n"));
      const verified = await tool.run("verify", "--id", id);
      expect(verified, verified.stdout).toMatchObject({ code: 0 });
    } finally {
      await tool.close();
    }
  });
});
