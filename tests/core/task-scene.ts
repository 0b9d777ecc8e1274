// A bubble in the middle of a workflow's task, as a plain value: what rules and briefings look at, and nothing around it.
import * as v from "valibot";
import { BubbleConfig } from "../../src/core/model/config.ts";
import type { GateResult } from "../../src/core/model/gate.ts";
import { type Program, ProgramTask, type Step } from "../../src/core/model/program.ts";
import type { Finding } from "../../src/core/model/review/finding.ts";
import type { Iteration, TaskProgress } from "../../src/core/model/run.ts";
import type { Review, Tree } from "../../src/core/model/state/evidence.ts";
import type { Turn } from "../../src/core/model/state/turn.ts";
import type { State } from "../../src/core/model/state.ts";

export const at = "2026-02-21T09:00:00.000Z";

const turnStep = (
  name: string,
  role: string,
  answer: "handoff" | "findings" | "score",
  prompt?: string,
): Step => ({
  name,
  kind: "turn",
  task: "design",
  on: {},
  role,
  answer,
  session: answer === "handoff" ? "resumed" : "fresh",
  retries: 2,
  ...(prompt ? { prompt } : {}),
});

/** The task `design`: alice drives, bob challenges, unless it is said otherwise. */
export function taskOf(more: Partial<v.InferInput<typeof ProgramTask>> = {}): ProgramTask {
  return v.parse(ProgramTask, {
    key: "design",
    first: "design",
    roles: { driver: "alice", challenger: "bob" },
    overlay: "paired_workflow",
    loop: {
      producer: "driver",
      critic: "challenger",
      max_rounds: 5,
      clean_passes: 1,
      role_switch: "never",
      exhausted: "design/exhausted",
      dialect: "challenge",
    },
    ...more,
  });
}

function programOf(task: ProgramTask, prompt?: string): Program {
  const { producer, critic = "challenger" } = task.loop;
  return {
    id: "designs",
    name: "Designs",
    version: "1.0.0",
    start: "design",
    loop: task.loop,
    tasks: [task],
    steps: [
      turnStep("design", producer, "handoff", prompt),
      turnStep("design/review", critic, "findings", prompt),
      turnStep("design/judge", "judge", "score", prompt),
    ],
  };
}

export function configOf(overrides: Partial<v.InferInput<typeof BubbleConfig>> = {}): BubbleConfig {
  return v.parse(BubbleConfig, {
    id: "cart",
    repo_path: "/repo",
    base_branch: "main",
    bubble_branch: "bubble/cart",
    agents: { implementer: "alice", reviewer: "bob" },
    review: { require_evidence: false },
    ...overrides,
  });
}

export const treeOf = (more: Partial<Tree> = {}): Tree => ({
  id: "T1",
  commit: "c1",
  files: [{ path: "design.md", status: "added", added: 30, removed: 0 }],
  filesTotal: 1,
  added: 30,
  removed: 0,
  by: "alice",
  round: 1,
  seq: 20,
  touched: [],
  diff: "round-001.diff",
  ...more,
});

export const resultOf = (name: string, more: Partial<GateResult> = {}): GateResult => ({
  name,
  command: `run ${name}`,
  required: true,
  status: "passed",
  exit_code: 0,
  duration_ms: 1,
  excerpt: "",
  ...more,
});

export const reviewOf = (more: Partial<Review> = {}): Review => ({
  agent: "bob",
  round: 1,
  seq: 30,
  tree: "T1",
  clean: true,
  byOperator: false,
  openIds: [],
  ...more,
});

export const findingOf = (id: string, severity: Finding["severity"]): Finding => ({
  id,
  severity,
  title: `Defect ${id}`,
  status: "open",
  proven: true,
  openedRound: 1,
  openedBy: "bob",
  openedTree: "T1",
});

export const roundOf = (iteration: number, more: Partial<Iteration> = {}): Iteration => ({
  iteration,
  producer: "alice",
  critic: "bob",
  summary: `made version ${iteration}`,
  critique: `gap ${iteration}`,
  approved: false,
  at,
  tree: `T${iteration}`,
  ...more,
});

/** Gates ran on T1 with these results, and the bubble knows these gates. */
export const gatesOf = (...results: GateResult[]): Pick<State, "gates" | "profile"> => ({
  gates: { tree: "T1", attempt: 1, seq: 25, results, void: false },
  profile: {
    gates: results.map(({ name, command, required }) => ({ name, command, required, timeout_seconds: 600 })),
    source: "given by flag",
    confirmed: true,
  },
});

export interface Scene {
  readonly task?: ProgramTask;
  readonly step?: "design" | "design/review" | "design/judge";
  readonly prompt?: string;
  readonly progress?: Partial<TaskProgress>;
  readonly config?: Partial<v.InferInput<typeof BubbleConfig>>;
}

/** T1 was handed over by alice in the first round of the task; nothing has judged it. */
export function stateOf(
  { task = taskOf(), step = "design", ...scene }: Scene = {},
  more: Partial<State> = {},
): State {
  return {
    v: 2,
    bubbleId: "cart",
    seq: 40,
    createdAt: at,
    lifecycle: "RUNNING",
    config: configOf(scene.config),
    program: programOf(task, scene.prompt),
    profile: { gates: [], source: "given by flag", confirmed: true },
    baseCommit: "base",
    task: { title: "Cart", criteria: ["Totals are right"], artifact: "task.md", excerpt: "" },
    position: { step, seq: 21, outcome: "success", why: "", refusals: 0 },
    round: 1,
    extraRounds: 0,
    roles: task.roles,
    roundRoleHistory: [],
    turnCount: 1,
    sessions: {},
    spent: { total: { input: 0, output: 0 }, byAgent: {}, unknown: 0, unpriced: 0, workedMs: 0 },
    extraBudgets: 0,
    unsandboxed: [],
    findings: [],
    findingCount: 0,
    tree: treeOf(),
    reviews: [],
    progress: { key: "", repeats: 0 },
    waivedGates: [],
    scopeOverrides: [],
    notes: [],
    tasks: {
      design: {
        status: "running",
        seq: 10,
        firstRound: 1,
        subtask: 0,
        switches: 0,
        changed: 10,
        history: [],
        ...scene.progress,
      },
    },
    questions: [],
    deliveries: [],
    workspaceFailures: 0,
    warnings: { count: 0 },
    activeSince: at,
    lastCommandAt: at,
    lastAt: at,
    ...more,
  };
}

/** The turn that is about to start in the current step. */
export function turnOf(state: State): Turn {
  const step = state.program.steps.find(({ name }) => name === state.position.step);
  const role = step?.kind === "turn" ? step.role : "";
  return {
    id: "t3",
    step: step?.name ?? "",
    role,
    agent: state.roles[role] ?? "carol",
    status: "due",
    attempt: 0,
    failures: 0,
    why: "it is time",
    since: at,
  };
}
