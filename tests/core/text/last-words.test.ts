// What is left of a screen when its program has ended: lines that say why, and nothing that was drawn or that we wrote.
import { describe, expect, it } from "vitest";
import { extractLastLines } from "../../../src/core/text/last-lines.ts";

const notice =
  "[pairflow] fix-cart, round 1: you are the implementer. Read /repo/prompts/t1.1-codex.md and do what it says; answer with pass.";

describe("the last words of a program", () => {
  it("are whole lines, the newest that there is room for", () => {
    const long = Array.from({ length: 40 }, (_, i) => `line ${i} of its work`).join("\n");
    const kept = extractLastLines(`${long}\nError: no such model\n`, 70);
    expect(kept).toBe("line 38 of its work\nline 39 of its work\nError: no such model");
  });

  it("have no frames, spinners, colours, titles and repeated lines", () => {
    const screen = [
      "\u001b]0;codex\u0007\u001b[?25l\u001b[2J\u001b[1;1H╭──────╮",
      "\u001b[2;1H│ ⠋ │\u001b[3;1H╰──────╯\u001b[5;3H\u001b[31mError:\u001b[1Cout of credit\u001b[0m",
      "\u001b[6;1H│ ⠙ │\u001b[5;3HError: out of credit\u001b[K",
      "\u001b[7;1H›\u001b[?2004l\u001b(B",
    ].join("\r\n");
    expect(extractLastLines(screen, 400)).toBe("Error: out of credit");
  });

  it("are not the notice we started it with, however the screen breaks it", () => {
    const broken = notice.replace(/(.{30})/g, "$1\r\n  ");
    expect(extractLastLines(`> ${broken}\r\nSegmentation fault`, 400, notice)).toBe("Segmentation fault");
    expect(extractLastLines(`> ${broken}`, 400, notice)).toBe("");
  });
});
