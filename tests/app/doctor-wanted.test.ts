// Which agents the doctor looks at, and how bad it is when one is missing.
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ProjectConfig } from "../../src/app/config/project.ts";
import { noProject } from "../../src/app/config/project.ts";
import { listWantedAgents } from "../../src/app/doctor/agents/wanted.ts";
import type { BubbleConfig } from "../../src/core/model/config.ts";
import { configOf } from "../core/pair.ts";
import { type Bench, openBench, probing } from "./doctor-rig.ts";

let bench: Bench;
beforeEach(() => {
  bench = openBench();
});
afterEach(() => bench.close());

/** The names with how bad their absence is. */
function wanted(project: ProjectConfig, bubbles: readonly BubbleConfig[] = []): string[] {
  const probe = (name: string) => ({ program: `${bench.bin}/${name}`, versionArgs: [], install: "x" });
  const adapters = {
    claude: probing("claude", probe("claude")),
    codex: probing("codex", probe("codex")),
    singer: probing("singer", probe("singer")),
  };
  return listWantedAgents(bench.repo, { project, bubbles }, adapters).map(
    ({ name, status }) => `${name}: ${status}`,
  );
}

const bubble = (more: Partial<BubbleConfig>) =>
  configOf({ id: "fix-cart", agents: { implementer: "codex", reviewer: "claude" }, ...more });

it("without configuration the usual pair, whose absence stops nobody", () => {
  expect(wanted(noProject)).toEqual(["agent codex: warning", "agent claude: warning"]);
});

it("what the project configures or binds to a role is needed", () => {
  const agents = { codex: { adapter: "codex", model: "large" } };
  expect(wanted({ agents, defaults: {} })).toEqual(["agent codex: error", "agent claude: warning"]);
  expect(wanted({ agents: {}, defaults: { agents: { reviewer: "claude" } } })).toEqual([
    "agent codex: warning",
    "agent claude: error",
  ]);
});

it("an agent that takes over for another is needed too", () => {
  const agents = { codex: { adapter: "codex", fallback: "singer" } };
  expect(wanted({ agents, defaults: {} })).toEqual([
    "agent codex: error",
    "agent claude: warning",
    "agent singer: error",
  ]);
});

it("what a bubble that continues uses is needed, once for each way it is run", () => {
  expect(wanted(noProject, [bubble({})])).toEqual(["agent codex: error", "agent claude: error"]);
  const own = bubble({ agent: { codex: { adapter: "codex", model: "small" } } });
  expect(wanted(noProject, [own, { ...own, id: "other" }])).toEqual([
    "agent codex: warning",
    "agent claude: error",
    "agent codex (fix-cart): error",
  ]);
});

it("any other agent that could be run here without configuration is looked at when it is here", () => {
  bench.program("singer", "exit 0");
  expect(wanted(noProject)).toEqual([
    "agent codex: warning",
    "agent claude: warning",
    "agent singer: warning",
  ]);
});
