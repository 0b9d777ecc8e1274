// .pairflow/config.yaml: the project's defaults are held to bubble.toml's rules, and flags win over them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { completeConfigValues } from "../../src/app/config/bubble-file.ts";
import {
  mergeDefaults,
  parseProjectConfig,
  projectFile,
  readProjectConfig,
} from "../../src/app/config/project.ts";
import { findPackageRoot } from "../../src/app/host/package-root.ts";
import { linesOf, thrownBy } from "./thrown.ts";

const read = (text: string) => parseProjectConfig(text, projectFile);
const own = { id: "cart", repo_path: "/shop", base_branch: "main", bubble_branch: "bubble/cart" };

describe(".pairflow/config.yaml", () => {
  it("is read through the given reader, and may be absent or empty", async () => {
    const asked: string[] = [];
    const none = await readProjectConfig(async (path) => {
      asked.push(path);
      return undefined;
    });
    expect(none).toEqual({ agents: {}, defaults: {} });
    expect(asked).toEqual([".pairflow/config.yaml"]);
    expect(read("# nothing yet\n")).toEqual(none);
    expect(read("agents:\ndefaults:\n")).toEqual(none);
  });

  it("takes every setting that makes sense for a whole project", () => {
    const text = `agents:
  codex: { adapter: codex, model: gpt-5, env: { A: b } }
defaults:
  agents: { implementer: codex, reviewer: claude }
  work_mode: clone
  watchdog_timeout_minutes: 7.5
  turn_timeout_minutes: 45
  max_rounds: 4
  setup: npm ci
  open_command: code {{worktree_path}}
  reviewer_context_mode: persistent
  reviewer_sees_summary: true
  require_document: true
  commands: { test: make check }
  scope: { do_not_touch: ["*.lock"] }
  severity: { core_paths: ["src/core/**"] }
  notifications: { enabled: false }
`;
    const config = completeConfigValues(mergeDefaults(read(text), own));
    expect(config).toMatchObject({
      agent: { codex: { adapter: "codex", model: "gpt-5", env: { A: "b" } } },
      work_mode: "clone",
      watchdog_timeout_minutes: 7.5,
      commands: { test: "make check" },
      scope: { in: [], out: [], do_not_touch: ["*.lock"] },
      severity: { core_paths: ["src/core/**"], core_areas: ["core-logic", "security", "data-integrity"] },
      notifications: { enabled: false },
    });
  });

  it.each([
    ["", { max_tokens: 5_000_000, max_minutes: 240 }],
    ["defaults: { budget: { max_usd: 20 } }", { max_tokens: 5_000_000, max_minutes: 240, max_usd: 20 }],
    [
      "defaults: { budget: { max_tokens: 9000, max_minutes: off } }",
      { max_tokens: 9000, max_minutes: "off" },
    ],
  ])("%j: a new bubble has the default budget, key by key", (text, budget) => {
    expect(completeConfigValues(mergeDefaults(read(text), own)).budget).toEqual(budget);
  });

  it("accepts the example of the README, budget included", () => {
    const readme = readFileSync(join(findPackageRoot(), "README.md"), "utf8");
    const [example = ""] = [...readme.matchAll(/```yaml\n(agents:[\s\S]*?)```/g)].map((match) => match[1]);
    const { agents, defaults } = parseProjectConfig(example, "README.md");
    expect(Object.keys(agents)).toContain("codex");
    expect(defaults.budget).toEqual({ max_tokens: 2000000, max_usd: 20, max_minutes: 120 });
  });

  it.each([
    ["defalts: {}", "config.unknown-key", "1:1: there is no key defalts; did you mean defaults?"],
    [
      "defaults:\n  max_ronds: 3",
      "config.unknown-key",
      "2:3: there is no default max_ronds; did you mean max_rounds?",
    ],
    ["defaults: { id: x }", "config.unknown-key", "1:13: id is each bubble's own"],
    ["defaults: { quality_mode: strict }", "config.unknown-key", "1:13: quality_mode is each bubble's own"],
    [
      "defaults:\n  max_rounds: many",
      "config.bad-value",
      '2:15: defaults.max_rounds must be a whole number from 1 to 1000, not "many"',
    ],
    [
      "defaults:\n  require_document: yes",
      "config.bad-value",
      '2:21: defaults.require_document must be true or false, not "yes"',
    ],
    ["defaults:\n  setup:", "config.bad-value", "2:9: defaults.setup must be a command line, not nothing"],
    [
      "defaults:\n  scope:\n    inn: []",
      "config.unknown-key",
      "3:5: there is no setting defaults.scope.inn; did you mean in?",
    ],
    [
      "defaults:\n  scope:\n    in:\n      - src\n      - 4",
      "config.bad-value",
      "5:9: defaults.scope.in[1] must be a glob",
    ],
    ["agents:\n  codex: { model: x }", "config.missing-key", "2:3: agents.codex.adapter is missing"],
    ["agents:\n  codex: { adapter: x, model: }", "config.bad-value", "2:31: agents.codex.model must be text"],
    [
      "agents:\n  codex: [adapter, x]",
      "config.bad-value",
      "2:10: agents.codex must be a table with an adapter, not a list",
    ],
    ["agents: codex", "config.bad-value", "1:9: agents must be tables"],
    ["- agents", "config.bad-value", "the file must be a table of settings, not a list"],
    ["defaults: []", "config.bad-value", "1:11: defaults must be a table of settings, not an empty list"],
    ["agents: {}\nagents: {}", "config.syntax", "2:1: this key is there twice"],
    ["agents: {", "config.syntax", "1:"],
    ["agents: !odd {}", "config.syntax", "1:9: a tag (!name) that is not known here"],
    ["a: 1\n---\nb: 2", "config.syntax", "2:"],
  ])("refuses %j", (text, code, message) => {
    const error = thrownBy(() => read(text));
    expect(error.code).toBe(code);
    expect(error.message.replace(`${projectFile}: `, "")).toContain(message);
    expect(error.message).toContain(projectFile);
  });

  it("takes in another table with <<, and says what is wrong with it where it is written", () => {
    const shared = "agents:\n  a: &base { adapter: codex, model: x }\n  b: { <<: *base, model: y }";
    expect(read(shared)).toMatchObject({ agents: { b: { adapter: "codex", model: "y" } } });
    expect(thrownBy(() => read(`${shared}\n  c: { <<: *base, adapter: 5 }`)).message).toContain(
      "4:28: agents.c.adapter",
    );
  });

  it("names every problem at once", () => {
    const error = thrownBy(() =>
      read("foo: 1\nagents: { a: { adapter: 1 } }\ndefaults: { setup: 1, kind: document }\n"),
    );
    expect(linesOf(error)).toHaveLength(4);
  });
});

