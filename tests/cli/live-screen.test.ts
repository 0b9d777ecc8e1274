// The screen that stays, in a real terminal: a person moves, looks, answers and approves on it, whatever the size of the terminal
// and whatever comes in above the chosen row; and the rules for its rows.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ScreenRow } from "../../src/cli/render/overview/screen-row.ts";
import {
  drawRows,
  findChosen,
  listChoices,
  listFooter,
  moveChoice,
} from "../../src/cli/screens/live-rows.ts";
import { parseKeys } from "../../src/cli/terminal/keys.ts";
import { type Rig, rig, shortest } from "../acceptance/rig.ts";
import { openTerminal, runHeadless, type Terminal } from "../helpers/operator.ts";

const row = (bubble: string, item?: string): ScreenRow => ({ text: `${bubble}   waits`, bubble, item });
const rows = [{ text: "head" }, row("a", "q1"), row("a", "q2"), row("b"), { text: "foot" }];
const choices = listChoices(rows);

describe("what is chosen", () => {
  it("is in the order of the rows, one for each thing that a bubble asks", () => {
    expect(choices.map(({ bubble, item }) => [bubble, item])).toEqual([
      ["a", "q1"],
      ["a", "q2"],
      ["b", undefined],
    ]);
  });

  it("moves by letters, arrows of both kinds, pages and ends, and stays inside the list", () => {
    const press = (at: number, key: string) => moveChoice(choices, choices[at], key, 4)?.at;
    for (const key of ["j", "\u001b[B", "\u001bOB"]) expect([press(0, key), press(2, key)]).toEqual([1, 2]);
    for (const key of ["k", "\u001b[A", "\u001bOA"]) expect([press(1, key), press(0, key)]).toEqual([0, 0]);
    for (const key of ["G", "\u001b[F", "\u001b[6~"]) expect(press(0, key)).toBe(2);
    for (const key of ["g", "\u001b[H", "\u001b[5~"]) expect(press(2, key)).toBe(0);
    expect(press(1, "z")).toBe(1);
    expect(moveChoice([], undefined, "j", 24)).toBeUndefined();
  });

  it("stays with its bubble when another one comes in above it, or its question is answered", () => {
    const chosen = choices[1];
    expect(findChosen(listChoices([row("new"), ...rows]), chosen)).toMatchObject({ item: "q2", at: 2 });
    expect(findChosen(listChoices([row("new"), row("a", "q1")]), chosen)).toMatchObject({
      bubble: "a",
      at: 1,
    });
    expect(findChosen(listChoices([row("x"), row("y")]), chosen)).toMatchObject({ bubble: "y" });
    expect(findChosen([], chosen)).toBeUndefined();
  });
});

describe("what is drawn", () => {
  it("points at the chosen row alone, though another one begins with the same words", () => {
    const marks = drawRows(rows, choices[1], 10).map((line) => line.slice(0, 2));
    expect(marks).toEqual(["  ", "  ", "› ", "  ", "  "]);
    expect(drawRows(rows, undefined, 10).every((line) => line.startsWith("  "))).toBe(true);
  });

  it("scrolls so that all lines of the chosen row are there, from the first", () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ text: `row ${i}\ncommand ${i}`, bubble: `b${i}` }));
    const drawn = drawRows(many, listChoices(many)[25], 10);
    expect(drawn).toHaveLength(10);
    expect(drawn).toContain("› row 25");
    expect(drawn).toContain("  command 25");
    expect(drawRows(many, listChoices(many)[25], 1)).toEqual(["› row 25"]);
    expect(drawRows(many, listChoices(many)[0], 100)).toHaveLength(60);
  });

  it("says how to leave at any width", () => {
    for (const width of [20, 50, 80, 200]) {
      const lines = listFooter(true, width);
      expect(lines.at(-1)).toContain("q leave");
      expect(lines.filter((line) => line.length > width)).toEqual([]);
    }
    expect(listFooter(true, 80)).toHaveLength(1);
    expect(listFooter(false, 80)).toEqual(["  q leave"]);
  });

  it("takes keys that arrive together one by one", () => {
    expect(parseKeys("jj\u001b[Bk\u001bOAq")).toEqual(["j", "j", "\u001b[B", "k", "\u001bOA", "q"]);
    expect(parseKeys("\u001b[6~é")).toEqual(["\u001b[6~", "é"]);
  });
});

describe("in a terminal", () => {
  let tool: Rig;
  let screen: Terminal;
  const long = "a-very-long-id-of-sixty-three-characters-which-is-the-most-that";
  const wide = "購物車的總額沒有考慮折扣,這是一個非常長的標題,需要很多字符才能完全顯示出來";

  beforeAll(async () => {
    tool = rig();
    for (const [id, title] of [
      [long, "A long name"],
      ["middle", wide],
    ])
      await tool.ok("create", title ?? "", "--id", id ?? "", "--no-tests", "--reason", "none", "--yes");
    await runHeadless(tool, "zebra", shortest);
  });
  afterAll(async () => {
    screen.close();
    await tool.close();
  });

  it("one moves, looks and approves on it, and the first screen is back when it is left", async () => {
    screen = openTerminal(tool, ["home", "--watch"], { columns: 80, rows: 24 });
    expect(await screen.sees("q leave")).toMatch(/needs you\n› {5}zebra +approve/);

    screen.presses("j");
    await screen.sees(/^› {5}a-very-long-id-of-sixty…/m);
    screen.presses("j");
    await screen.sees(/^› {5}middle +購物車/m);
    screen.presses("Enter");
    expect(await screen.sees("any key goes back")).toContain("$ pairflow bubble status --id middle");
    screen.presses("x");
    await screen.sees(/^› {5}middle/m);

    // Two keys at once, and a smaller terminal in which the chosen row must be seen.
    screen.presses("k", "k");
    await screen.sees(/^› {5}zebra/m);
    screen.resizes(60, 10);
    const small = await screen.sees(/^ {2}t attach/m);
    expect(small.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
    expect(small).toMatch(/^› {5}zebra/m);
    screen.resizes(80, 24);

    // Ctrl-C in a command that the screen runs ends that command alone.
    screen.presses("a");
    await screen.sees("[q]uit");
    screen.presses("C-c");
    await screen.sees("any key goes back");
    screen.presses("x");
    await screen.sees("q leave");

    screen.presses("a");
    await screen.sees(/\[q\]uit *\n*$/);
    screen.types("a");
    const asked = await screen.sees(/sign: *\n*$/);
    screen.types(/Digest \w+…(\w{4})/.exec(asked)?.[1] ?? "");
    await screen.sees(/Approved zebra[\s\S]*any key goes back/);
    expect((await tool.status("zebra")).state).toBe("APPROVED_FOR_COMMIT");
    screen.presses("x");
    expect(await screen.sees("q leave")).toMatch(/^› {5}zebra +commit/m);

    screen.presses("q");
    const ended = await screen.ends();
    expect(ended.code).toBe(0);
    // What the commands printed stays; the screen itself does not.
    expect(ended.screen).toContain("Approved zebra");
    expect(ended.screen).not.toContain("q leave");
  }, 120_000);
});
