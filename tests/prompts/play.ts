// A built-in workflow played in memory to its end, with a stop at every turn that is due. Work fails its gates once, each
// critic objects once and then passes, people say yes: so every role meets its first round and the rounds after it.
import { findBriefedSide } from "../../src/core/briefing/side.ts";
import type { Effect } from "../../src/core/bubble/due/effect.ts";
import { listDueEffects } from "../../src/core/bubble/due.ts";
import { listCompletedChildren } from "../../src/core/interpreter/children.ts";
import { isGateTurn } from "../../src/core/judge/chain.ts";
import type { Command } from "../../src/core/model/command.ts";
import type { CheckedEvidence, NewFinding } from "../../src/core/model/review/finding.ts";
import type { Opinion } from "../../src/core/model/review/verdict.ts";
import type { Turn } from "../../src/core/model/state/turn.ts";
import { listSubjects } from "../../src/core/review/subjects.ts";
import { listOpenFindings } from "../../src/core/state/severity.ts";
import { getCurrentStep, getDialect, getLoop } from "../../src/core/state/workflow-position.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { driver, wholePackage } from "../../src/testing/scenario-actors.ts";
import { exampleOf } from "../core/paper-scene.ts";

/** A turn that is about to start. */
export interface Moment {
  readonly scene: Scenario;
  readonly step: string;
  readonly role: string;
  readonly agent: string;
  /** How often this agent has had this step in this role, this time included. */
  readonly visit: number;
}

/** What happens otherwise than well. */
export interface Script {
  /** How critics send work back the first time, by step; `fixable` unless it is said otherwise. */
  readonly routes?: Readonly<Record<string, NonNullable<Opinion["route"]>>>;
  /** The first join ends in conflicts. */
  readonly conflict?: boolean;
}

const limit = 300;
const over = ["DONE", "CANCELLED", "FAILED", "READY_FOR_APPROVAL"];
const beside = ["notify", "clock", "pair-session", "watch-turn", "deliver"];

export interface Played {
  /** Every turn of the run, in order. */
  readonly moments: readonly Moment[];
  readonly end: Scenario;
}

export function play(begun: Scenario, script: Script = {}): Played {
  const moments: Moment[] = [];
  const done = new Set<string>();
  const isFirst = (what: string) => !done.has(what) && Boolean(done.add(what));
  let scene = begun;
  for (let n = 0; n < limit && !over.includes(scene.state.lifecycle); n++) {
    const effect = listDueEffects(scene.state).find(({ kind }) => !beside.includes(kind));
    if (effect?.kind === "start-turn") moments.push(momentOf(scene, effect.turn, moments));
    scene = advance(scene, effect, { ...script, isFirst });
  }
  if (!over.includes(scene.state.lifecycle)) throw new Error(`no end: ${scene.state.position.step}`);
  return { moments, end: scene };
}

function momentOf(scene: Scenario, { step, role, agent }: Turn, before: readonly Moment[]): Moment {
  const earlier = before.filter((one) => one.step === step && one.role === role && one.agent === agent);
  return { scene, step, role, agent, visit: earlier.length + 1 };
}

interface Playing extends Script {
  readonly isFirst: (what: string) => boolean;
}

/** What happens next: a person answers, somebody speaks, gates run, a driver reports. */
function advance(scene: Scenario, effect: Effect | undefined, playing: Playing): Scenario {
  if (scene.state.questions.length > 0) return answerQuestion(scene);
  if (!effect) throw new Error(`nothing is due in ${scene.state.position.step} (${scene.state.lifecycle})`);
  switch (effect.kind) {
    case "start-turn":
      return speak(scene.turnStarts(), playing);
    case "gates":
      return playing.isFirst("gates") ? scene.gatesFail() : scene.gatesPass();
    case "join":
      return scene.does(joins(scene, Boolean(playing.conflict) && playing.isFirst("join")));
    default:
      return scene.does(outcomeOf(scene, effect));
  }
}

function speak(ready: Scenario, { isFirst, routes = {} }: Playing): Scenario {
  const { state, turn } = ready;
  const step = getCurrentStep(state);
  switch (findBriefedSide(state, turn)) {
    case "critic":
      return isFirst(objector(ready)) ? objects(ready, routes[turn.step] ?? "fixable") : passes(ready);
    case "judge":
      return ready.does(ready.pass({ summary: "It does the task.", score: 0.9 })).handsOver();
    case "author":
      return handsIn(ready, step?.kind === "turn" ? (step.paper ?? "") : "");
    default:
      return makes(ready);
  }
}

/** Of a chain the first critic and the gate object once each, elsewhere whoever is asked first. */
function objector({ state, turn }: Scenario): string {
  const isGate = isGateTurn(state);
  return (getLoop(state).chain?.length ?? 1) > 1 && isGate ? `${turn.step}, the gate` : turn.step;
}

function makes(ready: Scenario): Scenario {
  const summary = "The discount is taken off first. <promise>IMPLEMENTATION_COMPLETE</promise>";
  return ready.does(ready.pass({ summary, package: wholePackage })).handsOver(`T${ready.state.seq}`, {
    ...(ready.state.knowledge ? { context: applies } : {}),
  });
}

const applies = {
  sops: [{ id: "source.doc.sops.money", severity: "error" as const }],
  digest: "d".repeat(64),
};

function handsIn(ready: Scenario, kind: string): Scenario {
  const code = ready.state.tree?.paper?.code ?? ready.state.tree?.id ?? "T0";
  return ready
    .does(ready.pass({ summary: "The paper as it is now.", paper: exampleOf(kind) }))
    .handsOver(`P${ready.state.seq}`, {
      paper: { kind, code },
      files: [{ path: `.pairflow/papers/${kind}.json`, status: "added", added: 9, removed: 0 }],
    });
}

