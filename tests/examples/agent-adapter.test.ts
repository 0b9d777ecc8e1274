// The example of docs/agents.md is run as it stands: its own test, and what its page says about it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import "../../examples/agent-adapter/echo-json.test.ts";
import { echoJsonAgent } from "../../examples/agent-adapter/echo-json.ts";
import { replaceAgentsTable } from "../../src/cli/docs/agents.ts";

const root = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(root, "examples", "agent-adapter", "README.md"), "utf8");

test("the example is two files and one line, and its page names them", () => {
  const named = [...page.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1] ?? "");
  expect(named).toHaveLength(3);
  for (const file of named)
    expect(existsSync(join(root, "examples", "agent-adapter", file)), file).toBe(true);
  expect(page).toContain("    echoJsonAgent(),\n");
});

test("its row in the table comes from its own declaration", () => {
  const agents = readFileSync(join(root, "docs", "agents.md"), "utf8");
  const table = replaceAgentsTable(agents, [echoJsonAgent()]);
  expect(table).toContain("| `echo-json` | yes | yes | yes | yes | yes | yes | no<sup>1</sup> |");
  expect(table).toContain("1. `echo-json`, panes: the program has no screen.");
});
