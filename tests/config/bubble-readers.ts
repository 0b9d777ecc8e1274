// Who reads which key of bubble.toml: two values for each, and a function of the product that tells them apart.
import { join } from "node:path";
import * as v from "valibot";
import { getSessionName } from "../../src/adapters/seat/tmux-panes.ts";
import { getWorktreeRoot } from "../../src/app/host/locate.ts";
import { driveCommand } from "../../src/app/host/package-root.ts";
import { buildPrompt } from "../../src/core/briefing/prompt.ts";
import { listDueEffects } from "../../src/core/bubble/due.ts";
import { listNeededLabels } from "../../src/core/bubble/needed-labels.ts";
import { listConfiguredGates } from "../../src/core/gates/detect/commands.ts";
import { hasBaseRun } from "../../src/core/judge/gate-runs/base.ts";
import { isFinalRunDue } from "../../src/core/judge/gate-runs/final.ts";
import { chooseSession } from "../../src/core/judge/sessions.ts";
import { listBudgetLines } from "../../src/core/limits/budget.ts";
import { findDeadline } from "../../src/core/limits/watchdog.ts";
import { BubbleConfig } from "../../src/core/model/config.ts";
import type { StepOf } from "../../src/core/model/program.ts";
import { listHiddenPaths } from "../../src/core/permission/hidden-paths.ts";
import { findCallFor } from "../../src/core/questions/notices.ts";
import { isBlocking } from "../../src/core/state/severity.ts";
import { getCurrentStep, getDialect } from "../../src/core/state/workflow-position.ts";
import { listTrustedPrograms } from "../../src/core/trust/programs.ts";
import { buildStatusView } from "../../src/core/views/bubble/status.ts";
import { isPipeline } from "../../src/core/views/pipeline/trail.ts";
import { getWorkspacePlace, type World } from "../../src/engine/world/world.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { operator, wholePackage } from "../../src/testing/scenario-actors.ts";
import { p1, p3, pair, readyForApproval, underReview } from "../core/pair.ts";
import { withValue } from "./keys.ts";

type Overrides = Partial<v.InferInput<typeof BubbleConfig>>;
type See = (config: BubbleConfig) => unknown;

interface Reader {
  /** Two values; undefined: left out. */
  readonly values: readonly [unknown, unknown];
  readonly see: See;
}

const start: Overrides = {
  id: "cart",
  repo_path: "/repo",
  base_branch: "main",
  bubble_branch: "bubble/cart",
  agents: { implementer: "alice", reviewer: "bob" },
  agent: { alice: { adapter: "command", args: ["x"] } },
  commands: { test: { command: "npm test" } },
  review: { require_evidence: false },
};

const world = {
  paths: { worktree: (id: string, folder?: string) => join(getWorktreeRoot("/repo", folder), id) },
} as unknown as World;
const placeFor: See = (config) => getWorkspacePlace(world, { bubbleId: config.id, config, baseCommit: "c0" });
const programs: See = (config) => listTrustedPrograms({ config, gates: [] });
const given = { task: "x", worktree: "/w", out: "/o", artifact: (name: string) => name };
const words = { ...given, roleText: "r", summary: "my own words", voice: "verbs", resumed: false } as const;
const promptOf = (scene: Scenario) => buildPrompt(scene.state, scene.turn, words);
const reviewPrompt: See = (config) => promptOf(underReview({ config, criteria: ["It adds up"] }));
const atWork = (config: BubbleConfig) => pair({ config }).started().atWork().state;
const statusAtWork: See = (config) => buildStatusView(atWork(config), { now: atWork(config).lastAt });
/** What becomes of a handoff that changes src/cart.ts. */
const handedOver: See = (config) => {
  const scene = pair({ config }).started().atWork();
  const claimed = scene.does(scene.pass({ package: wholePackage }));
  return claimed.tries(claimed.handoff("T1")).written.map(({ payload }) => payload);
};
const approval: See = (config) => {
  const scene = readyForApproval({ config });
  const { digest = "", tree = "" } = scene.state.approval ?? {};
  return scene.tries({ type: "approve", actor: operator, digest, tree, message: "" }).decision.refusal?.code;
};
const secondReview: See = (config) => {
  const scene = underReview({ config })
    .atWork()
    .sessionIs("s1")
    .reviews({ findings: [p1] })
    .implements("T2");
  return chooseSession(scene.state, scene.turn, getCurrentStep(scene.state) as StepOf<"turn">);
};
const quota: See = (config) => pair({ config }).started().atWork().turnEnds("quota").log.at(-1);
const budgets: See = (config) => listBudgetLines(atWork(config), atWork(config).lastAt);
const call =
  (event: string): See =>
  (config) =>
    findCallFor(config.notifications, event);
const flags = [true, false] as const;

