// Every agent adapter against the one contract.
import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { createAgentAdapters } from "../../src/adapters/agent/index.ts";
import { replaceAgentsTable } from "../../src/cli/docs/agents.ts";
import type { AgentSettings } from "../../src/core/model/config.ts";
import { buildAgentContract } from "../../src/testing/agent/contract.ts";
import type { AgentRig } from "../../src/testing/agent/rig.ts";
import type { Exception } from "../../src/testing/contracts/contract.ts";
import { acpRig, commandRig, scriptedRig } from "./agent-rigs.ts";
import { claudeRig, codexRig } from "./cli-rigs.ts";
import { runContract } from "./run-contract.ts";

const rigs: Readonly<Record<string, { make(): Promise<AgentRig>; exceptions?: readonly Exception[] }>> = {
  claude: { make: claudeRig },
  codex: { make: codexRig },
  acp: { make: acpRig },
  command: { make: commandRig },
  scripted: {
    make: scriptedRig,
    exceptions: [{ promise: "C3", because: "it hands over by the verbs, so there is no answer to pass on" }],
  },
};

for (const [name, { make, exceptions = [] }] of Object.entries(rigs))
  runContract(`adapter ${name}`, buildAgentContract(make, { exceptions }));

test("every adapter runs the contract", () => {
  expect(Object.keys(rigs).sort()).toEqual(
    Object.keys(createAgentAdapters({ command: ["pairflow"] })).sort(),
  );
});

test("the contract speaks the port's own sentences", () => {
  const port = readFileSync(new URL("../../src/ports/agent/adapter.ts", import.meta.url), "utf8");
  const text = port.replaceAll(/\n \* {2,}/g, " ");
  const written = [...text.matchAll(/^ \* ([AC]\d .*)$/gm)].map((match) => match[1] ?? "");
  const spoken = new Set(buildAgentContract(commandRig).map((one) => one.promise));
  expect(written.length).toBeGreaterThan(2);
  for (const promise of written) expect([...spoken]).toContain(promise);
});

const page = readFileSync(new URL("../../docs/agents.md", import.meta.url), "utf8");
const adapters = createAgentAdapters({ command: ["pairflow"] });

test("the table of docs/agents.md is as `npm run docs` writes it", () => {
  const made = replaceAgentsTable(page, Object.values(adapters));
  expect(made === page, "docs/agents.md is old; write it again with: npm run docs").toBe(true);
  for (const name of Object.keys(adapters)) expect(page).toContain(`\n| \`${name}\` |`);
});

test("a page without a place for the table is refused", () => {
  expect(() => replaceAgentsTable("# Agents", [])).toThrow("no place for the table");
});

test("every example of the page is accepted by its adapter", () => {
  const examples = [...page.matchAll(/```toml\n([\s\S]*?)```/g)].map((match) => parse(match[1] ?? ""));
  const given = examples.flatMap(({ agent = {} }) => Object.values(agent as Record<string, AgentSettings>));
  expect(given.length).toBeGreaterThan(2);
  for (const settings of given) expect(adapters[settings.adapter]?.check(settings)).toBeUndefined();
});

test.each(Object.entries(rigs))("docs/agents.md explains every setting of %s", async (name, { make }) => {
  const { settings } = await make();
  const section = page.split(`\n## ${name}\n`)[1]?.split("\n## ")[0] ?? "";
  const explained = name === "scripted" ? "`script`" : section;
  for (const word of Object.keys(settings).filter((one) => one !== "adapter"))
    expect(explained).toContain(`\`${word}\``);
});
