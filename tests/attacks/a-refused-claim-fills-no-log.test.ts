// An agent that continues claiming what is refused, or whose CLI never rests, leaves a bounded number of lines in each turn.
import { describe, expect, it } from "vitest";
import { maxHookLines, maxWarnings } from "../../src/core/limits/warning-limit.ts";
import type { Command } from "../../src/core/model/command.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { pair, underReview } from "../core/pair.ts";

/** The bubble after a hundred tries. */
function afterHundred(scene: Scenario, make: (n: number) => Command): Scenario {
  let now = scene;
  for (let n = 0; n < 100; n += 1) now = now.after(now.tries(make(n)));
  return now;
}

describe("a hundred refused claims in one turn", () => {
  it("by the turn's own agent leave twenty lines, the last of which says so", () => {
    const scene = underReview().atWork();
    const after = afterHundred(scene, () => scene.converged());
    expect(after.state.seq - scene.state.seq).toBe(maxWarnings);
    expect(after.state.warnings).toMatchObject({
      count: maxWarnings,
      last: { message: expect.stringContaining("further refused claims are not written down") },
    });
    after.tries(after.converged()).refuses("convergence.no-alternation").leaves([]);
  });

  it("by a session whose turn is over leave twenty lines", () => {
    const scene = underReview().atWork();
    const stale = { kind: "agent", turn: "t1", attempt: 1, capability: "another" } as const;
    const after = afterHundred(scene, (n) => ({
      ...{ type: "pass", actor: stale, digest: `d${n}`, summary: "again" },
    }));
    expect(after.state.seq - scene.state.seq).toBe(maxWarnings);
  });

  it("do not keep the next turn's warnings off the record", () => {
    const scene = pair().started().atWork();
    const noisy = afterHundred(scene, () => scene.converged());
    expect(noisy.state.warnings.count).toBe(maxWarnings);
    const next = noisy.implements("T1").atWork();
    expect(next.state.turnCount).toBeGreaterThan(noisy.state.turnCount);
    next
      .tries(next.converged())
      .refuses("convergence.no-alternation")
      .leaves([{ type: "WARNING" }]);
  });
});

describe("a hundred events of a CLI's hooks in one turn", () => {
  it("leave a bounded number of sessions and dialogs, and a dialog that closed is never shown as open", () => {
    const scene = pair().started().atWork();
    const { id: turn = "", attempt = 0 } = scene.state.turn ?? {};
    const actor = { kind: "driver", id: "d1" } as const;
    const after = afterHundred(scene, (n) =>
      n % 3 === 0
        ? { type: "turn-session", actor, turn, attempt, session: `s${n}` }
        : { type: "turn-waiting", actor, turn, attempt, what: n % 3 === 1 ? `dialog ${n}` : null },
    );
    const lines = after.state.seq - scene.state.seq;
    expect(lines).toBeGreaterThanOrEqual(maxHookLines);
    expect(lines).toBeLessThanOrEqual(maxHookLines + 1);
    expect(after.state.turn?.waitsFor).toBeUndefined();
  });
});
