// Dry runs of workflows whose agents hand in papers and whose tasks run side by side: each comes to its end, also with
// critics that object first. Where they object, the walk goes through everything that the walk without them does; `npm test` has those
// without only of workflows that nobody objects in, `npm run soak` all.
import { afterAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { run } from "./workflow-scene.ts";

const rigs: Rig[] = [];
afterAll(() => Promise.all(rigs.map((tool) => tool.close())));

interface Walked {
  readonly steps: readonly string[];
  readonly result: string | null;
  readonly state: string;
  readonly said: string;
}

async function dry(workflow: string, ...flags: string[]): Promise<Walked> {
  const tool = rig();
  rigs.push(tool);
  tool.write("flows/beside.yaml", beside);
  const done = await run(tool, workflow, "--dry-run", "--json", ...flags);
  expect(done, done.stderr).toMatchObject({ code: 0 });
  const { steps, result, state } = JSON.parse(done.stdout);
  const walked = steps.map(({ step, outcome }: { step: string; outcome: string }) => `${step} ${outcome}`);
  expect(tool.git("status", "--short")).toBe("?? flows/\n");
  return { steps: walked, result, state, said: done.stderr };
}

/** Two tasks at once; what they made together is judged once more. */
const beside = `
max_concurrent: 2
join: { agent: dev, reviewer: rex }
overlays:
  agentic_review: { enabled: true, reviewer_agent: rex }
tasks:
  one: { agent: dev, title: Write one }
  two: { agent: dev, title: Write two }
`;

const soak = process.env.PAIRFLOW_SOAK === "1";
/** How those come to their end that are walked with objections, too. */
const objected = [
  ["plan-refinement", "routed", "amend kept"],
  ["task-decomposition", "approved", "work done"],
  ["auto", "approved", "keep_tasks kept"],
  ["pipeline", "approved", "adopt adopted"],
];

const patience = { timeout: 180_000 };

describe("a dry run", patience, () => {
  it.each([
    ["explore", "completed", "save kept"],
    ["plan-tasks", "completed", "propose kept"],
    ["design-refinement", "routed", "amend kept"],
    ...(soak ? objected : []),
  ])("walks %s to its end", async (workflow, result, step) => {
    const walked = await dry(workflow);
    expect(walked.result).toBe(result);
    expect(walked.steps).toContain(step);
  });

  it.each([
    ["plan-refinement", "judge revise", "judge passed"],
    ["task-decomposition", "split_judge revise", "judge passed"],
    ["auto", "plan_judge revise", "plan_judge passed"],
    ["pipeline", "plan_check revise", "plan_check passed"],
    ["flows/beside.yaml", "join/judge revise", "join/judge exit"],
  ])("of %s lets its critics object, and they are content with what was fixed", async (workflow, no, yes) => {
    const { steps, state, said, result } = await dry(workflow, "--reject", "1");
    expect(steps).toContain(no);
    expect(steps.indexOf(yes)).toBeGreaterThan(steps.indexOf(no));
    expect(said).not.toContain("ended without handing over");
    expect(["DONE", "CANCELLED"]).toContain(state);
    const [, end, step] = objected.find(([name]) => name === workflow) ?? [];
    if (end) expect(result).toBe(end);
    if (step) expect(steps).toContain(step);
  });
});
