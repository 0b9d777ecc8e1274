// Bubbles in the middle of something, for faults to happen to: a turn that hangs, a question that waits, a gate that
// runs. All through the command line.
import { readFileSync } from "node:fs";
import { createScripted, fullPackage, type Rig, shortest } from "../acceptance/rig.ts";
import { processesOf } from "./leftovers.ts";

const id = "b1";

/** An implementer that never hands over by itself. */
const hanging = {
  ...shortest,
  implementer: [{ role: "implementer", steps: [{ hang: true }] }, shortest.implementer[1]],
};

/** The shortest bubble with a question before the first edit. */
const asking = {
  ...shortest,
  implementer: [
    { role: "implementer", steps: [{ ask: "Which total?" }, ...(shortest.implementer[0]?.steps ?? [])] },
    shortest.implementer[1],
  ],
};

/** Two agents that hand over at once; `before` goes before the implementer's first step. */
export function withFirst(...before: unknown[]): typeof shortest {
  const [first, second] = shortest.implementer;
  return {
    ...shortest,
    implementer: [{ ...first, steps: [...before, ...(first?.steps ?? [])] }, second] as never,
  };
}

export interface RunningTurn {
  readonly pid: number;
  /** The rig with the turn's own environment: what it runs is the agent's verb. */
  readonly agent: Rig;
}

/** A bubble whose implementer has the turn and does nothing; driven in the background unless `seat` is tmux. */
export async function hangingTurn(tool: Rig, seat: "headless" | "tmux" = "headless"): Promise<RunningTurn> {
  await createScripted(tool, id, hanging);
  await tool.ok("bubble", "start", "--id", id, ...(seat === "headless" ? ["--headless", "--detach"] : []));
  await tool.until(id, ({ turn }) => turn?.status === "running", "the implementer's turn");
  return runningTurn(tool);
}

/** The process of the turn that runs now, found as the product finds it: by its marker. */
export async function runningTurn(tool: Rig): Promise<RunningTurn> {
  for (const end = Date.now() + 5000; ; await new Promise((again) => setTimeout(again, 50))) {
    for (const { pid, work } of processesOf(tool)) {
      const variables = work.startsWith(`${id}/t`) ? turnVariables(pid) : undefined;
      if (variables) return { pid, agent: tool.with(variables) };
    }
    if (Date.now() > end) throw new Error("no process holds a turn");
  }
}

/** The agent's variables, when this is the turn's first process. */
function turnVariables(pid: number): Record<string, string> | undefined {
  const entries = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  if (!entries.includes(`PAIRFLOW_SEAT=${pid}`)) return undefined;
  const ours = entries.filter((entry) => /^PAIRFLOW_(TURN|TURN_ID|BUBBLE|REPO|ROLE|TREE|OUT)=/.test(entry));
  return Object.fromEntries(
    ours.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
}

/** A bubble that waits for an answer, with nobody driving it. */
export async function waitingQuestion(tool: Rig): Promise<void> {
  await createScripted(tool, id, asking);
  await tool.ok("bubble", "start", "--id", id, "--headless");
  await tool.until(
    id,
    ({ state, driver }) => state === "WAITING_HUMAN" && !driver.alive,
    "a question, and nobody drives",
  );
}

/** The flags of a complete pass of an implementer. */
export const passFlags = [
  ...["pass", "--summary", "done", "--no-change", "the total is right already"],
  ...["--what", fullPackage.what, "--why", fullPackage.why, "--risks", fullPackage.risks],
  ...["--test-plan", fullPackage.test_plan, "--commit-message", fullPackage.commit_message],
];
