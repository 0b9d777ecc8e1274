// A paper through the commands: an author hands one in, a critic quotes it, the author fixes it, and no file is changed.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findPaperKind } from "../../src/core/paper/kinds.ts";
import { numberPaperLines, serializePaper } from "../../src/core/paper/text.ts";
import { cli, type Rig, rig } from "../acceptance/rig.ts";
import { configure, linesOf, run, walked } from "./workflow-scene.ts";

const rigs: Rig[] = [];
afterAll(() => Promise.all(rigs.map((tool) => tool.close())));

function repository(): Rig {
  const tool = rig();
  rigs.push(tool);
  return tool;
}

const flow = `
id: drafting
name: Drafting
version: 1.0.0
phases:
  draft:
    producer: planner
    critic: plan-reviewer
    chain: [rex]
    chain_order: go_on
    max_rounds: 3
    exhausted: exceeded
start: draft
steps:
  - { name: draft, phase: draft, kind: turn, role: planner, session: resumed, answer: paper, paper: plan, on: { success: judge, refused: draft } }
  - { name: judge, phase: draft, kind: check, check: chain, on: { gates: review, review: review, unsure: unsure, dispute: dispute, revise: { to: draft, round: next }, stuck: stuck, passed: end } }
  - { name: review, phase: draft, kind: turn, role: plan-reviewer, session: fresh, answer: findings, on: { success: judge, refused: review } }
  - { name: unsure, phase: draft, kind: question, ask: unsure, on: { trust: judge, again: review, reject: $cancel } }
  - { name: dispute, phase: draft, kind: question, ask: dispute, on: { waive: judge, uphold: { to: draft, round: next } } }
  - { name: stuck, phase: draft, kind: question, ask: stuck, on: { accept: end, continue: { to: draft, round: next }, reject: $cancel } }
  - { name: exceeded, phase: draft, kind: question, ask: exhausted, on: { accept: end, continue: $resume, reject: $cancel } }
`;

const plan = findPaperKind("plan")?.example ?? {};
const vague = { ...plan, situation: "Somewhere." };
const place = (line: number) => `.pairflow/papers/plan.json:${line}`;

describe("a plan as a paper", () => {
  it("is refused, quoted, mended and kept on the record, and the tree of files stays as it was", async () => {
    const tool = repository();
    const files = { bad: { ...plan, mission: "" }, vague, good: plan };
    const file = (name: keyof typeof files) => join(tool.folder, `${name}.json`);
    for (const name of Object.keys(files) as (keyof typeof files)[])
      writeFileSync(file(name), JSON.stringify(files[name]));
    const handsIn = (name: keyof typeof files) => ({
      verb: ["pass", "--summary", `the ${name} plan`, "--paper", file(name)],
    });
    tool.write("flows/drafting.yaml", flow);
    configure(
      tool,
      {
        pia: [
          { steps: [{ ...handsIn("bad"), expect_exit: 1 }, handsIn("vague")] },
          { steps: [handsIn("good")] },
        ],
        rex: [
          {
            steps: [
              { pass: { summary: "vague", findings: [`P1:Says nothing @ ${place(3)} | "Somewhere."`] } },
            ],
          },
          {
            steps: [
              {
                pass: {
                  summary: "fine",
                  no_findings: true,
                  fixed: ["F1"],
                  checked: [`C1,C2 ${place(3)} names a file`],
                },
              },
            ],
          },
        ],
      },
      "defaults: { agents: { planner: pia, plan-reviewer: rex } }",
    );
    const ran = await run(tool, "flows/drafting.yaml", "--id", "drafting", "--task", "Sign in");
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    const log = tool.log("drafting");
    expect(walked(log)).toEqual([
      ...["draft success", "judge review", "review success", "judge revise"],
      ...["draft success", "judge review", "review success", "judge passed"],
    ]);
    expect(linesOf(log, "WARNING").map(({ payload }) => payload.code)).toEqual(["paper.invalid"]);
    const papers = linesOf(log, "PASS").flatMap(({ payload }) => payload.paper ?? []);
    expect(papers).toEqual([vague, plan]);
    const trees = linesOf(log, "HANDOFF").flatMap(({ payload }) => (payload.paper ? [payload] : []));
    expect(tool.git("show", `${trees.at(-1)?.tree}:.pairflow/papers/plan.json`)).toBe(serializePaper(plan));
    const prompts = linesOf(log, "TURN_STARTED").map(({ payload }) =>
      readFileSync(join(tool.repo, ".pairflow/bubbles/drafting/artifacts", payload.prompt), "utf8"),
    );
    expect(prompts[0]).toContain("You are the **planner**");
    expect(prompts[1]).toContain(numberPaperLines(vague));
    expect(prompts[2]).toMatch(/\*\*F1\*\* P1 Says nothing — \.pairflow\/papers\/plan\.json:3/);
    expect(prompts[2]).toContain("## How to fix it");
    expect(new Set(trees.map(({ paper }) => paper?.code)).size).toBe(1);
  });
});

it("is read from standard input too", () => {
  const tool = repository();
  const given = (input: string) =>
    spawnSync(process.execPath, [cli, "pass", "--summary", "s", "--paper", "-"], {
      ...{ cwd: tool.folder, env: tool.env, input, encoding: "utf8" },
    });
  expect(given("[]").stderr).toContain("standard input: not an object (usage.bad-paper-file)");
  expect(given("{}").stderr).not.toContain("usage.bad-paper-file");
});
