// `pairflow ui` as the page on it shows it: two words, and an address that opens one page.
import { expect, it } from "vitest";
import { rig } from "../acceptance/rig.ts";
import { openTerminal } from "../helpers/operator.ts";
import { expectShown } from "../helpers/shown.ts";

it("says two words and the address, and ends with Ctrl-C", async () => {
  const tool = rig();
  const desk = openTerminal(tool, ["ui"]);
  try {
    const screen = await desk.sees(/\/open#\S+\n/);
    const words = /^([a-z]+-[a-z]+)$/m.exec(screen)?.[1] ?? "";
    expectShown("docs/page.md", "$ pairflow ui", screen.replace(words, "calm-otter"));
    desk.presses("C-c");
    expect((await desk.ends()).code).toBe(0);
  } finally {
    desk.close();
    await tool.close();
  }
});
