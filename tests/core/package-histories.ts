// For every sentence that a person who signs may read: a history of the record in which it is so, and one in which it is
// not. The two differ in what the sentence speaks of; a sentence without such a pair fails the test beside this file.
import type { CommandOf } from "../../src/core/model/command.ts";
import type { Door } from "../../src/core/model/door.ts";
import { buildSubject } from "../../src/core/permission/proof/door.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { driver, operator, wholePackage } from "../../src/testing/scenario-actors.ts";
import { passkey, sha256 } from "../helpers/passkey.ts";
import { clean, evidenceFor, judging, looked, opinion } from "./integrity-scene.ts";
import { beforeFinalGates, p1, pair, readyForApproval, underReview } from "./pair.ts";
import { building, builtIn, handsIn, objects, passes, running, twoPhases } from "./phase-scene.ts";
import { pairDocument, playing } from "./tasks-play.ts";

export interface History {
  readonly so: () => Scenario;
  readonly not: () => Scenario;
}

const overrides = { type: "override-scope", paths: ["docs/**"], reason: "manual" } as const;
const door = { user: "ada", terminal: "/dev/pts/3" };
const throughDoor = (known: Door) => ({ kind: "operator", via: "terminal", door: known }) as const;
const laptop = passkey();
/** The scope is left by a touch of a key with these flags. */
function byPasskey(flags: number) {
  const subject = buildSubject("cart", sha256("head"), overrides);
  const proof = laptop.prove(subject, { flags });
  const standing = { is: "known", name: "laptop", rpId: laptop.key.rp_id } as const;
  const given = { proof, artifact: "proofs/1.json", sha256: sha256("x"), isSigned: true, standing };
  return { kind: "operator", via: "page", door: { user: "ada" }, proof: given } as const;
}
const solo = { config: { agents: { implementer: "solo", reviewer: "solo" } } };
const ready = () => readyForApproval();
const unsigned = () => beforeFinalGates();
const rejects = { findings: [p1] };

/** One round is all there is, it ended with a finding, and a human takes the work as it is. */
const spent = () =>
  underReview({ config: { max_rounds: 1 } })
    .reviews(rejects)
    .replies({ choice: "accept", message: "ship it" });

/** A plan that its critics objected to twice; a human continues with it all the same. */
const objectedPlan = () => {
  const objected = objects(handsIn(running(twoPhases({ planRounds: 1 })), "plan"));
  const again = objects(handsIn(objected, "plan"));
  return again.replies({ choice: "accept", message: "good enough" }).replies({ choice: "approve" });
};

const tasks = (overlays = "") =>
  pairDocument({
    pair: "max_iterations: 1",
    overlays,
    tasks: "build:\n  agent: dev\n  depends_on: [design]\nnotes:\n  agent: dev",
  });
const allDone = () => playing(tasks()).hands("T1").judges().locks().hands("T2").hands("T3");
const exceeded = () => playing(tasks("hil: { enabled: false }")).hands("T1").judges(rejects).hands("T2");
const oneTask = () => playing(pairDocument({ pair: "max_iterations: 1" })).hands("T1");

const unsure = (confidence: number) =>
  judging().reviews({ ...clean(looked), opinion: opinion({ confidence }) });
const red = () =>
  pair({ config: { max_rounds: 1 } })
    .started()
    .implementerPasses({ package: wholePackage })
    .handsOver("T1")
    .gatesFail();
const said = (more: object): CommandOf<"pass"> => ({
  type: "pass",
  actor: { kind: "operator", via: "terminal", as: "reviewer" },
  summary: "fine",
  digest: "d",
  ...more,
});
const handsOver = (more: object) =>
  pair().started().implementerPasses({ package: wholePackage }).handsOver("T1", more).gatesPass();
/** The gates said this of the base before the work began. */
const onBase = (statuses: Parameters<Scenario["baseGates"]>[0]) => {
  const scene = pair().startedOnBase();
  return scene.does(scene.baseGates(statuses)).implements("T1");
};
/** bubble.toml has another budget when it is read again. */
const configured = (scene: Scenario, max_minutes: number) =>
  scene.does({
    type: "configure",
    actor: operator,
    config: { ...scene.state.config, budget: { max_minutes } },
    readAt: "resume",
  });
