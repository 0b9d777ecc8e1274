// Fields of the record that make no difference to a view, a prompt or a decision of the histories here, each with the reason
// why it is kept and, where the shell or a rule outside these histories reads it, the file that does. A new field belongs
// here only if somebody looks for it in the raw line, or such a file is named.
import { configFields } from "./config-fields.ts";
import { programReaders } from "./program-fields.ts";

const door = "who sat where, for whoever asks afterwards; a door that nothing proves is told in the package";
/** What is known of the place; `unproven`, the judgement about it, is read. */
const placed = ["user", "terminal", "leader.pid", "leader.program", "leader.started_at"];
const ancestors = ["ancestors.[].pid", "ancestors.[].program"];
const place = (file: string) => `${file}: how and where it is done, which no view of the core shows`;
const audit = "through which door it came, for whoever asks afterwards";
const escaped =
  "src/core/review/touched-lines.ts: touched lines; a finding on lines that the last change left alone has escaped";
const first = "the protocol's first message; views read the same words from BUBBLE_CREATED and task.md";
const opinion = [
  ...["dialect", "decision", "route", "route_word", "quality_checks.*"],
  ...["sop_id", "status", "evidence", "violations.[]"].map((name) => `sop_review.[].${name}`),
  ...["name", "pattern", "applies_to"].map((name) => `patterns.[].${name}`),
];
const gate = "how the gate is run and judged: src/engine/gates/gate.ts and src/core/gates read it";
const gateFields = [
  ...[
    "timeout_seconds",
    "threshold",
    "report",
    "trigger.[]",
    "working_dir",
    "parallel",
    "isolated",
    "install",
  ],
  ...["success_pattern", "failure_pattern", "allow_empty", "needs.[]"],
];

const each = (path: string, names: readonly string[], reason: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`${path}.${name}`, reason]));

