// One bubble of real CLIs that moves from panes to headless and back between turns: the producer continues in the session
// it had, whichever way it was started, and the critic begins anew.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { Said } from "../models/model.ts";
import { handoff, type Play, playing, review, turnOf, wrongTotal } from "./bubble-rig.ts";
import { answers, type Bubble, clis, id, setsTotal, staged } from "./bubble-stage.ts";

/** A tool of Pairflow's MCP server, as both CLIs name it. */
const tool = (name: string, input: object): Said => ({ calls: [{ tool: `mcp__pairflow__${name}`, input }] });
const rests: Said = { text: "My turn is over." };
const done = handoff("The total is set");
const { area: _area, ...finding } = wrongTotal;

/** The gate holds the bubble between two turns as long as this file stands. */
const held = (folder: string) => join(folder, "held");
const gate = (folder: string) => `while [ -e '${held(folder)}' ]; do sleep 0.1; done`;

/** How often something was handed over that goes through the gate. */
const handovers = (log: readonly Envelope[]) =>
  log.filter(({ type, payload }) => type === "STEP_ADVANCED" && payload.to === "gates").length;

/** Waits until the given handover has been taken and the gate holds the bubble, then moves it and lets it continue. */
async function moves(bubble: Bubble, handover: number, ...where: string[]): Promise<void> {
  await bubble.until((log) => handovers(log) === handover, `handover ${handover}`);
  await bubble.tool.ok("bubble", "resume", "--id", id, ...where);
  await bubble.until(
    (log) => log.filter(({ type }) => type === "DRIVER_CLAIMED").length === handover + 1,
    `a driver after ${where.join(" ")}`,
  );
  rmSync(held(bubble.tool.folder));
}

describe.concurrent("a bubble of real CLIs moves between turns", { timeout: 240_000 }, () => {
  test.for(clis)("from panes to headless and back, and %s keeps its session", async (cli) => {
    const other = cli === "codex" ? "claude" : "codex";
    let folder = "";
    /** From here on the gate holds whatever is handed over. */
    const holding = (line: Said) => () => {
      writeFileSync(held(folder), "");
      return line;
    };
    const second = { ...finding, title: "No tax", quote: "total: 4" };
    const play: Play = {
      "implementer 1": [
        setsTotal(cli, 3),
        holding(tool("pass", { summary: "Set", package: done.package })),
        rests,
      ],
      "reviewer 1": [holding(answers(other, review("Wrong", { findings: [wrongTotal], checked: [] })))],
      "implementer 2": [setsTotal(cli, 4), answers(cli, handoff("F1 is fixed"))],
      "reviewer 2": [
        holding(
          tool("submit_review", {
            summary: "Still",
            findings: [second],
            answers: [{ id: "F1", status: "fixed" }],
          }),
        ),
        rests,
      ],
      "implementer 3": [setsTotal(cli, 2), tool("pass", { summary: "F2 is fixed" }), rests],
    };
    await using bubble = await staged({
      implementer: cli,
      reviewer: other,
      test: gate,
      model: playing(play),
    });
    folder = bubble.tool.folder;
    await bubble.tool.ok("bubble", "start", "--id", id);
    await moves(bubble, 1, "--headless", "--detach");
    await moves(bubble, 2, "--tmux");
    await bubble.until((log) => handovers(log) === 3, "the third handover");

    expect(bubble.all("DRIVER_CLAIMED").map(({ seat }) => seat)).toEqual(["tmux", "process", "tmux"]);
    expect(
      bubble
        .all("TURN_STARTED")
        .map(({ agent, seat, fresh }) => `${agent} ${seat} ${fresh ? "fresh" : "resumed"}`),
    ).toEqual([
      `${cli} tmux fresh`,
      `${other} process fresh`,
      `${cli} process resumed`,
      `${other} tmux fresh`,
      `${cli} tmux resumed`,
    ]);
    // The session of the third round knows all three prompts, the first and the last by their notices.
    const last = bubble.asked().filter((asked) => turnOf(asked) === "implementer 3")[0];
    const known = last?.texts.flatMap(
      (text) => /^(# total|\[pairflow\] total)\W+round (\d)/.exec(text)?.slice(1, 3) ?? [],
    );
    expect(known).toEqual(["[pairflow] total", "1", "# total", "2", "[pairflow] total", "3"]);
    expect(bubble.ends()).toEqual([]);
  });
});
