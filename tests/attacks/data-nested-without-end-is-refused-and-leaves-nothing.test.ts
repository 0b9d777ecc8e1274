// Files and flags are data from outside. What is nested without end is told to whoever gave it, with exit code 2, wherever
// it comes in; and a creation that is refused leaves no folder, no branch and no line.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deepest, isDeepValue, isTooDeep, parseJson } from "../../src/core/text/json.ts";
import { type Ran, rig } from "../acceptance/rig.ts";
import { approves, configure } from "../cli/workflow-scene.ts";

const tool = rig();
afterAll(() => tool.close());

const lists = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const flow = `id: w\nname: W\nversion: "1"\nsteps: ${lists(3000)}\n`;

beforeAll(() => {
  configure(tool, { codex: [approves], claude: [approves] });
  tool.write("lists.json", `{"a":${lists(20_000)}}`);
  tool.write("objects.json", objects(5000));
  tool.write("just.json", `{"a":${lists(deepest)}}`);
  tool.write("huge.json", JSON.stringify({ words: "x".repeat(700_000) }));
  tool.write("deep.yaml", flow);
});

/** A refusal in the caller's own words: no bug, no stack, nothing of a library. */
function isUsage({ code, stderr }: Ran, what: RegExp): void {
  expect(stderr).toMatch(what);
  expect(stderr).not.toMatch(/bug|call stack|RangeError| at /);
  expect(code).toBe(2);
}

const nested = /nested deeper than 100 levels/;
const nothingThere = () => {
  expect(existsSync(join(tool.repo, ".pairflow", "bubbles"))).toBe(false);
  expect(tool.git("branch", "--list", "bubble/*")).toBe("");
  expect(tool.git("for-each-ref", "refs/pairflow")).toBe("");
};

describe("a run of a workflow", () => {
  const run = (...more: string[]) =>
    tool.run("workflow", "run", "pair", "--id", "w1", "--task", "x", "--test", "true", ...more);

  it.each(["lists.json", "objects.json", "just.json"])(
    "with a payload such as %s is refused",
    async (file) => {
      isUsage(await run("--payload", file), nested);
      nothingThere();
    },
  );

  it("with such a value behind --set is refused", async () => {
    isUsage(await run("--set", `a=${lists(9000)}`), nested);
    nothingThere();
  });

  it("with a payload that does not fit the record is refused", async () => {
    const { code, stderr } = await run("--payload", "huge.json");
    expect(stderr).toMatch(/create\.too-large/);
    expect(code).toBe(1);
    nothingThere();
  });

  it("of such a workflow is refused, and so is its check", async () => {
    isUsage(
      await tool.run("workflow", "run", "deep.yaml", "--id", "w1", "--task", "x", "--test", "true"),
      nested,
    );
    isUsage(await tool.run("workflow", "validate", "deep.yaml"), nested);
    nothingThere();
  });
});

describe("such a file of", () => {
  it("the project's settings is refused by name", async () => {
    const own = ".pairflow/config.yaml";
    tool.write(own, `${tool.git("show", `HEAD:${own}`)}\ngates: ${lists(3000)}\n`);
    tool.git("commit", "-q", "-m", "deep settings", own);
    const ran = await tool.run("bubble", "create", "--id", "c1", "--task", "x", "--test", "true");
    tool.git("reset", "-q", "--hard", "HEAD~1");
    isUsage(ran, nested);
    nothingThere();
  });

  it("one bubble is refused by name, and the bubble stays as it was", async () => {
    await tool.ok("bubble", "create", "--id", "b1", "--task", "x", "--test", "true");
    const file = join(tool.repo, ".pairflow", "bubbles", "b1", "bubble.toml");
    for (const levels of [200, 5000]) {
      writeFileSync(file, `x = ${lists(levels)}\n`);
      isUsage(await tool.run("bubble", "start", "--id", "b1", "--headless"), nested);
    }
    expect(tool.log("b1")).toHaveLength(1);
  });

  it("findings, papers and package parts is refused by name", async () => {
    const agent = tool.with({ PAIRFLOW_TURN: "b1:t1.1:secret", PAIRFLOW_REPO: tool.repo });
    for (const flag of ["--findings-file", "--paper", "--package-file"])
      isUsage(await agent.run("pass", "--summary", "x", flag, "lists.json"), nested);
  });
});

describe("the bound", () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 6 }, fc.string(), fc.integer(), tie("list"), tie("table")),
    list: fc.array(tie("any"), { maxLength: 4 }),
    table: fc.dictionary(fc.string(), tie("any"), { maxKeys: 4 }),
  })).any;

  it("does not touch ordinary JSON, whatever its texts hold", () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(parseJson(JSON.stringify(one))).toEqual(JSON.parse(JSON.stringify(one)));
        expect(isDeepValue(one)).toBe(false);
      }),
    );
    const words = JSON.stringify({ a: `${"[".repeat(500)}\\" ${"{".repeat(500)}` });
    expect(isTooDeep(words)).toBe(false);
  });

  it("is the same for a text and for its value", () => {
    for (const levels of [deepest - 1, deepest, deepest + 1, deepest + 50]) {
      for (const text of [lists(levels), objects(levels)])
        expect([levels, isTooDeep(text), isDeepValue(JSON.parse(text))]).toEqual([
          levels,
          levels > deepest,
          levels > deepest,
        ]);
    }
  });
});
