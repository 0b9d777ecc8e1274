// Sentences at 80 columns break between words; a command to paste is left whole, and what nobody sees on a terminal is not touched.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measureWidth, wrapSentences } from "../../src/cli/terminal/style.ts";
import { type Rig, rig, shortest } from "../acceptance/rig.ts";
import { openTerminal, runHeadless, type Terminal } from "../helpers/operator.ts";

describe("sentences", () => {
  it("break between words, each line on its own, two further in than they begin", () => {
    expect(wrapSentences("one two three four\n  five six seven eight", 12)).toBe(
      "one two\n  three four\n  five six\n    seven\n    eight",
    );
    expect(wrapSentences("\u001b[2m    one two three\u001b[0m", 12)).toBe(
      "\u001b[2m    one two\n      three\u001b[0m",
    );
  });

  it("leave commands whole, wherever they stand", () => {
    for (const line of [
      "Next: pairflow bubble start --id a-long-name",
      "  git merge bubble/a-long-name-of-a-branch",
      "Hint: npm install -g @openai/codex",
      "\u001b[36m  gh pr create --base main --head x\u001b[0m",
    ])
      expect(wrapSentences(line, 20)).toBe(line);
  });

  it("count wide characters twice, and leave what is no terminal alone", () => {
    const lines = wrapSentences("購物車 的總額 沒有考慮 折扣", 12).split("\n");
    expect(lines.filter((line) => measureWidth(line) > 12)).toEqual([]);
    for (const width of [0, Number.POSITIVE_INFINITY])
      expect(wrapSentences("one two three", width)).toBe("one two three");
  });
});

describe("at 80 columns", () => {
  const id = "the-total-of-the-cart-is-wrong-where-taxes-are-several";
  const title =
    "The total of the cart is wrong where there are several taxes, and a discount is taken off twice";
  let tool: Rig;
  let screen: Terminal | undefined;
  beforeAll(async () => {
    tool = rig();
    await runHeadless(tool, id, shortest, "--task", title);
  });
  afterAll(async () => {
    screen?.close();
    await tool.close();
  });

  const show = async (...words: string[]) => {
    screen?.close();
    screen = openTerminal(tool, words, { columns: 80, rows: 40 });
    return screen;
  };

  it("a status shows its gates and its whole task", async () => {
    const { screen: text } = await (await show("status")).ends();
    expect(text.split("\n").slice(0, 2)).toEqual([
      `${id}   READY_FOR_APPROVAL`,
      "  round 2 of 8   gates ✓ test (clean checkout)",
    ]);
    expect(text.replace(/\n +/g, " ")).toContain(`task     ${title}`);
    expect(text).not.toContain("…");
  });

  it("an approval has its digest on a line of its own, and says which bubble is meant", async () => {
    const person = await show("approve");
    const text = await person.sees("[q]uit");
    expect(text).toContain(`${id} is meant: the only bubble\n  that is READY_FOR_APPROVAL\n`);
    expect(text).toMatch(new RegExp(`^${id} asks for approval\\n  digest ( ?\\w{4}){3} · head \\d+ · `, "m"));
    person.presses("q");
  });

  it("a new bubble is told without a broken word", async () => {
    const words = ["create", title, "--no-tests", "--reason", "none", "--yes"];
    const { screen: text } = await (await show(...words)).ends();
    expect(text).toMatch(/^Created \S+: branch\n {2}bubble\/\S+ from main \(\w{7}\)$/m);
  });
});
