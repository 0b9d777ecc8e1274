// The command line under Node 24: a whole bubble, headless. `npm test` puts the binary's path into PAIRFLOW_NODE24.
import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { createScripted, oneLoop, type Rig, rig } from "./rig.ts";

let tool: Rig;
afterEach(() => tool?.close());

const node = process.env.PAIRFLOW_NODE24;

describe.runIf(node)("Node 24", () => {
  it("runs a whole bubble from create to commit", async () => {
    expect(execFileSync(node ?? "", ["--version"], { encoding: "utf8" })).toMatch(/^v24\./);
    tool = rig({ node: node ?? "" });
    await createScripted(tool, "modern", oneLoop);
    await tool.ok("bubble", "start", "--id", "modern", "--headless");
    expect((await tool.status("modern")).state).toBe("READY_FOR_APPROVAL");
    await tool.ok("bubble", "approve", "--id", "modern", "--yes", "--operator-key", tool.key);
    await tool.ok("bubble", "commit", "--id", "modern", "--operator-key", tool.key);
    expect((await tool.status("modern")).state).toBe("DONE");
    expect((await tool.run("verify")).code).toBe(0);
  });
});

it("is told where Node 24 is when CI runs the tests", () => {
  if (process.env.CI) expect(node).toBeTruthy();
});
