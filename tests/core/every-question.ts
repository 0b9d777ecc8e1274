// One bubble in memory for every kind of question that a record can hold. The table is closed: a new kind has no scene and does
// not compile.
import type { QuestionKind, StepQuestion } from "../../src/core/model/record/question-kind.ts";
import { questionOutcomes } from "../../src/core/workflow/outcomes.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { driver } from "../../src/testing/scenario-actors.ts";
import { beforeFinalGates, p1, p3, pair, readyForApproval, underReview } from "./pair.ts";
import { designing } from "./pair-session-scene.ts";
import { loaded } from "./workflow-written.ts";

const handsOver = {
  ...{ name: "work", kind: "turn", role: "implementer", answer: "handoff", session: "resumed" },
  on: { success: "ask", refused: "work" },
};
const sign = { name: "sign", kind: "approval", on: {} };

/** A workflow whose own step asks when the first tree is handed over. */
function askedByStep(ask: StepQuestion): Scenario {
  const on = questionOutcomes[ask]?.map((key, i) => [
    key,
    key === "reject" ? "$cancel" : i === 0 ? "sign" : { to: "work", round: "next" },
  ]);
  const steps = [handsOver, { name: "ask", kind: "question", ask, on: Object.fromEntries(on ?? []) }, sign];
  const { program } = loaded({ id: "asks", start: "work", steps });
  return pair({ program }).started().implementerPasses().handsOver("T1");
}

const sopsUnread = { sops: [], digest: "d", problem: "the SOPs cannot be read" };

function contextIsMissing(): Scenario {
  const look = {
    ...{ name: "look", kind: "turn", role: "reviewer", answer: "findings", session: "fresh" },
    on: { success: "sign", refused: "look" },
  };
  const steps = [{ ...handsOver, on: { success: "look", refused: "work" } }, look, sign];
  const { program } = loaded({ id: "reviewed", start: "work", steps });
  const scene = pair({ program }).started().implementerPasses().handsOver("T1", { context: sopsUnread });
  const { tree } = scene.owes("context");
  return scene.does({ type: "context-assembled", actor: driver, tree, context: sopsUnread });
}

function timeIsUp(): Scenario {
  const steps = [{ ...handsOver, on: { success: "sign", refused: "work" } }, sign];
  const { program } = loaded({ id: "timed", timeout: "20m", start: "work", steps });
  const scene = pair({ program }).started();
  const { what, entered } = scene.owes("clock");
  return scene.minutesLater(30).does({ type: "time-up", actor: driver, what, entered });
}

function nobodyReads(): Scenario {
  const said = pair().started().asks("Which?").replies({ message: "the first" });
  const report = (scene: Scenario, status: "sent" | "undelivered") => {
    const { message, turn } = scene.owes("deliver").delivery;
    return scene.does({ type: "delivered", actor: driver, message, turn, status });
  };
  return report(report(report(said, "sent"), "sent"), "undelivered");
}

function tooDeep(): Scenario {
  const steps = [
    {
      ...{ name: "fan", kind: "children", wait: "all", children: [{ key: "a", workflow: "paired" }] },
      on: { joined: "sign", conflict: "sign", failed: "sign" },
    },
    sign,
  ];
  const { program } = loaded({ id: "deep", start: "fan", steps });
  const parent = { bubble: "above", key: "a", depth: 2 };
  return pair({ program, parent }).started();
}

const refusedHandoffs = (): Scenario => {
  const empty = (scene: Scenario) => scene.implementerPasses().handsOver("T0", { files: [] });
  return empty(empty(empty(pair().started())));
};

const git = { artifact: "git-settings-1.json", sha256: "a".repeat(64) };

export const everyQuestion: Readonly<Record<QuestionKind, () => Scenario>> = {
  agent: () =>
    pair()
      .started()
      .asks("Keep the old total?", { options: ["keep", "drop"] }),
  exhausted: () => underReview({ config: { max_rounds: 1 } }).reviews({ findings: [p1] }),
  stuck: () => askedByStep("stuck"),
  unsure: () => askedByStep("unsure"),
  dispute: () => askedByStep("dispute"),
  "tie-break": () => underReview().reviews({ findings: [p3] }),
  "sign-off": () => askedByStep("sign-off"),
  signal: () => askedByStep("signal"),
  conflict: () => askedByStep("conflict"),
  "child-failed": () => askedByStep("child-failed"),
  commands: () => askedByStep("commands"),
  "too-often": () => askedByStep("too-often"),
  refused: refusedHandoffs,
  "lost-agent": () => pair().started().atWork().turnEnds("auth"),
  undelivered: nobodyReads,
  watchdog: () => pair().started().atWork().minutesLater(120).does({ type: "watchdog", actor: driver }),
  timeout: timeIsUp,
  budget: () =>
    pair({ config: { budget: { max_tokens: 10 } } })
      .started()
      .atWork()
      .uses({ input: 10, output: 1 })
      .budgetIsChecked(),
  "base-gates": () => {
    const scene = pair().startedOnBase();
    return scene.does(scene.baseGates({}, { results: [], clean: { included: [], problem: "setup failed" } }));
  },
  gates: () => {
    const scene = pair().started().implementerPasses().handsOver("T1");
    return scene.does(scene.gateRun({ test: "error" }));
  },
  "final-gates": () => {
    const scene = beforeFinalGates();
    return scene.does(
      scene.finalGates({}, { results: [], clean: { included: [], problem: "setup failed" } }),
    );
  },
  context: contextIsMissing,
  "tree-changed": () =>
    underReview().does({
      ...{ type: "tree-changed", actor: driver, expected: "T1", found: "T9", files: ["src/cart.ts"] },
    }),
  "git-settings": () =>
    pair()
      .started({ git })
      .does({
        type: "git-changed",
        actor: driver,
        ...git,
        sha256: "b".repeat(64),
        changes: ["core.fsmonitor added"],
      }),
  "pair-corrupt": () => {
    const scene = designing();
    const [task = ""] = Object.keys(scene.state.tasks ?? {});
    const lost = { task, problem: "its hash is another one", artifact: "pair-sessions/design.json" };
    return scene.does({ type: "pair-corrupt", actor: driver, ...lost });
  },
  depth: tooDeep,
  comprehension: () => readyForApproval({ config: { kind: "document", document: "docs/cart.md" } }),
};
