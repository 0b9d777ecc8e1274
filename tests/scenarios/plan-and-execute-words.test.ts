// What the agents of plan-and-execute are told: rules once and within the budget, and a rejection in words.
import { describe, expect, it } from "vitest";
import { bad, fixed, flags, good, play, right, wrong } from "./plan-scene.ts";
import { id } from "./scene.ts";
import { approves, cart, developerAndReviewer, patience, rejects } from "./steps-scene.ts";

const convention = (name: string, day: string, chars: number) =>
  JSON.stringify({
    name,
    pattern: `${name} holds. ${"x".repeat(chars)}`,
    applies_to: ["src/**"],
    accepted_by: "Tester",
    accepted_at: day,
  });

const files = {
  ".pairflow/sops/money.md":
    '---\napplies_to: ["src/**"]\nrequirements:\n  - Totals are whole numbers\n---\n# Money\n\nTotals are whole.\n',
  ".pairflow/conventions.ndjson": [
    convention("Older habit", "2026-01-01", 700),
    convention("Newer habit", "2026-02-01", 300),
    "",
  ].join("\n"),
};

const answered = {
  sop_id: "source.doc.sops.money",
  status: "passed",
  evidence: `${cart}:1 total: 2 is a whole number`,
  violations: [],
};

describe("a reviewer's prompt that refers to SOPs and conventions", { timeout: patience }, () => {
  it("has them once, within review.context_chars, and none that was left out", async () => {
    const config = `${developerAndReviewer}  review: { context_chars: 1000 }\n`;
    const scene = play(
      { dev: [right], rev: [approves({ ...good, over: { sop_review: [answered] } })] },
      { config, files },
    );
    expect((await scene.plays(...flags)).state).toBe("READY_FOR_APPROVAL");
    const [prompt = ""] = scene.prompts("rev");
    expect(prompt.split("Totals are whole.")).toHaveLength(2);
    expect(prompt.split("Newer habit holds.")).toHaveLength(2);
    expect(prompt).not.toContain("Older habit holds.");
    expect(prompt).toContain('left out for lack of room: the convention "Older habit"');
    expect(prompt).toMatch(
      /## Applicable SOPs\n\nsource\.doc\.sops\.money: told under "SOPs you must answer for" below/,
    );
    expect(prompt).toMatch(/## Conventions\n\ntold under "Conventions of this project" below/);
    const told = /## SOPs you must answer for\n\n([\s\S]*?)\n\n## Not told here/.exec(prompt)?.[1] ?? "";
    expect(told.length).toBeGreaterThan(300);
    expect(told.length).toBeLessThanOrEqual(1000 + "## Conventions of this project".length + 4);
  });
});

describe("a rejection", { timeout: patience }, () => {
  it("is why the developer has another turn, and why the round continued", async () => {
    const scene = play({ dev: [wrong(1), right], rev: [rejects("fixable", bad), approves(fixed)] });
    expect((await scene.plays(...flags)).state).toBe("READY_FOR_APPROVAL");
    const again = scene.prompts("dev")[1] ?? "";
    expect(again).toMatch(
      /## Why it is your turn\n\nrev rejected it \(fixable\): The total is three and must be two/,
    );
    expect(again).not.toContain("is on the record");
    const told = await scene.tool.ok("explain", "--id", id);
    expect(told).toContain(
      "round 1 continued: rev rejected it (fixable): The total is three and must be two",
    );
  });
});
