// The commands of a scenario, made from its state as it is: what is due, for the attempt that runs. Nothing here continues it.
import assert from "node:assert/strict";
import type { Effect, EffectOf } from "../core/bubble/due/effect.ts";
import { listDueEffects } from "../core/bubble/due.ts";
import { fold } from "../core/bubble/evolve.ts";
import type { Actor, Command, CommandOf } from "../core/model/command.ts";
import type { BubbleConfig } from "../core/model/config.ts";
import type { Gate, GateResult, Profile } from "../core/model/gate.ts";
import type { Program } from "../core/model/program.ts";
import type { Envelope } from "../core/model/record/envelope.ts";
import type { Usage } from "../core/model/record/usage.ts";
import type { Turn } from "../core/model/state/turn.ts";
import type { State } from "../core/model/state.ts";
import { isReview } from "../core/review/citations.ts";
import { isProducer } from "../core/state/workflow-position.ts";
import { type GivenResult, submitCommand } from "./given.ts";
import { buildAgentActor, driver, getClaimedReview, operator, proveAllPlaces } from "./scenario-actors.ts";

export type Said<T extends Command["type"]> = Partial<Omit<CommandOf<T>, "type" | "actor">>;
export type HandsOver = Said<"handoff">;
export type Ended = CommandOf<"turn-ended">;
export type Attempt = Pick<Ended, "turn" | "attempt">;

export interface BubbleOptions {
  readonly config: BubbleConfig;
  readonly program: Program;
  readonly gates?: readonly Gate[];
  readonly profile?: Partial<Profile>;
  readonly criteria?: readonly string[];
  readonly continues?: CommandOf<"create">["continues"];
  /** The project's pinned knowledge. */
  readonly knowledge?: CommandOf<"create">["knowledge"];
  /** Whose child it is. */
  readonly parent?: CommandOf<"create">["parent"];
}

export function buildCreateCommand({
  config,
  program,
  gates = [],
  profile = {},
  criteria = [],
  continues,
  knowledge,
  parent,
}: BubbleOptions): Command {
  return {
    type: "create",
    actor: operator,
    config,
    program,
    profile: { gates: [...gates], source: "given by flag", confirmed: true, ...profile },
    base_commit: "base",
    task: {
      title: "Fix cart totals",
      criteria: [...criteria],
      artifact: "task.md",
      excerpt: "Totals are wrong.",
    },
    workflow_artifact: "workflow.json",
    ...(continues ? { continues } : {}),
    ...(knowledge ? { knowledge } : {}),
    ...(parent ? { parent } : {}),
  };
}

export class ScenarioCommands {
  readonly log: readonly Envelope[];
  readonly at: string;
  #state: State | undefined;

  constructor(log: readonly Envelope[], at: string, state?: State) {
    this.log = log;
    this.at = at;
    this.#state = state;
  }