export const readers: Readonly<Record<string, Reader>> = {
  id: { values: ["cart", "total"], see: ({ id }) => getSessionName(id) },
  repo_path: {
    values: ["/repo", "/other"],
    see: ({ repo_path, id }) => driveCommand(repo_path, id, "process"),
  },
  base_branch: { values: ["main", "next"], see: statusAtWork },
  bubble_branch: { values: ["bubble/a", "bubble/b"], see: placeFor },
  work_mode: { values: ["worktree", "clone"], see: placeFor },
  kind: { values: ["implementation", "document"], see: (config) => hasBaseRun(pair({ config }).state) },
  workflow: { values: ["pair", "pipeline"], see: (config) => isPipeline({ config }) },
  reviewer_context_mode: { values: ["fresh", "persistent"], see: secondReview },
  reviewer_sees_summary: { values: flags, see: reviewPrompt },
  watchdog_timeout_minutes: { values: [5, 7], see: (config) => findDeadline(atWork(config), undefined) },
  turn_timeout_minutes: { values: [2, 3], see: (config) => findDeadline(atWork(config), undefined) },
  wait_for_quota: { values: flags, see: quota },
  max_rounds: { values: [3, 8], see: statusAtWork },
  open_command: { values: ["vim", "code"], see: programs },
  try_command: { values: [undefined, "npm start"], see: programs },
  setup: { values: [undefined, "npm ci"], see: programs },
  setup_needs: {
    values: [["docker"], ["gpu"]],
    see: (config) => listNeededLabels(pair({ config }).started().state),
  },
  final_gates: {
    values: ["clean", "worktree"],
    see: (config) => isFinalRunDue(underReview({ config }).state),
  },
  base_gates: { values: ["clean", "off"], see: (config) => hasBaseRun(pair({ config }).state) },
  worktrees: { values: ["~/a", "~/b"], see: placeFor },
  git_filters: { values: [["lfs"], ["crypt"]], see: placeFor },
  approval: { values: ["any", "proven"], see: approval },
  second_person: { values: flags, see: approval },
  "agents.*": {
    values: ["alice", "carol"],
    see: (config) => listDueEffects(pair({ config }).started().state),
  },
  "agent.*.adapter": { values: ["command", "codex"], see: programs },
  "commands.*": { values: ["npm test", "make test"], see: gates },
  ...Object.fromEntries(
    Object.entries({
      command: ["npm test", "make test"],
      threshold: [80, 90],
      report: ["a.json", "b.json"],
      trigger: [["src/**"], ["web/**"]],
      working_dir: ["a", "b"],
      parallel: flags,
      isolated: flags,
      install: ["get it", "get that"],
      success_pattern: ["ok", "fine"],
      failure_pattern: ["bad", "sad"],
      allow_empty: flags,
      network: ["on", "off"],
      needs: [["docker"], ["gpu"]],
      required: flags,
      timeout: [60, 90],
    } as const).map(([key, values]) => [`commands.*.${key}`, { values, see: gates }] as const),
  ),
  "scope.in": { values: [["src/**"], ["docs/**"]], see: handedOver },
  "scope.out": { values: [["src/**"], ["docs/**"]], see: handedOver },
  "scope.do_not_touch": { values: [["src/**"], ["docs/**"]], see: handedOver },
  "scope.also_in": { values: [[["src/**"]], [["docs/**"]]], see: handedOver },
  "severity.core_paths": {
    values: [["*.md"], ["src/**"]],
    see: ({ severity }) => isBlocking(p3 as never, severity),
  },
  "severity.core_areas": {
    values: [["ui"], ["security"]],
    see: ({ severity }) => isBlocking({ ...p3, area: "ui" } as never, severity),
  },
  "review.dialect": { values: ["findings", "verdict"], see: (config) => getDialect(atWork(config)) },
  "review.require_evidence": { values: flags, see: reviewPrompt },
  "review.blind": { values: flags, see: (config) => listHiddenPaths(config) },
  document: { values: ["docs/a.md", "docs/b.md"], see: gates },
  "budget.max_tokens": { values: [1000, "off"], see: budgets },
  "budget.max_usd": { values: [1, 2], see: budgets },
  "budget.max_minutes": { values: [10, "off"], see: budgets },
  "notifications.enabled": { values: flags, see: call("waiting-human") },
  "notifications.waiting_human_sound": { values: ["/a", "/b"], see: call("waiting-human") },
  "notifications.converged_sound": { values: ["/a", "/b"], see: call("converged") },
  "notifications.command": { values: ["ring", "sing"], see: call("converged") },
  "notifications.desktop": { values: flags, see: call("converged") },
  "notifications.webhook": { values: ["http://a", "http://b"], see: call("converged") },
};

function gates(config: BubbleConfig): unknown {
  return listConfiguredGates(config);
}

export const withKey = (key: string, value: unknown): BubbleConfig =>
  v.parse(BubbleConfig, withValue(start, key, value));

/** Keys that are read where a test in memory does not reach, with the test that does; or that have one value only. */
export const elsewhere: Readonly<Record<string, { readonly because: string; readonly test?: string }>> = {
  quality_mode: { because: "has one value; the other one of the specification is refused with the reason" },
  commit_requires_approval: { because: "has one value; the other one is refused with the reason" },
  sandbox_home: {
    because: "is mounted for confined programs",
    test: "tests/attacks/a-lying-test-in-a-gate-cannot-approve.test.ts",
  },
  implements: { because: "reads another bubble's record", test: "tests/cli/implements.test.ts" },
  require_document: {
    because: "is asked when a bubble is created",
    test: "tests/cli/create-confirm.test.ts",
  },
  "review.min_confidence": {
    because: "is compared with what a verdict says",
    test: "tests/core/review/integrity.test.ts",
  },
  "review.context_chars": {
    because: "bounds what a critic is told, with the project's SOPs",
    test: "tests/cli/implements.test.ts",
  },
};
