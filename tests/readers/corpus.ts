// Records in which the fields are looked for: every built-in workflow played to its end, the histories behind every sentence
// that a signer may read, and the few lines that only accidents write.
import { fold } from "../../src/core/bubble/evolve.ts";
import type { CommandOf } from "../../src/core/model/command.ts";
import type { Envelope, EnvelopeType } from "../../src/core/model/record/envelope.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { driver, operator, wholePackage } from "../../src/testing/scenario-actors.ts";
import { histories } from "../core/package-histories.ts";
import { p1, pair, readyForApproval, underReview } from "../core/pair.ts";
import { play } from "../prompts/play.ts";
import { begin, others, playedRun, type Run, runs } from "../prompts/runs.ts";

/** Its reviewer sends the task away, and what applies to it is assembled by a step. */
const sentAway: Run = { ...runs["plan-and-execute"], hasKnowledge: false, routes: { reviewer: "misscoped" } };

const comment = { severity: "P3", area: "core", file: "src/cart.ts", line: 4, end_line: 5 } as const;

/** A human sends the result back with comments on lines. */
const withComments = () =>
  readyForApproval().does({
    type: "request-rework",
    actor: operator,
    message: "",
    reject: false,
    findings: [
      { ...comment, title: "Name it", evidence: "const x", advice: "call it total" },
      { ...comment, title: "Say why", quote: "const x", why: "it says nothing" },
    ],
  });

const wanted = {
  type: "update-base",
  actor: operator,
  branch: "main",
  to: "b".repeat(40),
  tree: "T1",
} as const;
const updated: CommandOf<"base-updated"> = {
  type: "base-updated",
  actor: driver,
  ...{ to: "b".repeat(40), base: "B2", tree: "T2", commit: "c2", ref: "r2" },
  files: [{ path: "src/cart.ts", status: "modified", added: 2, removed: 1 }],
  touched: [{ path: "src/cart.ts", ranges: [[1, 2]] }],
  conflicts: [],
};

const accidents: readonly (() => Scenario)[] = [
  () =>
    pair()
      .started()
      .atWork()
      .turnEnds("crashed")
      .turnStarts()
      .turnEnds("quota", { until: "2026-02-21T10:00:00.000Z" }),
  () => underReview().stops("enough"),
  () => {
    const silent = pair()
      .started()
      .turnStarts()
      .does({ type: "watchdog", actor: driver, ages: { turnMs: 9e7, signMs: 9e7 } });
    return silent.does(silent.pass({ package: wholePackage }));
  },
  () =>
    underReview()
      .reviews({ findings: [p1] })
      .implements("T1", { disputes: [{ id: "F1", reason: "the sum is net" }], noChange: "fine" })
      .reviews({ answers: [{ id: "F1", status: "open" }] }),
  () => {
    const begun = playedRun("paired", runs.paired ?? {}).moments[1]?.scene as Scenario;
    const { task } = begun.owes("pair-session");
    return begun.does({
      type: "pair-session",
      actor: driver,
      task,
      artifact: `pair-sessions/${task}.json`,
      sha256: "s",
      iteration: 1,
    });
  },
  () =>
    playedRun("paired", runs.paired ?? {}).end.does({
      type: "redo",
      actor: operator,
      step: "work",
      reason: "again",
    }),
  () =>
    pair()
      .started()
      .asks("Which?", { options: ["a", "b"] })
      .resumes({ message: "never mind" }),
  () => {
    const asked = pair().started().asks("Which?").replies({ message: "the first" });
    const { delivery } = asked.owes("deliver");
    return asked.does({
      type: "delivered",
      actor: driver,
      message: delivery.message,
      turn: delivery.turn,
      status: "sent",
      detail: "typed into its pane",
    });
  },
  () => pair().started().atWork().pauses({ message: "lunch", now: true }).resumes({ message: "back" }),
  () => pair().started().atWork().pauses({ parent: "above" }).resumes({ parent: "above" }),
  () => readyForApproval().approves().commits(),
  () => readyForApproval().reworks("rename it"),
  () => readyForApproval().does(wanted).does(updated),
  () =>
    readyForApproval()
      .does(wanted)
      .does({ ...updated, conflicts: ["src/cart.ts"] }),
  () =>
    withComments()
      .implements("T2")
      .reviews({
        noFindings: true,
        answers: [
          { id: "F1", status: "fixed" },
          { id: "F2", status: "fixed" },
        ],
      }),
  () =>
    pair()
      .started()
      .asks("Which?", { options: ["a", "b"] })
      .replies({ choice: "a", message: "this one" }),
  () => pair().started().does({ type: "fail", actor: driver, code: "log.full", message: "no room" }),
  () => pair().started().does({ type: "warn", actor: driver, code: "view.unwritable", message: "read-only" }),
  () => {
    const ready = pair().started().turnStarts();
    const waits = ready.does({ type: "turn-waiting", actor: driver, ...ready.attempt, what: "Allow npm?" });
    return waits.sessionIs("s-2").uses({ input: 10, cached: 2, output: 3, usd: 0.1, context: 0.5 });
  },
  () =>
    underReview()
      .does({ type: "tree-changed", actor: driver, expected: "T1", found: "T9", files: ["src/cart.ts"] })
      .resumes({ tree: { putBack: "p.patch" } }),
  () => pair().started({ notes: ["submodules lib"], base: "B0" }),
  () => play(begin("plan-and-execute", sentAway), sentAway).end,
  () =>
    playedRun("paired", runs.paired ?? {}).end.does({
      type: "unlock",
      actor: operator,
      paths: ["src/cart.ts"],
      reason: "it must change",
    }),
  () =>
    pair()
      .does({ type: "start", actor: operator, seat: "process" })
      .does({ type: "claim-driver", actor: driver, pid: 1, host: "here", seat: "process" })
      .does({ type: "workspace-failed", actor: driver, code: "git.failed", message: "no disk" }),
];

/** The logs, each once. */
export const logs: readonly (readonly Envelope[])[] = [
  ...accidents.map((make) => make().log),
  ...Object.entries({ ...runs, ...others }).map(([name, run]) => playedRun(name, run).end.log),
  ...Object.values(histories).flatMap(({ so, not }) => [so().log, not().log]),
];

export interface Line {
  readonly log: readonly Envelope[];
  readonly at: number;
}

/** Lines after a line that are played. */
const longest = 25;

/** How many lines of a type are looked at. */
const enough = 8;

/** A few lines of a type: of each set of fields the one with about as much behind it as a reader needs. */
export function linesOf(type: EnvelopeType): Line[] {
  const all = logs.flatMap((log) =>
    log.flatMap((envelope, at) => (envelope.type === type ? [{ log: log.slice(0, at + longest), at }] : [])),
  );
  const kindOf = ({ log, at }: Line) =>
    Object.keys(log[at]?.payload ?? {})
      .sort()
      .join(" ");
  const byKind = new Map(
    all.map((line) => [kindOf(line), all.filter((other) => kindOf(other) === kindOf(line))]),
  );
  const far = ({ log, at }: Line) => Math.abs(log.length - at - 12);
  const each = [...byKind].map(([kind, lines]) => ({
    kind,
    line: lines.sort((a, b) => far(a) - far(b))[0] as Line,
  }));
  return each
    .sort((a, b) => b.kind.length - a.kind.length)
    .slice(0, enough)
    .map(({ line }) => line);
}

export const stateBefore = ({ log, at }: Line) => (at === 0 ? undefined : fold(log.slice(0, at)));