const judgedFile = ({ state: { tree } }: Scenario): string =>
  tree?.paper ? `.pairflow/papers/${tree.paper.kind}.json` : (tree?.files[0]?.path ?? "src/cart.ts");

const found = (file: string): NewFinding => ({
  severity: "P1",
  title: "The empty cart divides by zero",
  area: "core-logic",
  file,
  line: 2,
  quote: "const share = discount / lines.length;",
  why: "an empty cart has no lines, so the share is not a number",
  advice: "return 0 before the loop when there are no lines",
});

function objects(ready: Scenario, route: NonNullable<Opinion["route"]>): Scenario {
  return ready
    .does(
      ready.pass({
        summary: "The empty cart is not handled; the rest is right.",
        findings: [found(judgedFile(ready))],
        answers: answersOf(ready, "open"),
        opinion: opinionOf(ready, { decision: "revise", route }),
      }),
    )
    .handsOver();
}

function passes(ready: Scenario): Scenario {
  return ready
    .does(
      ready.pass({
        summary: "Followed the total from the lines to the tax; every criterion is met.",
        noFindings: true,
        answers: answersOf(ready, "fixed"),
        checked: checkedOf(ready),
        opinion: opinionOf(ready, { decision: "approve" }),
      }),
    )
    .handsOver();
}

const answersOf = ({ state }: Scenario, status: "open" | "fixed") =>
  listOpenFindings(state).map(({ id }) => ({
    id,
    status,
    reason: `looked at ${judgedFile({ state } as Scenario)}:2`,
  }));

const placeOf = (scene: Scenario) => ({
  file: judgedFile(scene),
  line: 2,
  quote: "const discounted = net - discount;",
});

const checkedOf = (scene: Scenario): CheckedEvidence[] =>
  listSubjects(scene.state).map(({ kind, id }) => ({
    ...placeOf(scene),
    ...(kind === "file" ? { file: id } : { for: [id] }),
    why: `the discount is off before the tax is added, which is what ${id} asks`,
  }));

function opinionOf(scene: Scenario, said: Pick<Opinion, "decision" | "route">): Opinion {
  const { state, turn } = scene;
  const dialect = getDialect(state);
  const { route: _route, ...unrouted } = said;
  const sops = state.tree?.context?.sops ?? [];
  return {
    dialect,
    ...(dialect === "verdict" || said.route !== "fixable" ? said : unrouted),
    tree: turn.tree ?? "",
    sop_review: sops.map(({ id }) => ({
      sop_id: id,
      status: "passed" as const,
      evidence: [{ ...placeOf(scene), why: "amounts stay whole cents in this line" }],
      violations: [],
    })),
    patterns: [],
    confidence: 0.9,
    ...(dialect === "decision" ? { quality_checks: checksOf(said.decision === "approve") } : {}),
  };
}

const checksOf = (met: boolean) => ({
  acceptance_criteria_met: met,
  code_standards_met: true,
  test_coverage_adequate: true,
  security_review_passed: true,
});

/** What a driver reports about an effect that is no turn. */
function outcomeOf(scene: Scenario, effect: Effect): Command {
  const actor = driver;
  switch (effect.kind) {
    case "go-on":
      return { type: "go-on", actor, entered: effect.entered };
    case "lock":
      return { type: "lock", actor, tree: effect.tree, artifacts: [{ path: "src/cart.ts", sha256: "s" }] };
    case "context":
      return { type: "context-assembled", actor, tree: effect.tree, context: applies };
    case "start-workflow":
      return {
        type: "workflow-started",
        actor,
        step: effect.step.name,
        workflow: effect.step.workflow,
        bubble: "cart-2",
      };
    case "keep-plan":
      return { type: "plan-kept", actor, step: effect.step.name, act: effect.step.act, slug: "totals" };
    case "child":
      return childSays(scene, effect.child.key);
    case "final-gates":
      return scene.finalGates();
    case "package":
      return {
        type: "package-written",
        actor,
        tree: effect.tree,
        artifact: "done-package.md",
        sha256: "s",
        digest: "d",
      };
    default:
      throw new Error(`${effect.kind} is due in ${scene.state.position.step}, and nobody here does it`);
  }
}

function childSays({ state }: Scenario, key: string): Command {
  const known = state.children?.each.find(({ child }) => child.key === key);
  if (!known?.bubble) return { type: "child-started", actor: driver, key, bubble: `cart-${key}` };
  const tree = `child-${key}`;
  return {
    type: "child-reported",
    actor: driver,
    key,
    bubble: known.bubble,
    status: "completed",
    tree,
    commit: `commit-${tree}`,
    why: "its reviewer approved it",
    package: wholePackage,
  };
}

function joins({ state }: Scenario, hasConflict: boolean): Command {
  const tree = `joined-${state.seq}`;
  return {
    type: "joined",
    actor: driver,
    tree,
    commit: `commit-${tree}`,
    ref: "r",
    files: [{ path: "src/cart.ts", status: "modified", added: 3, removed: 1 }],
    touched: [],
    diff: `round-${state.round}.diff`,
    children: state.children ? listCompletedChildren(state.children).map(({ child }) => child.key) : [],
    conflicts: hasConflict ? ["src/cart.ts"] : [],
  };
}

/** A person takes the first answer that is offered: it is the one that continues. */
function answerQuestion(scene: Scenario): Scenario {
  const [question] = scene.state.questions;
  const choice = question?.options?.[0]?.key;
  const message = "Yes: the discount comes off first, and the tax is added to the rest.";
  return scene.replies({ message, ...(choice ? { choice } : {}) });
}