  get state(): State {
    this.#state ??= fold(this.log);
    assert.ok(this.#state, "the bubble exists");
    return this.#state;
  }

  get turn(): Turn {
    assert.ok(this.state.turn, `somebody has the turn (step ${this.state.position.step})`);
    return this.state.turn;
  }

  /** The actor of the running turn. */
  get agent(): Actor {
    return buildAgentActor(this.turn);
  }

  /** The driver, speaking for the attempt that runs: this is how a final answer comes in. */
  get answering(): Actor {
    return { ...driver, ...this.attempt };
  }

  /** Which turn, and how often it was started. */
  get attempt(): Attempt {
    return { turn: this.turn.id, attempt: this.turn.attempt };
  }

  get types(): string[] {
    return this.log.map((envelope) => envelope.type);
  }

  /** The newest line of a type. */
  last<T extends Envelope["type"]>(type: T): Extract<Envelope, { type: T }> {
    const found = this.log.findLast((envelope) => envelope.type === type);
    assert.ok(found, `a ${type} was written`);
    return found as Extract<Envelope, { type: T }>;
  }

  owes<K extends Effect["kind"]>(kind: K): EffectOf<K> {
    const effects = listDueEffects(this.state);
    const found = effects.find((effect) => effect.kind === kind);
    assert.ok(
      found,
      `${kind} is due; due are: ${effects.map((effect) => effect.key).join(" ") || "nothing"}`,
    );
    return found as EffectOf<K>;
  }

  /** The gates on the untouched base: green, except for what is said otherwise by name. */
  baseGates(
    statuses: Readonly<Record<string, GateResult["status"]>> = {},
    more: Said<"base-gates-ran"> = {},
  ): Command {
    return {
      type: "base-gates-ran",
      actor: driver,
      tree: this.owes("base-gates").tree,
      results: this.results(statuses),
      changed: [],
      output: "base-gates.txt",
      clean: { included: [] },
      base: {},
      ...more,
    };
  }

  usage(usage: Usage, of: Partial<Attempt> = {}): Command {
    return { type: "usage", actor: driver, ...this.attempt, ...of, usage };
  }

  handoff(tree: string = this.state.tree?.id ?? "T0", more: HandsOver = {}): Command {
    const { turn } = this.owes("snapshot");
    const readsOnly = !isProducer(this.state, turn.role);
    return {
      type: "handoff",
      actor: driver,
      turn: turn.id,
      attempt: turn.attempt,
      tree,
      commit: `commit-of-${tree}`,
      ref: `refs/pairflow/${tree}`,
      files:
        readsOnly || tree === "T0" ? [] : [{ path: "src/cart.ts", status: "modified", added: 3, removed: 1 }],
      problems: [],
      touched: [],
      ...(readsOnly
        ? { facts: proveAllPlaces(getClaimedReview(turn), turn.tree) }
        : { diff: `round-${this.state.round}.diff` }),
      ...getLocked(this.state),
      ...more,
    };
  }

  /** The outcome of the gate run that is due: green, except for what is said otherwise by name. */
  gateRun(statuses: Readonly<Record<string, GateResult["status"]>>, more: Said<"gates-ran"> = {}): Command {
    const { tree } = this.owes("gates");
    return {
      type: "gates-ran",
      actor: driver,
      tree,
      results: this.results(statuses),
      changed: [],
      put_back: [],
      output: "round-001.tests.txt",
      ...more,
    };
  }

  protected results(statuses: Readonly<Record<string, GateResult["status"]>>): GateResult[] {
    return this.state.profile.gates.map((gate) => {
      const status = statuses[gate.name] ?? "passed";
      const { name, command, required } = gate;
      return {
        name,
        command,
        required,
        status,
        exit_code: status === "passed" ? 0 : 1,
        duration_ms: 10,
        excerpt: `${name} says ${status}`,
      };
    });
  }

  /** The gates on a clean checkout: green, except for what is said otherwise by name. */
  finalGates(
    statuses: Readonly<Record<string, GateResult["status"]>> = {},
    more: Said<"final-gates-ran"> = {},
  ): Command {
    return {
      type: "final-gates-ran",
      actor: driver,
      tree: this.owes("final-gates").tree,
      results: this.results(statuses),
      changed: [],
      output: "final-gates.txt",
      clean: { included: [] },
      ...more,
    };
  }

  /** The pass of the agent that has the turn, as a command to try. */
  pass(said: Said<"pass"> = {}): Command {
    return {
      type: "pass",
      actor: this.agent,
      summary: "done",
      digest: getDigest("pass", said),
      ...(isReview(said) ? { facts: proveAllPlaces(said, this.turn.tree) } : {}),
      ...said,
    };
  }

  converged(said: Said<"converged"> = {}): Command {
    return {
      type: "converged",
      actor: this.agent,
      summary: "all good",
      digest: getDigest("converged", said),
      facts: proveAllPlaces(said, this.turn.tree),
      ...said,
    };
  }

  /** Tries a command; the scenario itself stays where it is. */
  tries(command: Command): GivenResult {
    return submitCommand(this.log, this.log.length > 0 ? this.state : undefined, command, this.at);
  }
}

/** Locked artifacts as they were agreed on. */
export function getLocked({ locks = [] }: State): Pick<CommandOf<"commit">, "locked"> {
  return locks.length > 0
    ? { locked: Object.fromEntries(locks.map(({ path, sha256 }) => [path, sha256])) }
    : {};
}

const getDigest = (verb: string, said: object) => `${verb} ${JSON.stringify(said)}`.slice(0, 64);
