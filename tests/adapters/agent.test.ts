// Every agent adapter against the one contract.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { agentAdapters } from "../../src/adapters/agent/index.ts";
import { agentContract } from "../../src/testing/agent-contract.ts";
import type { AgentRig } from "../../src/testing/agent-rig.ts";
import type { Exception } from "../../src/testing/contract.ts";
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
  runContract(`adapter ${name}`, agentContract(make, { exceptions }));

test("every adapter runs the contract", () => {
  expect(Object.keys(rigs).sort()).toEqual(Object.keys(agentAdapters({ command: ["pairflow"] })).sort());
});

test("the contract speaks the port's own sentences", () => {
  const port = readFileSync(new URL("../../src/ports/agent.ts", import.meta.url), "utf8");
  const text = port.replaceAll(/\n \* {2,}/g, " ");
  const written = [...text.matchAll(/^ \* ([AC]\d .*)$/gm)].map((match) => match[1] ?? "");
  const spoken = new Set(agentContract(commandRig).map((one) => one.promise));
  expect(written.length).toBeGreaterThan(2);
  for (const promise of written) expect([...spoken]).toContain(promise);
});