export const exceptions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["BUBBLE_CREATED", "CONFIGURED"].flatMap((type) =>
      configFields.map((name) => [
        `${type}.config.${name}`,
        "shown to be read by tests/config/bubble-keys.test.ts",
      ]),
    ),
  ),
  ...Object.fromEntries(
    Object.entries(programReaders).map(([name, file]) => [
      `BUBBLE_CREATED.program.${name}`,
      `${file}: as the workflow was pinned`,
    ]),
  ),
  "BUBBLE_CREATED.program.name":
    "what the workflow calls itself, for whoever reads the record; screens name its id",
  "BUBBLE_CREATED.program.version": "which version of the workflow it was, for whoever reads the record",
  "CONFIGURED.changed.[]": "the names alone, for records from before `values`; shown where those are missing",

  ...each("BUBBLE_CREATED.profile.gates.[]", gateFields, gate),
  ...each("GATES_ADOPTED.gates.[]", gateFields, gate),
  ...each("CONFIGURED.gates.[]", gateFields, gate),
  ...each("BUBBLE_CREATED.knowledge", ["artifact", "sha256", "sops"], place("src/engine/facts/knowledge.ts")),
  ...each("BUBBLE_CREATED.parent", ["bubble", "key"], place("src/engine/steps/report.ts")),
  "BUBBLE_CREATED.parent.depth": place("src/core/interpreter/children.ts"),
  ...each("BUBBLE_CREATED.lineage.[]", ["bubble", "workflow"], place("src/core/judge/facts.ts")),
  "BUBBLE_CREATED.salvaged.work.tree":
    "src/core/bubble/evolve/creation.ts: the tree on which carried findings were seen last",
  "BUBBLE_CREATED.salvaged.work.round":
    "of which round of the damaged record it is, for whoever compares the two",
  "BUBBLE_CREATED.continues.tree":
    "src/core/bubble/evolve/creation.ts: the tree on which carried findings were seen last; without a change they are not fixed",
  "BUBBLE_CREATED.workflow_artifact": "the workflow as a file, for whoever wants to read it as it was pinned",

  ...Object.fromEntries(
    [
      ...["START_REQUESTED", "UNLOCKED", "HUMAN_REPLY", "GATES_WAIVED", "SCOPE_OVERRIDDEN", "COMMITTED"],
      ...["PAUSED", "PAUSE_ENDED", "APPROVAL_DECISION", "BASE_UPDATE_WANTED"],
    ].flatMap((type) => Object.entries(each(`${type}.door`, [...placed, ...ancestors], door))),
  ),
  ...Object.fromEntries(
    [
      ...["START_REQUESTED", "UNLOCKED", "HUMAN_REPLY", "GATES_WAIVED", "SCOPE_OVERRIDDEN", "COMMITTED"],
      ...["PAUSED", "PAUSE_ENDED", "APPROVAL_DECISION", "BASE_UPDATE_WANTED"],
    ].flatMap((type) =>
      Object.entries(
        each(
          `${type}.door.passkey`,
          ["artifact", "sha256", "key", "name", "synced"],
          "src/app/verify/proofs.ts: the proof is checked against its line again; tests/core/permission/proof.test.ts",
        ),
      ),
    ),
  ),
  "START_REQUESTED.door.unproven":
    "a start grants nothing that is signed; its user is what `second_person` compares",
  "PAUSED.door.unproven": "a pause grants nothing; who sat there is kept for whoever asks afterwards",
  "PAUSE_ENDED.door.unproven":
    "a resumed pause grants nothing; who sat there is kept for whoever asks afterwards",
  "PAUSED.via": audit,
  "PAUSE_ENDED.via": audit,
  "HUMAN_REPLY.via": audit,
  "RESUMED.via": audit,
  "SCOPE_OVERRIDDEN.via": audit,
  "COMMITTED.via": audit,
  "CANCELLED.via": audit,
  "TREE_RESTORED.via": audit,

  "WORKSPACE_READY.tree": "the tree that the worktree began with, for whoever compares it with a later one",
  ...each("WORKSPACE_READY.git", ["artifact", "sha256"], place("src/engine/watch/git.ts")),
  "STEP_ADVANCED.output.*": "src/core/judge/step-facts.ts: what later steps of a workflow may refer to",
  ...each(
    "CHILD_REPORTED.locks.[]",
    ["path", "sha256", "decided_by", "task"],
    "src/core/bubble/decide/driver/children.ts: what a part has locked stays locked when the parts are joined",
  ),
  "CHILD_REPORTED.before.[].bubble": "src/core/bubble/evolve/children.ts: what those have used counts once",
  ...each("HANDOFF.touched.[]", ["path", "ranges.[]"], escaped),
  ...each("JOINED.touched.[]", ["path", "ranges.[]"], escaped),
  ...each("BASE_UPDATED.touched.[]", ["path", "ranges.[]"], escaped),
  "BASE_UPDATED.context.digest": "shows that two critics of one tree were told the same",
  "BASE_UPDATED.context.problem": "src/core/judge/convergence.ts: no critic is asked about such a tree",
  "BASE_UPDATED.commit": place("src/core/state/code-tree.ts"),
  "BASE_UPDATED.ref": "where git keeps the tree",
  "BASE_UPDATED.files.[].from":
    "src/core/permission/scope.ts: scope rules look at both names of a renamed file",
  "BASE_UPDATED.diff": "src/engine/turns/prompt/build.ts: the diff as a file, told to critics by its name",
  "BASE_UPDATE_WANTED.door.unproven": "taking in the base grants nothing that is signed",
  "HANDOFF.paper.code": "src/core/state/code-tree.ts: the tree behind a paper",
  "GATES_RESULT.put_back.[]": "src/core/bubble/decide/gates/results.ts: new files that gates left behind",
  ...each(
    "TASK",
    ["text", "criteria.[]", "gates.[]", "document.tree", "document.artifact", "document.sha256"],
    first,
  ),
  ...each(
    "CONVERGENCE.opinion",
    opinion,
    "judged when it was claimed; a review that is handed in as a pass has the same fields",
  ),
  ...each(
    "CONVERGENCE.evidence",
    [
      "tree",
      "clean_passes.[].round",
      "clean_passes.[].seq",
      "gates.[].name",
      "gates.[].status",
      "reviewers.[]",
      "weak_alternation",
    ],
    "what the claim rested on, for whoever checks the record",
  ),
  ...each(
    "DONE_PACKAGE.package",
    ["why", "risks", "test_plan", "commit_message"],
    "the package as it was signed; views read the same words from the producer's pass",
  ),
  "DRIVER_CLAIMED.driver": "src/core/permission/authority.ts: only the newest driver may report",
  "STEP_ADVANCED.unmet": "src/core/bubble/evolve/turns.ts: a turn step that is passed over starts no turn",
  "CONTEXT_ASSEMBLED.context.digest": "shows that two critics of one tree were told the same",
  "HANDOFF.context.digest": "shows that two critics of one tree were told the same",
  "JOINED.context.digest": "shows that two critics of one tree were told the same",
  "WORKFLOW_STARTED.step": "which step asked for it; the line before it says so too",
  "CHILDREN_OPENED.step": "which step asked for them; the line before it says so too",
  "PLAN_KEPT.step": "which step asked for it; the line before it says so too",
  "CHILD_REPORTED.tree": place("src/engine/steps/join.ts"),
  "CHILD_REPORTED.commit": place("src/engine/steps/join.ts"),
  "CHILD_REPORTED.after.[]": "src/core/bubble/evolve/children.ts: the bubbles whose place it has taken",

  "TURN_STARTED.step": "which step it belongs to; the line before it says so too",
  "TURN_STARTED.tree": "src/engine/facts/review.ts: the tree that a critic judges",
  "TURN_STARTED.output": place("src/engine/turns/conversation.ts"),
  "TURN_SPAWNED.tty": place("src/app/caller/guard.ts"),
  "TURN_ENDED.until": "what the CLI said; the referee's own decision about it is `next.not_before`",
  "TURN_USAGE.role": "in which role it was used, for whoever adds up records",

  "HANDOFF.turn": "src/core/bubble/evolve/evidence.ts: it ends the turn of this id and no other",
  "HANDOFF.attempt": "which attempt handed over, for whoever reads its output",
  "HANDOFF.commit": place("src/core/state/code-tree.ts"),
  "HANDOFF.ref": "where git keeps the tree",
  "HANDOFF.files.[].from": "src/core/permission/scope.ts: scope rules look at both names of a renamed file",
  "JOINED.context.problem": "src/core/judge/convergence.ts: no critic is asked about such a tree",
  "JOINED.commit": place("src/core/state/code-tree.ts"),
  "JOINED.ref": "where git keeps the tree",
  "JOINED.files.[].from": "src/core/permission/scope.ts: scope rules look at both names of a renamed file",

  ...each(
    "GATES_RESULT.results.[]",
    ["tests.passed", "tests.failed", "digest", "missing", "signal", "wrote.[]"],
    "what is known of one gate: its report and what follows from a killed or missing program read it",
  ),
  "GATES_RESULT.results.[].excerpt":
    "src/core/briefing/roles/producer.ts: told to whoever must fix a gate that is not green",
  "GATES_RESULT.results.[].patch":
    "src/core/briefing/roles/producer.ts: told to whoever must fix a gate that writes",
  "GATES_RESULT.changed.[]": "src/core/bubble/decide/gates/results.ts: gates that change files prove nothing",
  "GATES_RESULT.output": "the whole output, as a file beside the record",
  "GATES_RESULT.commit_message": "src/core/judge/convergence.ts: a hook's word counts for this message alone",
  "GATES_RESULT.again.[]": "src/core/judge/convergence.ts: results that are not final count for nothing",

  "TURN_STARTED.fresh":
    "src/core/views/history/timeline.ts: told where a session is new; the histories here have no other",
  "PAIR_SESSION.sha256":
    "src/engine/views/pair-integrity.ts: a view that was changed behind our back is seen",
  "HANDOFF.diff": "src/engine/turns/prompt/build.ts: the diff as a file, told to critics by its name",
  "JOINED.diff": "src/engine/turns/prompt/build.ts: the diff as a file, told to critics by its name",
  "HANDOFF.context.problem": "src/core/judge/convergence.ts: no critic is asked about such a tree",
  "CONVERGENCE.attempt": "which attempt claimed it, for whoever reads its output",
  "CONVERGENCE.claim":
    "src/core/permission/capability.ts: the same claim said twice returns its first outcome",
  "PASS.opinion.dialect": "in which words it was said; what it means is the same in all of them",
  "PASS.checkpoint": "src/core/judge/exit.ts: the roles switch where the task waits for a checkpoint",
  "HUMAN_QUESTION.claim":
    "src/core/permission/capability.ts: the same claim said twice returns its first outcome",
  "PASS.claim": "src/core/permission/capability.ts: the same claim said twice returns its first outcome",
  "PASS.attempt": "which attempt passed, for whoever reads its output",
  "PASS.role": "in which role it was said; the turn before it says so too",
  "PASS.pass_intent": "the protocol's word for what the message asks of the other side",
  "DONE_PACKAGE.artifact": "the package as a file beside the record",
  "DONE_PACKAGE.sha256": "src/app/verify/artifacts.ts: the file is the one that was signed",
  "TREE_CHANGED.expected": "which tree it should have been; git has both",
  "TREE_CHANGED.found": "which tree it was; git has both",
  "COMMITTED.tree": "src/app/verify/committed.ts: the commit is of the approved tree",
  "WARNING.turn": "whose turn it was, for whoever reads its output",
  "HUMAN_REPLY.budgets": "src/core/limits/budget.ts: budgets granted once more",
};
