// The file that `bubble create` writes says all there is to say and reads back as the same configuration.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeConfigValues, parseBubbleToml, renderBubbleToml } from "../../src/app/config/bubble-file.ts";
import { locateTomlKeys } from "../../src/app/files/toml-places.ts";
import type { BubbleConfig } from "../../src/core/model/config.ts";

const word = fc
  .stringMatching(/^[a-z][a-z0-9_-]{0,12}$/)
  .filter((text) => !(text in {}) && text !== "prototype");
const line = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const globs = fc.array(line, { maxLength: 3 });
const minutes = fc.oneof(fc.integer({ min: 1, max: 10_080 }), fc.double({ min: 0.5, max: 100, noNaN: true }));
const free = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.boolean(),
    fc.integer(),
    line,
    fc.constant(""),
    tie("list"),
    tie("table"),
  ),
  list: fc.array(tie("value"), { maxLength: 3 }),
  table: fc.dictionary(fc.oneof(word, line), tie("value"), { maxKeys: 3, noNullPrototype: true }),
}));
const settings = fc
  .dictionary(word, free.value, { maxKeys: 3, noNullPrototype: true })
  .map((own) => ({ adapter: "scripted", ...own, ...("adapter" in own ? { adapter: "x" } : {}) }));

const command = fc.oneof(
  line,
  fc.record(
    { command: line, required: fc.boolean(), timeout: fc.constant(30), trigger: fc.constant(["src/**"]) },
    { requiredKeys: ["command"] },
  ),
);

const configs = fc.record(
  {
    id: fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,20}$/),
    repo_path: line.map((text) => `/${text}`),
    base_branch: line,
    bubble_branch: line,
    work_mode: fc.constantFrom("worktree", "clone"),
    kind: fc.constantFrom("implementation", "document"),
    reviewer_context_mode: fc.constantFrom("fresh", "persistent"),
    reviewer_sees_summary: fc.boolean(),
    watchdog_timeout_minutes: minutes,
    turn_timeout_minutes: minutes,
    max_rounds: fc.integer({ min: 1, max: 1000 }),
    open_command: line,
    try_command: line,
    setup: line,
    implements: word,
    require_document: fc.boolean(),
    agents: fc.dictionary(word, word, { maxKeys: 4, noNullPrototype: true }),
    agent: fc.dictionary(fc.oneof(word, fc.constant("gpt.5")), settings, {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    commands: fc.dictionary(fc.oneof(word, fc.constant("e2e:web")), command, {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    scope: fc.record({ in: globs, out: globs, do_not_touch: globs }, { requiredKeys: [] }),
    severity: fc.record({ core_paths: globs, core_areas: globs }, { requiredKeys: [] }),
    notifications: fc.record(
      { enabled: fc.boolean(), waiting_human_sound: line, converged_sound: line, command: line },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ["id", "repo_path", "base_branch", "bubble_branch", "agents"] },
);

const plain = (): BubbleConfig =>
  completeConfigValues({
    id: "cart",
    repo_path: "/work/shop",
    base_branch: "main",
    bubble_branch: "bubble/cart",
    agents: { implementer: "codex", reviewer: "claude" },
  });

describe("the rendered bubble.toml", () => {
  it("reads back as the same configuration, to the order of its keys", () => {
    fc.assert(
      fc.property(configs, (values) => {
        const config = completeConfigValues(values);
        const again = parseBubbleToml(renderBubbleToml(config), "bubble.toml");
        expect(again).toEqual(config);
        // The record compares settings as JSON, so their order counts.
        expect(JSON.stringify(again)).toBe(JSON.stringify(config));
      }),
      { numRuns: 300 },
    );
  });

  it("lists the specification's fields in the specification's order", () => {
    const words = [...renderBubbleToml(plain()).matchAll(/^(?:# )?\[?(\w+)\]?(?: =|$)/gm)].map(
      ([, key]) => key,
    );
    const seed = [
      ...[
        "id",
        "repo_path",
        "base_branch",
        "bubble_branch",
        "work_mode",
        "quality_mode",
        "reviewer_context_mode",
      ],
      ...["watchdog_timeout_minutes", "max_rounds", "commit_requires_approval", "open_command", "agents"],
      ...["implementer", "reviewer", "commands", "test", "notifications", "enabled"],
      ...["waiting_human_sound", "converged_sound"],
    ];
    expect(words.filter((key) => seed.includes(key ?? ""))).toEqual(seed);
  });

  it("says of every setting what it is for", () => {
    const bare = renderBubbleToml(plain())
      .split(/^\[agents\]/m)[0]
      ?.split("\n")
      .filter((text) => text.includes(" = ") && !text.includes(" # "));
    expect(bare).toEqual([]);
  });

  it("writes a table only once it holds something, and shows how otherwise", () => {
    expect(renderBubbleToml(plain())).toContain('\n# [agent.codex]\n# adapter = "codex"\n');
    const text = renderBubbleToml({ ...plain(), agent: { "gpt.5": { adapter: "command", argv: ["x"] } } });
    expect(text).toContain('\n[agent."gpt.5"]\nadapter = "command"\nargv = ["x"]\n');
  });
});

describe("places in TOML", () => {
  it("finds every setting of any rendered file on the line that spells it", () => {
    fc.assert(
      fc.property(configs, (values) => {
        const config = completeConfigValues(values);
        const text = renderBubbleToml(config);
        const places = locateTomlKeys(text);
        const lines = text.split("\n");
        for (const [table, inside] of Object.entries({ ...config.agent })) {
          for (const key of Object.keys(inside)) {
            const spot = places(["agent", table, key], "key");
            expect(lines[(spot?.line ?? 0) - 1]?.startsWith(`${key} = `)).toBe(true);
          }
        }
        for (const key of Object.keys(config.commands)) {
          const spot = places(["commands", key], "key");
          expect(lines[(spot?.line ?? 0) - 1]?.replaceAll('"', "").startsWith(`${key} = `)).toBe(true);
        }
        expect(places(["notifications", "enabled"], "value")?.line).toBe(
          lines.findIndex((found) => found.startsWith("enabled = ")) + 1,
        );
      }),
      { numRuns: 100 },
    );
  });

  const text = `# a = 1
a.b = """
c = 2
"""  # x = 1
"c\\u0020d" = { e = 1, 'f.g' = [ "]", # ]
  3 ] }
when = 1979-05-27 07:32:00
[h.i] # j
k = 'l # m'
[[n]]
o = 1
[[n]]
o = 2
[n.p]
q = [[1], [2,
3]]
`;
  it.each([
    [["a"], "2:1"],
    [["a", "b"], "2:1"],
    [["c"], undefined],
    [["c d"], "5:1"],
    [["c d", "e"], "5:16"],
    [["c d", "f.g"], "5:23"],
    [["c d", "f.g", 1], "6:3"],
    [["when"], "7:1"],
    [["h", "i", "k"], "9:1"],
    [["n", 0, "o"], "11:1"],
    [["n", 1, "o"], "13:1"],
    [["n", 1, "p", "q"], "15:1"],
    [["n", 1, "p", "q", 1, 1], "16:1"],
    [["h", "i", "nothing"], "8:1"],
  ])("%j stands at %s", (path, place) => {
    const spot = locateTomlKeys(text)(path, "key");
    expect(spot && `${spot.line}:${spot.column}`).toBe(place);
  });
});
