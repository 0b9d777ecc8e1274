// What counts as a request to a pipeline, and what is refused before an agent is started for it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readRequest } from "../../src/cli/pipeline/request.ts";

const folder = mkdtempSync(join(tmpdir(), "pairflow-request-"));
afterAll(() => rmSync(folder, { recursive: true }));

const said = (...words: string[]) => readRequest(words, undefined, folder);
const filed = (text: string) => {
  writeFileSync(join(folder, "request.md"), text);
  return readRequest([], "request.md", folder);
};
const refused = (ask: () => unknown): unknown => {
  try {
    return ask();
  } catch (error) {
    return error;
  }
};

describe("a request", () => {
  it("is a sentence in any script, in one word of the shell or in several, or a file", () => {
    expect(said("Tell the total")).toBe("Tell the total");
    expect(said("Tell", "the", "total")).toBe("Tell the total");
    expect(said("税金を含む合計を表示する")).toBe("税金を含む合計を表示する");
    expect(filed("Tell\nthe total\n")).toBe("Tell\nthe total\n");
  });

  it("is none without words: then the state is shown", () => {
    expect(said()).toBeUndefined();
  });

  it.each([
    ["stauts", "pairflow pipeline status"],
    ["recovr", "pairflow pipeline recover"],
    ["Authentication", 'pairflow pipeline "what is wanted"'],
  ])("is not the one word %s", (word, hint) => {
    expect(refused(() => said(word))).toMatchObject({ code: "pipeline.one-word", hint });
  });

  it.each([
    ["task.empty", () => said("")],
    ["task.empty", () => filed(" \n")],
    ["task.not-text", () => filed("a\0b")],
    ["task.too-large", () => filed("x ".repeat(60_000))],
    ["task.unreadable", () => readRequest([], "nothing-here.md", folder)],
    ["usage.contradiction", () => readRequest(["Do it"], "request.md", folder)],
  ])("is refused as %s", (code, ask) => expect(refused(ask)).toMatchObject({ code }));
});
