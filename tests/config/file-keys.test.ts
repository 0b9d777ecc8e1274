// Every key of the other files that people write: the project's configuration, gates and presets, SOPs, the pipeline and the
// settings of agents. The lists come from the schemas and readers; another value gives another result.
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { createAgentAdapters } from "../../src/adapters/agent/index.ts";
import { completeConfigValues } from "../../src/app/config/bubble-file.ts";
import { mergeDefaults, noProject, parseProjectConfig } from "../../src/app/config/project.ts";
import { buildCast } from "../../src/app/pipeline/cast.ts";
import { parsePipelineConfig } from "../../src/app/pipeline/config.ts";
import { loadWorkflowFile } from "../../src/app/workflows/file.ts";
import { buildUsualConfig } from "../../src/app/workflows/find.ts";
import { resolveDeclaredGates } from "../../src/core/gates/detect/declaration.ts";
import { Preset } from "../../src/core/gates/detect/preset.ts";
import { detect } from "../../src/core/gates/detect/proposal.ts";
import { DeclaredGates } from "../../src/core/gates/detect/yaml-gate.ts";
import { parseSopFile, SopSettings } from "../../src/core/knowledge/sop.ts";
import { addPrice } from "../../src/core/limits/budget.ts";
import { PipelineFile, players } from "../../src/core/model/pipeline-file.ts";
import { readPayloadSettings } from "../../src/core/paper/parts.ts";
import type { AgentAdapter, ConversationHost, TurnRequest } from "../../src/ports/agent/adapter.ts";
import { readers } from "./bubble-readers.ts";
import { keysOf, withValue } from "./keys.ts";

type Values = readonly [unknown, unknown];
const flags: Values = [true, false];

/** Another value at this key is seen in the result. */
function expectRead(
  see: (value: unknown) => unknown,
  start: unknown,
  key: string,
  [one, other]: Values,
): void {
  const result = (value: unknown) => JSON.stringify(see(withValue(start, key, value)));
  expect(result(one)).not.toBe(result(other));
}

const gateOptions = {
  command: ["a", "b"],
  required: flags,
  threshold: [70, 80],
  timeout: ["60s", "90s"],
  trigger: ["a/**", "b/**"],
  working_dir: ["a", "b"],
  parallel: flags,
  isolated: flags,
  report: ["a", "b"],
  install: ["a", "b"],
  success_pattern: ["a", "b"],
  failure_pattern: ["a", "b"],
  allow_empty: flags,
  network: ["on", "off"],
  needs: [["docker"], ["gpu"]],
} satisfies Record<string, Values>;

const gatesAt = (place: string): [string, Values][] =>
  Object.entries(gateOptions).map(([key, values]) => [`${place}.${key}`, values as Values]);

describe("every key under gates: of .pairflow/config.yaml", () => {
  const preset = v.parse(Preset, {
    name: "mine",
    files: ["mine.txt"],
    gates: [
      { name: "test", command: "run tests", required: true },
      { name: "lint", command: "run lint", required: false },
    ],
  });
  const start = {
    preset: "mine",
    overrides: [{ name: "test" }],
    additional: [{ name: "own", command: "own" }],
  };
  const see = (value: unknown) =>
    resolveDeclaredGates(v.parse(DeclaredGates, value), [preset], {
      files: ["mine.txt"],
      text: () => undefined,
    });
  const values: Readonly<Record<string, Values>> = {
    preset: ["mine", []],
    "overrides[].name": ["test", "lint"],
    "additional[].name": ["one", "two"],
    ...Object.fromEntries([...gatesAt("overrides[]"), ...gatesAt("additional[]")]),
  };
  const overriding = (key: string) =>
    key === "overrides[].name" ? withValue(start, "overrides[].command", "x") : start;

  it("is known here", () => {
    expect(keysOf(DeclaredGates).toSorted()).toEqual(Object.keys(values).toSorted());
  });
  it.each(Object.entries(values).filter(([key]) => key !== "preset"))("%s is read", (key, pair) =>
    expectRead(see, overriding(key), key, pair),
  );
  it("preset is read", () => {
    const { preset: _preset, ...without } = start;
    expect(JSON.stringify(see(start))).not.toBe(JSON.stringify(see({ ...without, overrides: [] })));
  });
});