describe("flags over defaults", () => {
  const project = read(`agents:
  deep: { adapter: claude, model: opus }
  fast: { adapter: codex }
  idle: { adapter: codex }
defaults:
  agents: { implementer: fast, reviewer: deep }
  max_rounds: 4
  scope: { in: ["src/**"], out: ["docs/**"] }
`);

  it("win key by key", () => {
    const merged = mergeDefaults(project, {
      ...own,
      max_rounds: 9,
      scope: { in: ["web/**"] },
      agents: { reviewer: "claude" },
    });
    expect(merged).toMatchObject({
      ...own,
      max_rounds: 9,
      scope: { in: ["web/**"], out: ["docs/**"] },
      agents: { implementer: "fast", reviewer: "claude" },
    });
  });

  it("bring along how an agent is run only for agents that play a role", () => {
    expect(mergeDefaults(project, own).agent).toEqual({
      deep: { adapter: "claude", model: "opus" },
      fast: { adapter: "codex" },
    });
    expect(mergeDefaults(project, { ...own, agents: { reviewer: "idle" } }).agent).toEqual({
      fast: { adapter: "codex" },
      idle: { adapter: "codex" },
    });
  });

  it("leave the specification's pair where nobody says otherwise", () => {
    expect(mergeDefaults({ agents: {}, defaults: {} }, own).agents).toEqual({
      implementer: "codex",
      reviewer: "claude",
    });
  });
});
