// The panes at the size of the terminal: the status stays readable at 80×24, and follows a resize both ways.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createScripted, oneLoop, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { openTerminal } from "../helpers/operator.ts";
import { expectShown } from "../helpers/shown.ts";
import { facts, first, screen, sees, status, tmux } from "./panes.ts";

let tool: Rig;
const id = "sizes";
beforeAll(async () => {
  tool = rig();
  await createScripted(tool, id, {
    ...shortest,
    implementer: [{ role: "implementer", steps: [{ say: "at work" }, { hang: true }] }],
  });
  await tool.ok("bubble", "start", "--id", id);
  await sees(tool, id, first, "at work");
}, 60_000);
afterAll(async () => {
  await tool.run("bubble", "stop", "--id", id);
  await tool.close();
});

const resize = (columns: number, rows: number) =>
  tmux(tool, "resize-window", "-t", `=pf-${id}:`, "-x", String(columns), "-y", String(rows));
const sizes = () =>
  facts(tool, id, "#{pane_width} #{pane_height}").map((line) => line.split(" ").map(Number));

const terminals = [
  [200, 49],
  [80, 23],
  [120, 39],
  [80, 23],
  [200, 49],
] as const;

it.each(terminals)("at %i columns and %i rows the panes have their share", async (columns, rows) => {
  resize(columns, rows);
  await expect.poll(() => sizes()[0]?.[1], { timeout: 20_000 }).toBe(Math.max(8, Math.floor(rows * 0.3)) - 1);
  const [top, left, right] = sizes();
  expect(top?.[0]).toBe(columns);
  expect(top?.[1]).toBeGreaterThanOrEqual(6);
  expect((left?.[0] ?? 0) + (right?.[0] ?? 0)).toBe(columns - 1);
  expect(left?.[1]).toBe(right?.[1]);
  const text = await sees(tool, id, status, /now +codex · implementer[^\n]*watchdog in \d:\d\d/);
  expect(text).toMatch(new RegExp(`^${id} +RUNNING +round 1 of 8`));
  await sees(tool, id, status, /last +\d\d:\d\d:\d\d +\S/);
  const lines = screen(tool, id, status).trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(top?.[1] ?? 0);
});

it("a pane that a person has zoomed stays zoomed", async () => {
  tmux(tool, "resize-pane", "-Z", "-t", `=pf-${id}:0.${first}`);
  resize(100, 30);
  await expect.poll(() => sizes()[first], { timeout: 20_000 }).toEqual([100, 29]);
  expect(facts(tool, id, "#{window_zoomed_flag}")[0]).toBe("1");
  tmux(tool, "resize-pane", "-Z", "-t", `=pf-${id}:0.${first}`);
  expect(sizes()[status]).toEqual([100, 8]);
});

it("a terminal of 80 columns and 24 rows shows all three", async () => {
  const fixing = { role: "implementer", steps: [{ say: "fixing F1" }, { hang: true }] };
  const turns = { ...oneLoop, implementer: [oneLoop.implementer[0], fixing] };
  await createScripted(tool, "fix-cart", turns);
  await tool.ok("bubble", "start", "--id", "fix-cart");
  const desk = openTerminal(tool, ["bubble", "attach", "--id", "fix-cart"], { columns: 80, rows: 24 });
  try {
    const all = /now +codex · implementer[^\n]*last sign[\s\S]*open +F1[\s\S]*fixing F1[\s\S]*ended/;
    expectShown("docs/agents.md", "── status ──", await desk.sees(all));
  } finally {
    desk.close();
    await tool.run("bubble", "stop", "--id", "fix-cart");
  }
});
