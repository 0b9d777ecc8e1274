// From a topic to a commit on the real CLIs: a planner that is held up, killed and misunderstood, a task that is cut anew,
// and the same run in panes, where the planner asks a person.
import { describe, expect, test } from "vitest";
import type { Said } from "../models/model.ts";
import { handsIn } from "../models/papers.ts";
import { handoff } from "./bubble-rig.ts";
import { never } from "./bubble-stage.ts";
import { judges } from "./pipeline-rig.ts";
import { answers, does, piece, type StoryRig, seen, storyRig, verdict } from "./story-rig.ts";

const id = "totals";
const refining = `${id}-t1-plan-refinement`;
const again = `${id}-t1-plan-and-execute`;
const planned = ".pairflow/papers/plan.json";
const rate = "src/rate.txt";

const plan = {
  title: "The rate",
  situation: "Nobody knows the rate",
  mission: "The rate is written down.\n\nSuccess criteria:\n- the rate is in src/rate.txt",
  execution: `1. Write it to \`${rate}\` (S1)`,
  constraints: { in: ["src/**"], out: [], do_not_touch: [] },
  coordination: "",
};
const tasks = {
  tasks: [{ id: "t1", ...piece("Write the rate down", rate), depends_on: [], covers: ["S1"] }],
};
const refinement = {
  diagnosis: "A rate is a percentage",
  change: "It says so",
  task: piece("Write the rate down with its percent sign", rate),
  constraints: null,
};
const roles = ["--agent", "planner=claude", "--agent", "plan-reviewer=codex"];
const writes = (text: string) => [does(`echo '${text}' > ${rate}`), answers(handoff("It is written down"))];
const asPercent = "rate: 7 %\n";

async function expectSigned(rig: StoryRig, text: string): Promise<void> {
  await rig.signs(id);
  expect(rig.tool.git("show", `bubble/${id}:${rate}`)).toBe(text);
  expect(rig.tool.git("log", "--format=%s", `main..bubble/${id}`)).toBe("The rate\n");
}

describe.concurrent("auto on the real CLIs", { timeout: 600_000 }, () => {
  test("a topic becomes a commit, whatever happens to the planner and to the task", async () => {
    const hold = never();
    const tooMany: Said = { error: 429, message: "Too many requests", headers: { "retry-after": "3600" } };
    await using rig = await storyRig({
      [`${id} planner`]: [
        ...[tooMany, hold.line],
        // Claude Code reminds its model once by itself.
        ...[{ text: "I have a plan." }, { text: "I have told it." }],
        answers(handsIn("plan", { ...plan, mission: "" }, "No mission")),
        answers(handsIn("plan", plan, "The plan")),
        answers(handsIn("tasks", tasks, "One task")),
      ],
      [`${id} plan-reviewer`]: [answers(judges("approved", "It fits", { checked: seen(planned) }))],
      [`${id}-t1 developer`]: writes("rate: 7"),
      [`${id}-t1 reviewer`]: [answers(verdict("misscoped"))],
      [`${refining} planner`]: [answers(handsIn("refinement", refinement, "Cut anew"))],
      [`${refining} plan-reviewer`]: [
        answers(judges("approved", "It heals", { checked: seen(".pairflow/papers/refinement.json") })),
      ],
      [`${again} developer`]: writes("rate: 7 %"),
      [`${again} reviewer`]: [answers(verdict(null, rate))],
      [`${id} reviewer`]: [answers(verdict(null, rate))],
    });
    const { tool } = rig;
    const run = tool.run("auto", "Totals", "--test", "true", ...roles);
    await hold.isReached;
    process.kill(rig.all(id, "TURN_SPAWNED").at(-1)?.pid ?? 0, "SIGKILL");
    const { stdout, stderr } = await run;
    expect(stdout, `${stderr}\n${await tool.ok("log", "--id", id, "--all")}`).toContain(
      `${id} is READY_FOR_APPROVAL`,
    );
    expect(rig.all(id, "TURN_ENDED").map(({ outcome }) => outcome)).toEqual([
      ...["rate-limited", "crashed", "garbage", "garbage"],
    ]);
    expect(rig.cast(id)).toEqual([
      "claude planner fresh",
      ...Array.from({ length: 4 }, () => "claude planner resumed"),
      ...["codex plan-reviewer fresh", "claude planner resumed", "claude reviewer fresh"],
    ]);
    const [known = ""] = rig
      .asked(`${id} planner`)
      .slice(-2)
      .map(({ texts }) => texts.join("\n"));
    for (const reason of ["its last words: I have told it.", "mission is empty"])
      expect(known).toContain(reason);
    expect(rig.all(again, "RUN_RESULT")).toMatchObject([{ result: "approved" }]);
    await expectSigned(rig, asPercent);
  });

  test("in panes the planner asks a person, and the reply reaches its session", async () => {
    const call = (name: string, input: object): Said => ({
      calls: [{ tool: `mcp__pairflow__${name}`, input }],
    });
    const rests: Said = { text: "My turn is over." };
    const checked = (file: string) => [
      { for: ["C1"], file, line: 1, why: `${file} says what was asked for` },
    ];
    await using rig = await storyRig({
      [`${id} planner`]: [
        ...[call("ask_human", { question: "Which rate?", options: ["7 %", "19 %"] }), rests],
        ...[call("pass", { summary: "The plan", paper: plan }), rests],
        ...[call("pass", { summary: "One task", paper: tasks }), rests],
      ],
      [`${id} plan-reviewer`]: [
        call("submit_review", { summary: "It fits", findings: [], checked: checked(planned) }),
        rests,
      ],
      [`${id}-t1 developer`]: writes("rate: 7 %"),
      [`${id}-t1 reviewer`]: [answers(verdict(null, rate))],
      [`${id} reviewer`]: [
        call("submit_review", { summary: "Good", confidence: 0.9, findings: [], checked: checked(rate) }),
        rests,
      ],
    });
    const { tool } = rig;
    const given = ["--task", "Totals", "--set", "topic=Totals", "--set", `slug=${id}`, "--test", "true"];
    await tool.ok("workflow", "run", "auto", "--panes", "--id", id, ...given, ...roles);
    expect((await rig.rests(id)).questions).toMatchObject([{ from: "claude", text: "Which rate?" }]);
    await tool.ok("bubble", "reply", "--id", id, "--choose", "7 %");
    const ready = await tool.until(
      id,
      ({ state }) => state === "READY_FOR_APPROVAL",
      "the approval",
      300_000,
    );
    expect(ready.questions).toEqual([]);
    expect(rig.cast(id).slice(0, 3)).toEqual([
      ...["claude planner fresh", "codex plan-reviewer fresh", "claude planner resumed"],
    ]);
    expect(rig.all(id, "TURN_STARTED").every(({ seat }) => seat === "tmux")).toBe(true);
    const told = rig.asked(`${id} planner`).at(-1)?.texts.join("\n");
    expect(told).toContain('Answer to your question "Which rate?": 7 %');
    await expectSigned(rig, asPercent);
  });
});
