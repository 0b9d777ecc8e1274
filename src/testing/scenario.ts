// A whole bubble played in memory, one sentence a step. What a driver would do is answered from `due`, so that a
// scenario cannot report what the referee does not owe. Scenarios are values: each step returns a new one.
import assert from "node:assert/strict";
import type { Effect } from "../core/bubble/due/effect.ts";
import { listDueEffects } from "../core/bubble/due.ts";
import { fold } from "../core/bubble/evolve.ts";
import type { Command } from "../core/model/command.ts";
import type { Usage } from "../core/model/record/usage.ts";
import type { State } from "../core/model/state.ts";
import { listOpenFindings } from "../core/state/severity.ts";
import { isCritic, isProducer } from "../core/state/workflow-position.ts";
import { assertPart, type EnvelopePattern, firstMoment, type GivenResult } from "./given.ts";
import { buildCapability, driver, operator, wholePackage } from "./scenario-actors.ts";
import {
  type Attempt,
  type BubbleOptions,
  buildCreateCommand,
  type Ended,
  getLocked,
  type HandsOver,
  type Said,
  ScenarioCommands,
} from "./scenario-commands.ts";
/** A bubble that has been created and nothing more. */
export function createScenarioBubble(options: BubbleOptions): Scenario {
  return new Scenario([], firstMoment).does(buildCreateCommand(options));
}

export class Scenario extends ScenarioCommands {
  /** A command that must be accepted; a second passes. */
  does(command: Command): Scenario {
    return this.after(this.tries(command).accepted());
  }

  /** Continues after an outcome, refused or not. */
  after(outcome: GivenResult): Scenario {
    return new Scenario(
      outcome.log,
      addSeconds(this.at, 1),
      fold(outcome.written, this.log.length > 0 ? this.state : undefined),
    );
  }

  minutesLater(minutes: number): Scenario {
    return new Scenario(this.log, addSeconds(this.at, minutes * 60), this.state);
  }

  has(part: EnvelopePattern<State>): Scenario {
    assertPart(this.state, part, "state");
    return this;
  }

  // What drivers do: only what is due.

  owesNo(kind: Effect["kind"]): Scenario {
    assert.deepEqual(
      listDueEffects(this.state).filter((effect) => effect.kind === kind),
      [],
    );
    return this;
  }

  /** start, workspace, driver: the implementer's first turn is due. */
  started(more: Said<"workspace-ready"> = {}): Scenario {
    const starting = this.does({ type: "start", actor: operator, seat: "process" });
    starting.owes("prepare");
    return starting
      .does({ type: "claim-driver", actor: driver, pid: 1, host: "here", seat: "process" })
      .does({
        type: "workspace-ready",
        actor: driver,
        path: "/work/cart",
        branch: "bubble/cart",
        tree: "T0",
        notes: [],
        ...more,
      });
  }

  /** The same on a base that the gates are run on first. */
  startedOnBase(more: Said<"workspace-ready"> = {}): Scenario {
    return this.started({ base: "B0", ...more });
  }

  turnStarts(more: Said<"turn-started"> = {}): Scenario {
    const { turn } = this.owes("start-turn");
    const attempt = turn.attempt + 1;
    const id = `${turn.id}.${attempt}`;
    return this.does({
      type: "turn-started",
      actor: driver,
      turn: turn.id,
      attempt,
      capability: buildCapability(turn, attempt),
      session: `session-${turn.agent}-${turn.role}`,
      fresh: false,
      tree: this.state.tree?.id ?? "T0",
      prompt: `prompts/${id}.md`,
      output: `/out/${id}.log`,
      seat: "tmux",
      sandboxed: true,
      ...more,
    }).does({ type: "turn-spawned", actor: driver, turn: turn.id, attempt, pid: 100 });
  }

  turnEnds(
    outcome: Ended["outcome"] = "crashed",
    more: Pick<Said<"turn-ended">, "detail" | "until" | "sessionless"> = {},
  ): Scenario {
    return this.does({
      type: "turn-ended",
      actor: driver,
      ...this.attempt,
      outcome,
      detail: "exit 1",
      ...more,
    });
  }

  /** The agent's CLI has said what the attempt used: the one that runs, unless another is named. */
  uses(usage: Usage, of: Partial<Attempt> = {}): Scenario {
    return this.does(this.usage(usage, of));
  }

  /** The agent's CLI has chosen the id of its session itself. */
  sessionIs(session: string): Scenario {
    return this.does({ type: "turn-session", actor: driver, ...this.attempt, session });
  }

  /** Somebody looks whether a budget is used up, and it is. */
  budgetIsChecked(): Scenario {
    return this.does({ type: "check-budget", actor: driver });
  }

  /** The tree after a claim; without a name, the tree it was before. */
  handsOver(tree?: string, more: HandsOver = {}): Scenario {
    return this.does(this.handoff(tree, more));
  }

  gatesPass(): Scenario {
    return this.does(this.gateRun({}));
  }

  private gatesPassIfDue(): Scenario {
    return listDueEffects(this.state).some(({ kind }) => kind === "gates") ? this.gatesPass() : this;
  }

