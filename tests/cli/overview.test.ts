// The first screen and the list at 80 by 24 with thirty bubbles: what needs a person is on it, and titles can be read.
import { describe, expect, it } from "vitest";
import type { HomeView } from "../../src/app/doctor/first-screen.ts";
import type { ListedBubble } from "../../src/app/record/listing.ts";
import { renderHome } from "../../src/cli/render/overview/home.ts";
import { renderList } from "../../src/cli/render/overview/list.ts";
import { measureWidth } from "../../src/cli/terminal/style.ts";

const now = "2026-03-01T12:00:00.000Z";
const screen = { now, colour: false, width: 80, height: 24 };

function made(number: number): ListedBubble {
  const state = number % 10 === 7 ? "WAITING_HUMAN" : number % 2 === 0 ? "RUNNING" : "CREATED";
  const id = `a-rather-long-name-of-a-bubble-${String(number).padStart(2, "0")}`;
  const isRunning = state === "RUNNING";
  return {
    id,
    driven: isRunning,
    summary: {
      id,
      state,
      round: state === "CREATED" ? 0 : 2,
      max_rounds: 8,
      open_findings: isRunning ? 3 : 0,
      inbox: state === "WAITING_HUMAN" ? 1 : 0,
      title: `Make part ${number} of the shop work`,
      ...(isRunning
        ? { active_agent: "codex", active_role: "implementer", active_since: "2026-03-01T11:50:00.000Z" }
        : {}),
    },
  } as unknown as ListedBubble;
}

const bubbles = Array.from({ length: 30 }, (_, i) => made(i));

describe("the list at 80 columns", () => {
  const lines = renderList(bubbles, { hidden: 0, plans: [] }, screen).split("\n");

  it("has a head, what waits first, and fits", () => {
    expect(lines[0]).toMatch(/^bubble +state +round +task$/);
    expect(lines.slice(1, 4).map((line) => /asks you/.test(line))).toEqual([true, true, true]);
    expect(lines.filter((line) => measureWidth(line) > 80)).toEqual([]);
  });

  it("keeps the titles", () => {
    expect(lines[1]).toBe("a-rather-long-name-of-a…  asks you      2/8    Make part 7 of the shop work");
    expect(lines.find((line) => line.includes("part 12 "))).toContain("codex 10 min");
    expect(lines.filter((line) => /Make part \d+ of the shop work$/.test(line))).toHaveLength(30);
  });

  it("says that none is in a state, not that there is none", () => {
    const said = renderList([], { hidden: 0, plans: [], state: "FAILED" }, screen);
    expect(said).toBe("No bubble is FAILED: pairflow bubble list --all shows all of them");
  });
});

describe("the first screen at 80 by 24", () => {
  const inbox = bubbles
    .filter(({ summary }) => (summary?.inbox ?? 0) > 0)
    .map(({ id }) => ({
      bubble: id,
      kind: "question",
      text: "Keep the old route?",
      at: now,
      command: `pairflow bubble reply --id ${id} --message "…"`,
    }));
  const view = {
    repo: { name: "shop", branch: "main", changed: 0 },
    agents: [],
    bubbles,
    inbox,
    uncommitted_plans: [],
    initialised: true,
  } as unknown as HomeView;
  const lines = renderHome(view, "1.0", screen).split("\n");

  it("shows all that needs a person, some of the rest, and how to see it all", () => {
    expect(lines.length).toBeLessThan(24);
    expect(lines.filter((line) => line.includes("pairflow bubble reply"))).toHaveLength(3);
    expect(lines.join("\n")).toMatch(/running\n.*\n.*and \d+ more: pairflow bubble list\n/s);
    expect(lines.at(-1)).toMatch(/and 11 more: pairflow bubble list --state CREATED$/);
  });

  it("keeps titles beside the longest id there can be, and counts the lines its command is broken into", () => {
    const long = { ...made(2), id: "a-very-long-id-of-sixty-three-characters-which-is-the-most-that" };
    const fresh = Array.from({ length: 30 }, (_, i) => ({ ...made(i * 2 + 1), driven: false }));
    const created = [long, ...fresh].map((one) => ({
      ...one,
      summary: { ...one.summary, state: "CREATED" },
    }));
    const all = renderHome({ ...view, inbox: [], bubbles: created } as unknown as HomeView, "1.0", screen);
    const heights = all.split("\n").map((line) => Math.max(1, Math.ceil(measureWidth(line) / 80)));
    expect(heights.reduce((sum, one) => sum + one, 0)).toBeLessThan(24);
    expect(all).toContain("    a-very-long-id-of-sixty…   Make part 2 of the shop work");
    expect(all).toContain(
      "      pairflow bubble start --id a-very-long-id-of-sixty-three-characters-which-is-the-most-that",
    );
  });

  it("cuts nothing where nobody has a screen", () => {
    const whole = renderHome(view, "1.0", { ...screen, width: Infinity, height: Infinity });
    expect(whole).not.toContain("more:");
  });
});
