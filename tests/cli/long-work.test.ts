// Work that takes long shows life on a terminal: one line that says what is done and for how long, and is gone when something is
// said. Where nobody looks there is none of it. Ctrl-C in the middle says what to type.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { openTerminal, type Terminal } from "../helpers/operator.ts";

let tool: Rig;
const open: Terminal[] = [];
beforeAll(() => {
  tool = rig();
});
afterAll(async () => {
  for (const screen of open) screen.close();
  await tool.close();
});

const [first, ...rest] = shortest.implementer;
const slow = {
  ...shortest,
  implementer: [{ ...first, steps: [{ wait: "3s" }, ...(first?.steps ?? [])] }, ...rest],
};
/** On the base, in the worktree and on the checkout for the approval alike. */
const slowly = ["--setup", "sleep 3", "--test", "sleep 3; grep -q total src/cart.txt"];
const drawn = /made ready ·|^ {2}(?:setup|gate test|codex implementer) ·/m;

function sit(...words: string[]): Terminal {
  const screen = openTerminal(tool, words, { columns: 100, rows: 40 });
  open.push(screen);
  return screen;
}

it("setup, gates and turns each have their line, and none of them is left", async () => {
  await createScripted(tool, "slow", slow, ...slowly);
  const person = sit("start", "slow", "--headless");
  await person.sees(/^Setting up: sleep 3\n {2}the workspace is made ready · [12] s/m);
  await person.sees(/^ {2}setup · \d s/m);
  await person.sees(/^ {2}gate test · \d s/m);
  await person.sees(/^ {2}codex implementer · \d s · last sign \d s ago/m);
  const { code, screen } = await person.ends();
  expect(code).toBe(0);
  expect(screen).toContain("slow is READY_FOR_APPROVAL");
  expect(screen).not.toMatch(drawn);
}, 90_000);

it("Ctrl-C while the workspace is made leaves the bubble whole, and says how to come back", async () => {
  await createScripted(tool, "left", shortest, "--setup", "sleep 30");
  const person = sit("start", "left", "--headless");
  await person.sees("made ready · 1 s");
  person.presses("C-c");
  const { code, screen } = await person.ends();
  expect(code).not.toBe(0);
  expect(screen).toMatch(/nothing is lost \(start\.left\)\nHint: pairflow bubble start --id left\n/);
  expect(screen).not.toMatch(drawn);
}, 60_000);

it("where nobody looks there are results alone", async () => {
  await createScripted(tool, "piped", shortest, "--setup", "sleep 2");
  const { stdout, stderr } = await tool.run("start", "piped", "--headless");
  expect(stdout).toContain("piped is READY_FOR_APPROVAL");
  expect(stdout + stderr).not.toMatch(drawn);
  expect(stdout + stderr).not.toContain("\u001b");
}, 60_000);