describe("every key of a gate preset", () => {
  const base = (files: readonly string[], text = "{}") => ({ files, text: () => text });
  const start = {
    name: "mine",
    files: ["mine.txt"],
    words: [{ file: ["mine.txt"], say: { tool: "tool" } }],
    shown: [{ name: "shown", when: [{ file: ["mine.txt"] }] }],
    gates: [{ name: "test", command: "{{tool}}", required: true, when: [{ file: ["mine.txt"] }] }],
  };
  const packageJson = JSON.stringify({
    scripts: { test: "jest", lint: "eslint --fix" },
    dependencies: { jest: "1" },
  });
  const files = ["mine.txt", "package.json", "Makefile"];
  const see = (value: unknown) => detect([v.parse(Preset, value)], base(files, packageJson));
  const when = (place: string): [string, Values][] => [
    [`${place}.file`, [["mine.txt"], ["other.txt"]]],
    [`${place}.script`, ["test", "none"]],
    [`${place}.dependency`, ["jest", "none"]],
    [`${place}.mentions.text`, ["jest", "none"]],
    [`${place}.target`, ["test", undefined]],
    [`${place}.named`, [true, undefined]],
  ];
  const values: Readonly<Record<string, Values>> = {
    name: ["mine", "yours"],
    files: [["mine.txt"], ["other.txt"]],
    "words[].file": [["mine.txt"], ["other.txt"]],
    "words[].mentions.text": ["jest", "none"],
    "words[].say.*": ["a", "b"],
    "shown[].name": ["a", "b"],
    ...Object.fromEntries(when("shown[].when[]")),
    "gates[].name": ["a", "b"],
    ...Object.fromEntries([...gatesAt("gates[]"), ...when("gates[].when[]")]),
  };
  const elsewhere: Readonly<Record<string, string>> = {
    also: "a further name, by which a project may ask for it: tests/app/detect-declared.test.ts",
    stands_in: "compared with other presets: tests/app/detect.test.ts",
    tools: "mounted in the sandbox: src/app/world/sandbox.ts",
    caches: "mounted in the sandbox: src/app/world/sandbox.ts",
    "offline.*": "variables in the sandbox: src/app/world/sandbox.ts",
    "words[].mentions.in": "names the files that mentions.text is looked for in",
    "shown[].when[].mentions.in": "names the files that mentions.text is looked for in",
    "gates[].when[].mentions.in": "names the files that mentions.text is looked for in",
    "shown[].when[].checks": "belongs to script: tests/app/detect.test.ts",
    "gates[].when[].checks": "belongs to script: tests/app/detect.test.ts",
  };
  /** A shown name has no gate of its own, and a text is looked for in a file. */
  const around = (key: string): unknown => {
    if (key === "name") return { ...start, shown: [] };
    const place = key.slice(0, key.lastIndexOf(".mentions"));
    return key.includes(".mentions.")
      ? withValue(start, `${place}.mentions`, { in: ["package.json"], text: "x" })
      : start;
  };

  it("is known here", () => {
    const known = [...Object.keys(values), ...Object.keys(elsewhere)];
    expect(keysOf(Preset).toSorted()).toEqual(known.toSorted());
  });
  it.each(Object.entries(values))("%s is read", (key, pair) => expectRead(see, around(key), key, pair));
});

