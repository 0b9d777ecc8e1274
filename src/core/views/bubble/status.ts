// What `bubble status` shows, as values: the CLI prints it, `--json` dumps it, the page draws it.

import { isWaived, listCleanPasses, listRedGates } from "../../judge/convergence.ts";
import { listRedOnBase } from "../../judge/gate-runs/base.ts";
import { findCleanRun } from "../../judge/gate-runs/final.ts";
import { measureSilence, measureWatchdogLeft } from "../../limits/watchdog.ts";
import type { GateResult } from "../../model/gate.ts";
import type { Finding } from "../../model/review/finding.ts";
import type { State } from "../../model/state.ts";
import { measureAheadMs } from "../../model/value/time.ts";
import { describePasskey } from "../../permission/proof/door.ts";
import { listNamedCriteria } from "../../review/subjects.ts";
import { findHost } from "../../state/hosts.ts";
import { listUnanswered } from "../../state/severity.ts";
import { getLoop } from "../../state/workflow-position.ts";
import type { InboxItem } from "./inbox.ts";
import type { Liveness } from "./liveness.ts";
import { describeNextStep, suggestAnswerCommand } from "./next-step.ts";
import { buildPauseView } from "./pause.ts";
import { getLastRound, listAwaitedChildren, runView } from "./run.ts";
import { buildUsageView } from "./usage.ts";

export type StatusView = ReturnType<typeof buildStatusView>;

export function buildStatusView(state: State, given: Liveness) {
  const ahead = measureAheadMs(state.lastAt, given.now);
  // A log that lies in the future is not waited for.
  const live = state.lastAt > given.now ? { ...given, now: state.lastAt } : given;
  const { driver } = live;
  return {
    bubble: state.bubbleId,
    title: state.task.title,
    state: state.lifecycle,
    paused: buildPauseView(state),
    seq: state.seq,
    round: state.round,
    max_rounds: getLastRound(state),
    ...runView(state),
    criteria: listNamedCriteria(state),
    step: state.position.step,
    why: state.position.why,
    ...buildTurnView(state),
    round_role_history: state.roundRoleHistory,
    last_command_at: state.lastCommandAt,
    last_sign_at: driver?.lastSignAt ?? null,
    silent_ms: measureSilence(state, { now: live.now, lastSignAt: driver?.lastSignAt }) ?? null,
    watchdog: buildWatchdogView(state, live),
    watchdog_off: listAwaitedChildren(state).length > 0 ? "children are at work" : null,
    gates: { ...buildGatesView(state), running: live.gates ?? [] },
    findings: {
      open: listUnanswered(state).map(buildFindingView),
      closed: state.findings.filter((finding) => finding.status !== "open").map(buildFindingView),
    },
    ...(state.document ? { implements: state.document } : {}),
    ...(state.salvaged ? { salvaged_from: buildSalvagedView(state.salvaged) } : {}),
    usage: buildUsageView(state, live.now),
    clean_passes: { have: listCleanPasses(state).length, need: getLoop(state).clean_passes },
    questions: state.questions,
    ...(live.asked?.length ? { child_questions: live.asked.flatMap(listAskedQuestions) } : {}),
    ...buildResultView(state),
    put_back: state.putBack ?? [],
    warnings: state.warnings,
    ...(ahead > 0 ? { log_ahead_ms: ahead } : {}),
    driver: driver
      ? { alive: true, pid: driver.pid, seat: driver.seat, doing: driver.doing ?? null }
      : { alive: false },
    host: findHost(state, driver),
    workspace_error: state.lifecycle === "PREPARING_WORKSPACE" ? (state.workspaceError ?? null) : null,
    worktree: state.workspace?.path ?? null,
    branch: state.config.bubble_branch,
    base: { branch: state.config.base_branch, commit: state.baseCommit },
    next: describeNextStep(state, live),
  };
}

/** A question with whose it is, what may be answered, and the command for it. */
export type AskedQuestion = Pick<
  InboxItem,
  "id" | "kind" | "from" | "text" | "at" | "options" | "command"
> & {
  readonly bubble: string;
};

