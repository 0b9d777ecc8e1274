// The golden transcript of each built-in workflow: one rejected round, then approval, through the real command line.
// A difference is a change of what a workflow does. If it is meant, write them anew and read the difference:
//   UPDATE_GOLDEN=1 npx vitest run tests/golden/workflows.test.ts && git diff tests/fixtures/golden
// The raw transcripts (tests/fixtures/golden/raw) are kept for ever and are only added to: see raw.test.ts.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { normalised, plainText } from "./normal.ts";
import { id, names, playRun } from "./runs.ts";

const root = join(import.meta.dirname, "..", "..");
/** What a person signed at its end; none where nothing was signed. */
const packageOf = (tool: Rig): string | undefined => {
  const file = join(tool.repo, ".pairflow", "bubbles", id, "artifacts", "done-package.md");
  return existsSync(file) ? plainText(readFileSync(file, "utf8"), tool) : undefined;
};
const goldenPackage = (name: string) => golden(name).replace(".ndjson", ".package.md");
const golden = (name: string) => join(root, "tests", "fixtures", "golden", `${name}.ndjson`);

describe("the golden transcript", () => {
  it("exists for every built-in workflow", () => {
    const builtIn = readdirSync(join(root, "workflows")).map((file) => file.replace(/\.(ya?ml|json)$/, ""));
    expect([...names].sort()).toEqual(builtIn.sort());
  });

  it.each(names)("of %s is what it was", { timeout: 90_000 }, async (name) => {
    // The same on machines with and without a sandbox.
    const tool = rig().with({ PAIRFLOW_SANDBOX: "off" });
    try {
      await playRun(tool, name);
      const log = tool.log(id);
      const now = normalised(log, tool);
      if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden(name), now);
      expect(now.split("\n")).toEqual(readFileSync(golden(name), "utf8").split("\n"));
      const signed = packageOf(tool);
      if (process.env.UPDATE_GOLDEN === "1" && signed !== undefined)
        writeFileSync(goldenPackage(name), signed);
      if (signed !== undefined) expect(signed).toBe(readFileSync(goldenPackage(name), "utf8"));
      else expect(existsSync(goldenPackage(name))).toBe(false);
      const verified = await tool.run("verify", "--id", id);
      expect(verified, verified.stdout).toMatchObject({ code: 0 });
    } finally {
      await tool.close();
    }
  });
});