  gatesFail(...names: string[]): Scenario {
    const failing = names.length > 0 ? names : this.state.profile.gates.map((gate) => gate.name);
    return this.does(this.gateRun(Object.fromEntries(failing.map((name) => [name, "failed"]))));
  }

  /** The artifacts of the task are hashed as they stand in the tree. */
  locks(...paths: string[]): Scenario {
    const { tree } = this.owes("lock");
    const artifacts = (paths.length > 0 ? paths : ["src/cart.ts"]).map((path) => ({
      path,
      sha256: `${path} in ${tree}`,
    }));
    return this.does({ type: "lock", actor: driver, tree, artifacts });
  }

  /** The final run is green, unless it was made before. */
  finallyGreen(): Scenario {
    return listDueEffects(this.state).some(({ kind }) => kind === "final-gates")
      ? this.does(this.finalGates())
      : this;
  }

  packageWritten(digest = "digest-1"): Scenario {
    const ready = this.finallyGreen();
    const { tree } = ready.owes("package");
    return ready.does({
      type: "package-written",
      actor: driver,
      tree,
      artifact: "done-package.md",
      sha256: "sha",
      digest,
    });
  }

  private seated(role?: string): Scenario {
    const ready = this.turn.status === "due" && this.state.lifecycle === "RUNNING" ? this.turnStarts() : this;
    if (role) assert.equal(ready.turn.role, role, `it is the ${role}'s turn`);
    return ready;
  }

  /** The producer here hands over `tree`; its gates are green, if they are asked for. */
  hands(tree: string, said: Said<"pass"> = {}): Scenario {
    const ready = this.seated();
    assert.ok(isProducer(ready.state, ready.turn.role), `${ready.turn.role} produces`);
    return ready
      .does(ready.pass({ package: wholePackage, ...said }))
      .handsOver(tree)
      .gatesPassIfDue();
  }

  /** The reviewer here says this; without words it finds nothing, and what was open is fixed. */
  judges(said: Said<"pass"> = {}): Scenario {
    const ready = this.seated();
    assert.ok(isCritic(ready.state, ready.turn.role), `${ready.turn.role} judges`);
    const open = listOpenFindings(ready.state);
    const status = said.findings || said.opinion?.decision === "revise" ? "open" : "fixed";
    const answers = open.map(({ id }) => ({ id, status }) as const);
    const nothing = said.findings ? {} : { noFindings: true };
    const { tree = "" } = ready.turn;
    const opinion = said.opinion ? { opinion: { tree, ...said.opinion } } : {};
    return ready.does(ready.pass({ ...nothing, answers, ...said, ...opinion })).handsOver();
  }

  implementerPasses(said: Said<"pass"> = { package: wholePackage }): Scenario {
    const ready = this.seated("implementer");
    return ready.does(ready.pass(said));
  }

  reviewerPasses(said: Said<"pass"> = { noFindings: true }): Scenario {
    const ready = this.seated("reviewer");
    return ready.does(ready.pass(said));
  }

  reviewerConverges(said: Said<"converged"> = {}): Scenario {
    const ready = this.seated("reviewer");
    return ready.does(ready.converged(said));
  }

  asks(question: string, more: Said<"ask-human"> = {}): Scenario {
    const ready = this.seated();
    return ready.does({
      type: "ask-human",
      actor: ready.agent,
      question,
      digest: `ask ${question}`,
      ...more,
    });
  }

  /** The agent whose turn it is has its process running. */
  atWork(): Scenario {
    return this.seated();
  }

  /** The implementer makes `tree`, with the whole package, and its gates are green. */
  implements(tree: string, said: Said<"pass"> = { package: wholePackage }): Scenario {
    return this.implementerPasses(said).handsOver(tree).gatesPassIfDue();
  }

  /** The reviewer passes and leaves the tree alone. */
  reviews(said: Said<"pass"> = { noFindings: true }): Scenario {
    return this.reviewerPasses(said).handsOver();
  }

  replies(said: Said<"reply">): Scenario {
    return this.does({ type: "reply", actor: operator, message: "", ...said });
  }

  pauses(said: Said<"pause"> = {}): Scenario {
    return this.does({ type: "pause", actor: operator, message: "", now: false, ...said });
  }

  resumes(said: Said<"resume"> = {}): Scenario {
    return this.does({ type: "resume", actor: operator, message: "", ...said });
  }

  approves(): Scenario {
    const { approval } = this.state;
    return this.does({
      type: "approve",
      actor: operator,
      digest: approval?.digest ?? "",
      tree: approval?.tree ?? "",
      message: "",
    });
  }

  reworks(message: string, reject = false): Scenario {
    return this.does({ type: "request-rework", actor: operator, message, reject });
  }

  commits(): Scenario {
    return this.does({
      type: "commit",
      actor: operator,
      commit: "c0ffee",
      tree: this.state.approval?.tree ?? "",
      branch: "bubble/cart",
      ...getLocked(this.state),
    });
  }

  stops(reason = "enough"): Scenario {
    return this.does({ type: "stop", actor: operator, reason });
  }
}

function addSeconds(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1000).toISOString();
}