/** Every open question of a bubble. */
export function listAskedQuestions(state: State): AskedQuestion[] {
  return state.questions.map((question) => ({
    bubble: state.bubbleId,
    ...{ id: question.id, kind: question.kind, from: question.from, text: question.text, at: question.at },
    options: question.options ?? [],
    command: suggestAnswerCommand(state, question),
  }));
}

/** The damaged record this bubble continues from, and how it looked then. */
function buildSalvagedView({ bubble, seq, hash, sha256, work }: NonNullable<State["salvaged"]>) {
  return { bubble, seq, hash, sha256, commit: work?.commit ?? null };
}

function buildTurnView({ turn, activeSince }: State) {
  return {
    active_agent: turn?.agent ?? null,
    active_role: turn?.role ?? null,
    active_since: turn ? activeSince : null,
    turn: turn
      ? {
          id: turn.id,
          status: turn.status,
          attempt: turn.attempt,
          sandboxed: turn.sandboxed ?? null,
          session: turn.session ?? null,
          not_before: turn.notBefore ?? null,
          problem: turn.problem ?? null,
          waits_for: turn.waitsFor ?? null,
        }
      : null,
  };
}

function buildWatchdogView(state: State, live: Liveness) {
  const lastSignAt = live.driver?.lastSignAt;
  const left = measureWatchdogLeft(state, { now: live.now, ...(lastSignAt ? { lastSignAt } : {}) });
  return left ? { fires_in_ms: Math.max(0, left.leftMs), reason: left.reason } : null;
}

function buildResultView({ approval, tree, commit, end, unproven: words = [] }: State) {
  const unproven = approval?.decision ? words.filter(({ what }) => what === "the approval") : [];
  return {
    approval: approval
      ? {
          ...{ digest: approval.digest, tree: approval.tree, decision: approval.decision ?? null },
          door_unproven: unproven.at(-1)?.why ?? null,
          passkey: approval.passkey ? describePasskey(approval.passkey) : null,
        }
      : null,
    tree: tree ? { id: tree.id, files: tree.filesTotal, added: tree.added, removed: tree.removed } : null,
    commit: commit ?? null,
    end: end ?? null,
  };
}

function buildGatesView(state: State) {
  const results = state.gates?.tree === state.tree?.id ? (state.gates?.results ?? []) : [];
  const ran = (name: string) => results.find((result) => result.name === name)?.status;
  const status = (name: string) =>
    isWaived(state, name) && ran(name) !== "passed" ? "waived" : (ran(name) ?? "not run");
  return {
    profile: state.profile.source,
    not_available: state.profile.not_available ?? null,
    green: listRedGates(state).length === 0,
    /** They ran on a clean checkout of this tree: what an approval rests on. */
    clean: findCleanRun(state) !== undefined,
    /** What they said about the base, before any agent was started. */
    base: buildBaseView(state),
    list: [...state.profile.gates, ...listUnlistedResults(state, results)].map((gate) => ({
      name: gate.name,
      required: gate.required,
      status: status(gate.name),
      flaky: results.some(({ name, flaky }) => name === gate.name && flaky),
      /** It ran with the rights of the person. */
      unconfined: results.some(({ name, sandbox }) => name === gate.name && sandbox === "none"),
    })),
  };
}

/** Commit hooks and other gates that no profile lists: a red one sends the work back, so it must not look green. */
function listUnlistedResults({ profile }: State, results: readonly GateResult[]): readonly GateResult[] {
  const listed = new Set(profile.gates.map(({ name }) => name));
  return results.filter(({ name, status }) => !listed.has(name) && status !== "skipped");
}

function buildBaseView(state: State) {
  const { base } = state;
  return base
    ? {
        red: listRedOnBase(state),
        ran_at: base.ranAt,
        from_cache: base.fromCache,
        problem: base.problem ?? null,
      }
    : null;
}

function buildFindingView(finding: Finding) {
  const { id, severity, title, status, openedRound, openedBy, proven } = finding;
  return {
    id,
    severity,
    title,
    status,
    file: finding.file ?? null,
    line: finding.line ?? null,
    area: finding.area ?? null,
    opened_round: openedRound,
    opened_by: openedBy,
    closed_round: finding.closedRound ?? null,
    because: finding.closedBecause ?? null,
    proven,
    disputed: finding.dispute?.reason ?? null,
    escaped: finding.escaped ?? false,
  };
}
