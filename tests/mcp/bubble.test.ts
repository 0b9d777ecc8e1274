// A whole bubble whose agents know nothing but the tools: the driver gives them their capability, a P1 is found and
// fixed, the roles are swapped, and a human is asked for approval.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { fullPackage, type Rig, rig } from "../acceptance/rig.ts";

let tool: Rig;
afterEach(() => tool.close());

const checked = [{ file: "src/cart.txt", line: 1, why: "the total is 2" }];
const wrongTotal = {
  severity: "P1",
  title: "Total is 3",
  file: "src/cart.txt",
  line: 1,
  evidence: "total: 3",
};

const turns = {
  codex: [
    {
      write: { "src/cart.txt": "total: 3\n" },
      tool: "pass",
      args: { summary: "First try", package: fullPackage },
    },
    { write: { "src/cart.txt": "total: 2\n" }, tool: "pass", args: { summary: "F1 is fixed" } },
    { tool: "converged", args: { summary: "Nothing found", checked } },
  ],
  claude: [
    { tool: "submit_review", args: { summary: "Wrong total", findings: [wrongTotal] } },
    {
      tool: "submit_review",
      args: { summary: "Fixed", findings: [], answers: [{ id: "F1", status: "fixed" }], checked },
    },
  ],
};

async function createWith(id: string): Promise<void> {
  const tests = ["--test", "grep -q total src/cart.txt"];
  await tool.ok("bubble", "create", "--id", id, "--task", "Make the total right", ...tests);
  const agents = Object.entries(turns).map(([name, script]) => {
    const file = join(tool.folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(script));
    const line = [process.execPath, join(import.meta.dirname, "agent.mjs"), file].join(" ");
    return `\n[agent.${name}]\nadapter = "command"\ncommand = ${JSON.stringify(line)}\n`;
  });
  const config = join(tool.repo, ".pairflow", "bubbles", id, "bubble.toml");
  writeFileSync(config, readFileSync(config, "utf8") + agents.join(""));
}

it("two agents without a shell bring a bubble to its approval", async () => {
  tool = rig();
  await createWith("tools");
  await tool.ok("bubble", "start", "--id", "tools", "--headless");
  const status = await tool.status("tools");
  expect(status.state).toBe("READY_FOR_APPROVAL");
  const claims = tool.log("tools").filter(({ type }) => ["PASS", "CONVERGENCE", "WARNING"].includes(type));
  expect(claims.map(({ type, sender, round }) => `${type} ${sender} ${round}`)).toMatchInlineSnapshot(`
    [
      "PASS codex 1",
      "PASS claude 1",
      "PASS codex 2",
      "PASS claude 2",
      "CONVERGENCE codex 3",
    ]
  `);
  expect(claims[1]?.payload).toMatchObject({ findings: [{ id: "F1", ...wrongTotal }] });
}, 90_000);
