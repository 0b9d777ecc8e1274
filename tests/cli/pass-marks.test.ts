// What a pass says beside its words: the checkpoint a producer has reached, the score a judge gives, the paper an author
// hands in. By flag and by tool.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pass } from "../../src/cli/commands/agent/pass.ts";
import type { Shell } from "../../src/cli/verb/declaration.ts";
import { parseArguments } from "../../src/cli/verb/parse.ts";
import { tools } from "../../src/mcp/tools.ts";

const shell: Shell = {
  name: "pairflow",
  cwd: "/nowhere",
  env: {},
  json: false,
  say: () => undefined,
  print: () => undefined,
  colour: false,
  interactive: false,
};

/** The trouble of a typed pass; outside of a repository nothing but its flags can be looked at. */
const typed = async (...flags: string[]) =>
  pass.run(shell, parseArguments(pass, ["--summary", "s", ...flags])).catch((error: unknown) => error);

const called = (given: object) => {
  const tool = tools.find(({ name }) => name === "pass");
  return tool?.read({ summary: "s", ...given }).claim;
};

describe("a score", () => {
  it.each(["1.01", "-0.1", "80"])("of %s is refused with the form it must have", async (score) => {
    expect(await typed(`--score=${score}`)).toEqual({
      usage: true,
      code: "usage.bad-score",
      message: `--score ${Number(score)} is not from 0 to 1`,
      hint: "--score 0.9",
    });
    expect(() => called({ score: Number(score) })).toThrow(
      expect.objectContaining({ code: "usage.bad-arguments", message: expect.stringMatching(/score/) }),
    );
  });

  it("must be a number", () => {
    expect(() => parseArguments(pass, ["--summary", "s", "--score", "high"])).toThrow(
      expect.objectContaining({ code: "usage.bad-number" }),
    );
  });

  it.each([0, 0.85, 1])("of %d is taken", async (score) => {
    expect(await typed("--score", String(score))).not.toHaveProperty("usage");
    expect(called({ score, checkpoint: null })).toEqual({ type: "pass", summary: "s", score });
  });
});

describe("a checkpoint", () => {
  it("needs a name that is not too long", async () => {
    for (const name of [" ", "x".repeat(201)]) {
      expect(await typed(`--checkpoint=${name}`)).toMatchObject({ code: "usage.bad-checkpoint" });
      expect(() => called({ checkpoint: name })).toThrow(
        expect.objectContaining({ code: "usage.bad-arguments" }),
      );
    }
    expect(await typed("--checkpoint", "schema agreed")).not.toHaveProperty("usage");
    expect(called({ checkpoint: " schema agreed " })).toEqual({
      type: "pass",
      summary: "s",
      checkpoint: "schema agreed",
    });
  });
});

describe("a paper", () => {
  const written = (text: string, use: (file: string) => Promise<void>) => {
    const folder = mkdtempSync(join(tmpdir(), "paper-"));
    writeFileSync(join(folder, "paper.json"), text);
    return use(join(folder, "paper.json")).finally(() => rmSync(folder, { recursive: true }));
  };

  it.each(["{", "[]", "null", '"a plan"'])("is a JSON object, not %s", async (text) => {
    await written(text, async (file) => {
      expect(await typed("--paper", file)).toMatchObject({
        usage: true,
        code: "usage.bad-paper-file",
        message: expect.stringContaining(`${file}: `),
        hint: expect.stringContaining("pairflow schema"),
      });
    });
    expect(() => called({ paper: text })).toThrow(expect.objectContaining({ code: "usage.bad-arguments" }));
  });

  it("that is not there is said so", async () => {
    expect(await typed("--paper", "gone.json")).toMatchObject({ code: "usage.bad-paper-file" });
  });

  it("is handed in as it is written", async () => {
    await written('{"title": "Sign in"}', async (file) => {
      expect(await typed("--paper", file)).not.toHaveProperty("usage");
    });
    expect(called({ paper: { title: "Sign in", scope: null } })).toEqual({
      type: "pass",
      summary: "s",
      paper: { title: "Sign in" },
    });
  });
});