describe("every key of an SOP's frontmatter", () => {
  const see = (settings: unknown) =>
    parseSopFile({ file: ".pairflow/sops/a.md", settings, body: "# A\n\nDo it.\n" });
  const values: Readonly<Record<string, Values>> = {
    title: ["One", "Two"],
    category: ["sop", "guide"],
    severity: ["error", "warning"],
    applies_to: [["a/**"], ["b/**"]],
    requirements: [["One."], ["Two."]],
  };
  it("is known here", () => expect(keysOf(SopSettings).toSorted()).toEqual(Object.keys(values).toSorted()));
  it.each(Object.entries(values))("%s is read", (key, pair) => expectRead(see, {}, key, pair));
});

describe("every key of pipeline.config.json", () => {
  const see = (value: unknown) => {
    const config = parsePipelineConfig(JSON.stringify(value), "pipeline.config.json");
    const cast = buildCast(noProject, config, {});
    const { phases, steps } = loadWorkflowFile(
      "pipeline",
      { ...buildUsualConfig(), ...cast },
      {
        payload: { request: "x", settings: config.settings },
      },
    ).program;
    return [cast, phases, steps, readPayloadSettings({ payload: { settings: config.settings } } as never)];
  };
  const values: Readonly<Record<string, Values>> = {
    "autonomy.mode": ["ralph-loop", "simple"],
    "autonomy.planReviewLoopLimit": [3, 4],
    "autonomy.codeReviewLoopLimit": [3, 4],
    "ralphLoop.defaultMode": ["ralph-loop", "simple"],
    "ralphLoop.defaultMaxIterations": [3, 4],
    "ralphLoop.completionPromise": ["DONE", "READY"],
    ...Object.fromEntries(players.map((player) => [`agents.${player}`, ["gemini", "mine"]])),
    ...Object.fromEntries(players.map((player) => [`models.${player}`, ["large", "small"]])),
  };
  it("is known here", () => expect(keysOf(PipelineFile).toSorted()).toEqual(Object.keys(values).toSorted()));
  it.each(Object.entries(values))("%s is read", (key, pair) => expectRead(see, {}, key, pair));
});

describe("every default of .pairflow/config.yaml", () => {
  const own = { id: "cart", repo_path: "/shop", base_branch: "main", bubble_branch: "bubble/cart" };
  const read = (value: unknown) => parseProjectConfig(JSON.stringify(value), "config.yaml");
  const see = (value: unknown) => completeConfigValues(mergeDefaults(read(value), own));
  /** What is each bubble's own is refused, with the reason. */
  const isShared = (key: string, value: unknown) => {
    try {
      return Boolean(read(withValue({}, `defaults.${key}`, value)));
    } catch (error) {
      return !JSON.stringify(error).includes("each bubble's own");
    }
  };
  const shared = Object.entries(readers).filter(([key, { values }]) => isShared(key, values[0]));
  const needed = { commands: { any: { command: "x" } } };

  it("is most of the settings", () => expect(shared.length).toBeGreaterThan(35));

  it.each(shared.filter(([, { values }]) => !values.includes(undefined)))(
    "%s reaches a new bubble",
    (key, { values }) => {
      const start = key.startsWith("commands.*.") ? { defaults: needed } : {};
      expectRead(see, start, `defaults.${key}`, values);
    },
  );

  it("agents: how an agent is run", () => {
    expectRead(see, { agents: { codex: { adapter: "codex" } } }, "agents.codex.model", ["large", "small"]);
  });
});