const stray = () =>
  underReview().does({ type: "tree-changed", actor: driver, expected: "T1", found: "T9", files: ["x.ts"] });
const litter = {
  put_back: "put-back-001.patch",
  files: [{ path: "notes.txt", status: "added", added: 1, removed: 0 }],
} as const;

/** A plan with one task, done by a child that reports this. */
function childDone(know: NonNullable<CommandOf<"child-reported">["know"]>): Scenario {
  const mission = "The cart tells totals.\n\nSuccess criteria:\n- it does";
  // biome-ignore lint/suspicious/noThenProperty: the criterion's own word.
  const criteria = [{ given: "a cart", when: "it is read", then: "it holds" }];
  const task = { id: "t1", description: "Do it", files: ["src/t1.ts"], criteria, depends_on: [] };
  const agents = { planner: "pat", "plan-reviewer": "ann", integrator: "wim", reviewer: "cleo" };
  const plan = { title: "Totals", mission, constraints: { in: [], out: [], do_not_touch: [] } };
  const child = { actor: driver, key: "t1", bubble: "run-t1" } as const;
  return running(builtIn("auto"), {
    payload: { slug: "totals", papers: { plan, tasks: { tasks: [task] } } },
    config: { agents },
  })
    .does({ type: "child-started", ...child })
    .does({
      type: "child-reported",
      ...child,
      status: "completed",
      tree: "T1",
      commit: "c",
      why: "over",
      know,
    })
    .does({
      ...{ type: "joined", actor: driver, tree: "J1", commit: "c1", ref: "r", touched: [] },
      files: [{ path: "src/t1.ts", status: "added", added: 1, removed: 0 }],
      ...{ children: ["t1"], conflicts: [] },
    });
}

/** Steps of its own, and a question at their end. */
const asking = `
start: work
steps:
  - { name: work, kind: turn, role: worker, session: resumed, answer: handoff, on: { success: ask, refused: work } }
  - { name: ask, kind: question, ask: signal, text: "How now?", on: { accept: over, continue: work, reject: $cancel } }
  - { name: over, kind: end, on: { accepted: approval, approved: approval, completed: approval, rejected: $cancel, routed: $cancel } }
  - { name: approval, kind: approval, on: {} }
`;
const { why: _why, ...withoutWhy } = wholePackage;

