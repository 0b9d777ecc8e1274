// The list of everything that settings run, and what makes two entries the same.
import { describe, expect, it } from "vitest";
import { completeConfigValues } from "../../../src/app/config/bubble-file.ts";
import type { Gate } from "../../../src/core/model/gate.ts";
import { getProgramKey, listUnknownPrograms, renderProgram } from "../../../src/core/trust/program.ts";
import { listTrustedPrograms } from "../../../src/core/trust/programs.ts";

const config = (over: object = {}) =>
  completeConfigValues({
    ...{ id: "b1", repo_path: "/shop", base_branch: "main", bubble_branch: "bubble/b1" },
    agents: { implementer: "codex", reviewer: "claude" },
    ...over,
  });
const gate = (name: string, command: string, over: Partial<Gate> = {}): Gate => ({
  ...{ name, command, required: true, timeout_seconds: 60 },
  ...over,
});
const listed = (over: object, gates: readonly Gate[] = []) =>
  listTrustedPrograms({ config: config(over), gates }).map(({ setting, runs }) => `${setting}: ${runs}`);

describe("what settings run", () => {
  it("is nothing where only adapters, models and our own defaults are named", () => {
    expect(listed({ agent: { codex: { adapter: "codex", model: "o4" } } })).toEqual([]);
  });

  it.each([
    ["setup", { setup: "npm ci" }, "setup: npm ci"],
    ["open_command", { open_command: "code {{worktree_path}}" }, "open_command: code {{worktree_path}}"],
    ["a notification", { notifications: { command: "notify" } }, "notifications.command: notify"],
    ["a sound", { notifications: { converged_sound: "a.wav" } }, "notifications.converged_sound: a.wav"],
    ["a command of the settings", { commands: { lint: "eslint ." } }, "gate lint: eslint ."],
    [
      "an agent with all its settings but adapter and model",
      { agent: { codex: { adapter: "command", command: "sh a.sh", variables: ["TOKEN"], model: "x" } } },
      'agent codex: command · command = "sh a.sh" · variables = ["TOKEN"]',
    ],
  ])("has %s", (_what, over, line) => {
    expect(listed(over)).toEqual([line]);
  });

  it("has the filters of git that may run, by name", () => {
    expect(listed({ git_filters: ["lfs"] })).toContain("filter lfs: filter=lfs of your git configuration");
  });

  it("has gates with the folder they run in, each once, and no agent that plays no role", () => {
    const gates = [gate("test", "npm test"), gate("api", "npm test", { working_dir: "api" })];
    const other = { zed: { adapter: "command", command: "zed" } };
    expect(listed({ commands: { test: "npm test" }, agent: other }, gates)).toEqual([
      "gate test: npm test",
      "gate api: npm test (in api)",
    ]);
  });

  it("leaves out the checks of a document, which are our own", async () => {
    const { buildDocumentGates: documentGates } = await import("../../../src/core/document/gates.ts");
    const over = { kind: "document", document: "docs/a.md" };
    expect(listed(over, [...documentGates("docs/a.md"), gate("links", "lychee .")])).toEqual([
      "gate links: lychee .",
    ]);
  });

  it("has a script of the repository with its content", () => {
    const agent = { codex: { adapter: "scripted", script: "tools/a.yaml" } };
    const runs = (hash: string) =>
      listTrustedPrograms({ config: config({ agent }), gates: [], fileHash: () => hash })[0]?.runs;
    expect(runs("a".repeat(64))).not.toBe(runs("b".repeat(64)));
  });
});

describe("two entries", () => {
  it("are the same whatever gate or agent they belong to, and not across kinds", () => {
    const key = (setting: string) => getProgramKey({ setting, runs: "npm test" });
    expect(key("gate test")).toBe(key("gate unit"));
    expect(key("gate test")).not.toBe(key("setup"));
    expect(listUnknownPrograms([{ setting: "setup", runs: "x" }], new Set([key("setup")]))).toHaveLength(1);
  });

  it("are shown with what a screen would hide", () => {
    expect(renderProgram({ setting: "setup", runs: "true\u001b[2K\nrm -rf /" })).toContain("\\u001b");
  });
});