describe("every setting of an agent", () => {
  const adapters = createAgentAdapters({ command: ["pairflow"] });
  const texts: Values = ["one", "two"];
  const values: Readonly<Record<string, Values>> = {
    args: [["--one"], ["--two"]],
    config: [["a=1"], ["a=2"]],
    max_turns: [3, 4],
    permission: ["deny", "allow"],
    effort: ["low", "high"],
  };
  /** Words that the rules and the composition root read, whatever the adapter. */
  const common: Readonly<Record<string, string>> = {
    adapter: "chooses the adapter",
    fallback: "chooses another agent: tests/core/limits/fallback.test.ts",
    variables: "hands variables on: tests/app/environment.test.ts",
    home: "is mounted in the sandbox: src/engine/turns/confine.ts",
    needs: "is asked of a machine: tests/machines/moves.test.ts",
    usd_per_million_input: "is tested below",
    usd_per_million_output: "is tested below",
  };
  /** Words whose reader is a conversation under way. */
  const inTalk: Readonly<Record<string, string>> = {
    "acp.permission": "answers a request: tests/adapters/agent-acp.test.ts",
    "acp.model": "chosen in the session: tests/adapters/agent-acp.test.ts",
    "acp.mode": "chosen in the session: tests/adapters/agent-acp.test.ts",
    "acp.read_only_mode": "chosen in the session: tests/adapters/agent-acp.test.ts",
    "codex.permission": "answers a wish: tests/adapters/agent-codex-wishes.test.ts",
    "claude.permission": "answers a request: tests/adapters/agent-claude-conversation.test.ts",
  };

  /** What an adapter looks at when it checks settings is what it knows. */
  function wordsOf(adapter: AgentAdapter): string[] {
    const seen = new Set<string>();
    const required: Record<string, unknown> = { adapter: adapter.name, command: "run", script: "play.json" };
    const own = Object.fromEntries(
      Object.entries(required).filter(([word]) => {
        const alone = { adapter: adapter.name, [word]: required[word] } as never;
        return !(adapter.check(alone) ?? "").includes(`has no setting ${word}`);
      }),
    );
    const watched = new Proxy(own, {
      get: (table, word) => {
        if (typeof word === "string") seen.add(word);
        return Reflect.get(table, word);
      },
    });
    adapter.check(watched as never);
    return [...seen];
  }

  const turn = (settings: object, more: Partial<TurnRequest>): TurnRequest => ({
    ...{
      settings: settings as TurnRequest["settings"],
      agent: "a",
      role: "implementer",
      session: "s",
      fresh: true,
    },
    ...{
      notice: "n",
      promptFile: "/p",
      prompt: "p",
      answerSchema: {},
      worktree: "/w",
      out: "/o",
      readOnly: false,
    },
    ...more,
  });

  function see(adapter: AgentAdapter, settings: object): unknown {
    return [true, false].map((fresh) => {
      const asked = turn(settings, { fresh });
      const sent: string[] = [];
      const headless = adapter.headless?.(asked);
      headless?.converse({ send: (line: string) => sent.push(line) } as unknown as ConversationHost);
      const { converse: _talk, ...process } = headless ?? {};
      const pane = adapter.noPane?.(settings as never) === undefined ? adapter.launch?.(asked) : "no pane";
      return { pane, process, sent, resumes: adapter.resumes?.(settings as never, "pane") };
    });
  }

  const all = Object.values(adapters).flatMap((adapter) =>
    wordsOf(adapter).map((word) => ({ adapter, word })),
  );

  it("is found", () => expect(all.length).toBeGreaterThan(30));

  it.each(
    all
      .filter(({ adapter, word }) => !common[word] && !inTalk[`${adapter.name}.${word}`])
      .map(({ adapter, word }) => [`${adapter.name}.${word}`, adapter, word] as const),
  )("%s is read", (_name, adapter, word) => {
    const start = { adapter: adapter.name, command: "run", script: "/play.json" };
    const sandbox: Values = adapter.name === "codex" ? ["read-only", "danger-full-access"] : ["on", "off"];
    const pair = word === "sandbox" ? sandbox : (values[word] ?? texts);
    const result = (value: unknown) => JSON.stringify(see(adapter, { ...start, [word]: value }));
    expect(result(pair[0])).not.toBe(result(pair[1]));
  });

  it("rates are read", () => {
    const cost = (rates: object) => addPrice({ input: 10, output: 10 }, { adapter: "x", ...rates } as never);
    const rates = { usd_per_million_input: 1, usd_per_million_output: 1 };
    expect(cost({ ...rates, usd_per_million_input: 2 })).not.toEqual(cost(rates));
    expect(cost({ ...rates, usd_per_million_output: 2 })).not.toEqual(cost(rates));
  });
});