export const histories: Readonly<Record<string, History>> = {
  "review.own-work": { so: () => readyForApproval(solo), not: ready },
  "review.none-on-tree": { so: spent, not: ready },
  "review.unpassed-work": {
    so: () => passes(passes(objectedPlan().hands("T1"))),
    not: () => passes(passes(building().hands("T1"))),
  },
  "review.no-evidence-asked": { so: ready, not: () => judging().reviews(clean(looked)) },
  "review.trusted": {
    so: () => unsure(0.5).replies({ choice: "trust", message: "I read it" }),
    not: () => unsure(0.9),
  },
  "review.by-operator": {
    so: () =>
      underReview()
        .does(said({ noFindings: true }))
        .handsOver(),
    not: () => underReview().reviews(),
  },
  "review.criterion-unproven": {
    so: () =>
      judging({ criteria: ["The total is right"], review: { require_evidence: false } }).reviews(
        clean(looked),
      ),
    not: () => judging({ criteria: ["The total is right"] }).reviews(clean(evidenceFor("C1"))),
  },
  "finding.open": {
    so: () => underReview().reviews(rejects),
    not: () =>
      underReview()
        .reviews(rejects)
        .implements("T2")
        .reviews({ noFindings: true, answers: [{ id: "F1", status: "fixed" }] }),
  },
  "finding.waived": { so: spent, not: ready },
  "run.no-convergence": { so: spent, not: ready },
  "run.accepted": {
    so: () =>
      running(asking, { gates: [] }).hands("T1").replies({ choice: "accept", message: "good enough" }),
    not: allDone,
  },
  "task.accepted": {
    so: () => oneTask().judges(rejects).replies({ choice: "accept", message: "good enough" }).locks(),
    not: () => oneTask().judges().locks(),
  },
  "task.exceeded": { so: exceeded, not: allDone },
  "task.not-done": { so: exceeded, not: allDone },
  "task.child": {
    so: () => childDone([{ code: "finding.open", text: "open finding F1 (P2, by rev in round 1): Vague" }]),
    not: () => childDone([]),
  },
  "package.incomplete": {
    so: () => pair().started().implements("T1", { package: withoutWhy }),
    not: () => pair().started().implements("T1"),
  },
  "gates.profile": {
    so: () => underReview({ profile: { confirmed: false } }),
    not: () => underReview(),
  },
  "gates.no-tests": {
    so: () => underReview({ gates: [], profile: { not_available: "a prototype" } }),
    not: () => underReview(),
  },
  "gates.not-green": { so: red, not: () => underReview() },
  "gates.waived": {
    so: () => red().replies({ choice: "accept", message: "known flake", waiveGates: ["test"] }),
    not: () => underReview(),
  },
  "gates.waived-by-name": {
    so: () => underReview().does({ type: "waive", actor: operator, gates: ["test"], reason: "known flake" }),
    not: () => underReview(),
  },
  "gates.flaky": {
    so: () =>
      pair()
        .started()
        .implementerPasses()
        .handsOver("T1")
        .gatesFail()
        .implementerPasses({ noChange: "it is flaky" })
        .handsOver("T1")
        .gatesPass(),
    not: () => underReview(),
  },
  "gates.red-on-base": { so: () => onBase({ test: "failed" }), not: () => onBase({}) },
  "gates.unconfined": {
    so: () => {
      const handed = pair().started().implementerPasses().handsOver("T1");
      const ran = handed.gateRun({}) as CommandOf<"gates-ran">;
      const results = ran.results.map((result) => ({ ...result, sandbox: "none" as const }));
      return handed.does({ ...ran, results });
    },
    not: () => underReview(),
  },
  "gates.network": {
    so: () => {
      const scene = pair().startedOnBase();
      const asked = scene.does(scene.baseGates({ test: "failed" }, { base: { needs_network: ["test"] } }));
      return asked.replies({ choice: "network", message: "" });
    },
    not: () => onBase({ test: "failed" }),
  },
  "gates.in-worktree": { so: () => readyForApproval({ config: { final_gates: "worktree" } }), not: ready },
  "gates.no-clean-run": {
    so: () =>
      unsigned().does(
        unsigned().finalGates({}, { results: [], clean: { included: [], problem: "setup failed" } }),
      ),
    not: ready,
  },
  "gates.red-on-clean": {
    so: () =>
      unsigned()
        .does({ type: "waive", actor: operator, gates: ["test"], reason: "known flake" })
        .does(unsigned().finalGates({ test: "failed" })),
    not: ready,
  },
  "settings.changed": { so: () => configured(underReview(), 9), not: () => configured(pair(), 9).started() },
  "tree.kept-changes": {
    so: () => stray().resumes({ tree: "keep" }),
    not: () => stray().resumes({ tree: { putBack: "p" } }),
  },
  "tree.put-back": {
    so: () => underReview().reviewerPasses().handsOver("T2", litter),
    not: () => underReview().reviews(),
  },
  "tree.scope-overridden": {
    so: () => ready().does({ type: "override-scope", actor: operator, paths: ["docs/**"], reason: "manual" }),
    not: ready,
  },
  "tree.unsandboxed": {
    so: () => underReview().turnStarts({ sandboxed: false }),
    not: () => underReview().turnStarts(),
  },
  ...Object.fromEntries(
    [
      "git.ref-moved",
      "git.own-commits",
      "git.settings-changed",
      "git.settings-kept",
      "git.settings-put-back",
    ].map((code) => [
      code,
      {
        so: () => ready().does({ type: "warn", actor: operator, code, message: `${code}: main moved` }),
        not: () =>
          ready().does({ type: "warn", actor: operator, code: "secret.other", message: "main moved" }),
      },
    ]),
  ),
  "door.unproven": {
    so: () => ready().does({ ...overrides, actor: throughDoor({ ...door, unproven: "no login" }) }),
    not: () => ready().does({ ...overrides, actor: throughDoor(door) }),
  },
  "door.synced-key": {
    so: () => ready().does({ ...overrides, actor: byPasskey(5 + 8) }),
    not: () => ready().does({ ...overrides, actor: byPasskey(5) }),
  },
  "tree.secret": {
    so: () => handsOver({ secrets: ["src/deploy.ts:12 (npm-token)"] }),
    not: () => handsOver({}),
  },
};
