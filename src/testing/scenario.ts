// A whole bubble played in memory, one sentence a step. What a driver would do is answered from `due`, so that a
// scenario cannot report what the referee does not owe. Scenarios are values: each step returns a new one.
import assert from "node:assert/strict";
import { type Effect, type EffectOf, listDueEffects } from "../core/bubble/due.ts";
import { fold } from "../core/bubble/evolve.ts";
import type { Actor, Command, CommandOf, ReviewClaim, ReviewFacts } from "../core/model/command.ts";
import type { BubbleConfig } from "../core/model/config.ts";
import type { Gate, GateResult, Profile } from "../core/model/gate.ts";
import type { Program } from "../core/model/program.ts";
import type { Envelope } from "../core/model/record/envelope.ts";
import type { ProducerPackage } from "../core/model/record/package.ts";
import type { Usage } from "../core/model/record/usage.ts";
import type { State, Turn } from "../core/model/state.ts";
import { isReview } from "../core/review/citations.ts";
import { collectReviewFacts } from "../core/review/facts.ts";
import { listOpenFindings } from "../core/state/severity.ts";
import { isCritic, isProducer } from "../core/state/workflow-position.ts";
import { assertPart, type EnvelopePattern, firstMoment, type GivenResult, submitCommand } from "./given.ts";

export interface BubbleOptions {
  readonly config: BubbleConfig;
  readonly program: Program;
  readonly gates?: readonly Gate[];
  readonly profile?: Partial<Profile>;
  readonly criteria?: readonly string[];
  readonly continues?: CommandOf<"create">["continues"];
  /** The project's pinned knowledge. */
  readonly knowledge?: CommandOf<"create">["knowledge"];
}

type Said<T extends Command["type"]> = Partial<Omit<CommandOf<T>, "type" | "actor">>;
type HandsOver = Said<"handoff">;
type Ended = CommandOf<"turn-ended">;
type Attempt = Pick<Ended, "turn" | "attempt">;

export const operator: Actor = { kind: "operator", via: "terminal" };
export const driver = { kind: "driver", id: "d1" } as const satisfies Actor;

export const wholePackage: ProducerPackage = {
  what: "Discounts apply before tax",
  why: "Totals ignored the discount",
  risks: "Old invoices keep their totals",
  test_plan: "Add two items with code SAVE10",
  commit_message: "fix(cart): apply discount before tax",
};

/** The capability of a turn's attempt, as these scenarios hand it out. */
export const buildCapability = (turn: Pick<Turn, "id">, attempt: number): string =>
  `secret-${turn.id}.${attempt}`;

export function buildAgentActor(turn: Turn): Actor {
  return { kind: "agent", turn: turn.id, attempt: turn.attempt, capability: turn.capability ?? "" };
}

/** A bubble that has been created and nothing more. */
export function createScenarioBubble({
  config,
  program,
  gates = [],
  profile = {},
  criteria = [],
  continues,
  knowledge,
}: BubbleOptions): Scenario {
  const command: Command = {
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
  };
  return new Scenario([], firstMoment).does(command);
}

/** What the turn's verb said about the tree. */
function getClaimedReview({ claim }: Turn): ReviewClaim {
  const { answers = [], checked = [], opinion } = claim?.pass ?? claim?.convergence ?? {};
  return { findings: claim?.pass?.findings ?? [], answers, checked, ...(opinion ? { opinion } : {}) };
}

/** Written as a file: with a folder, or with an ending. */
const looksLikeFile = (word: string): boolean =>
  /^(?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}$|^[A-Z]\w*file$/.test(word);

/** A world in which every place a review cites stands in the tree, and every SOP is about every file. */
export function proveAllPlaces(claim: ReviewClaim, tree = ""): ReviewFacts {
  const nowhere = () => undefined;
  const facts = collectReviewFacts(claim, [], {
    tree,
    names: (word) => (looksLikeFile(word) ? word : undefined),
    now: () => "",
    before: nowhere,
    isRule: () => false,
    opened: nowhere,
    ruleText: nowhere,
    matched: () => [],
    isSop: () => true,
  });
  const places = Object.keys(facts.places).map((key) => [key, null] as const);
  const matched = Object.keys(facts.matched).map((id) => [id, facts.files] as const);
  return { ...facts, places: Object.fromEntries(places), matched: Object.fromEntries(matched) };
}

export class Scenario {
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

  /** Tries a command; the scenario itself stays where it is. */
  tries(command: Command): GivenResult {
    return submitCommand(this.log, this.log.length > 0 ? this.state : undefined, command, this.at);
  }

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

  owes<K extends Effect["kind"]>(kind: K): EffectOf<K> {
    const effects = listDueEffects(this.state);
    const found = effects.find((effect) => effect.kind === kind);
    assert.ok(
      found,
      `${kind} is due; due are: ${effects.map((effect) => effect.key).join(" ") || "nothing"}`,
    );
    return found as EffectOf<K>;
  }

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

  usage(usage: Usage, of: Partial<Attempt> = {}): Command {
    return { type: "usage", actor: driver, ...this.attempt, ...of, usage };
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

  gatesPass(): Scenario {
    return this.does(this.gateRun({}));
  }

  gatesFail(...names: string[]): Scenario {
    const failing = names.length > 0 ? names : this.state.profile.gates.map((gate) => gate.name);
    return this.does(this.gateRun(Object.fromEntries(failing.map((name) => [name, "failed"]))));
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

  private results(statuses: Readonly<Record<string, GateResult["status"]>>): GateResult[] {
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

  /** The artifacts of the task are hashed as they stand in the tree. */
  locks(...paths: string[]): Scenario {
    const { tree } = this.owes("lock");
    const artifacts = (paths.length > 0 ? paths : ["src/cart.ts"]).map((path) => ({
      path,
      sha256: `${path} in ${tree}`,
    }));
    return this.does({ type: "lock", actor: driver, tree, artifacts });
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

  /** The pass of whoever has the turn, as a command to try. */
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

  /** Whoever produces here hands over `tree`; its gates are green, if they are asked for. */
  hands(tree: string, said: Said<"pass"> = {}): Scenario {
    const ready = this.seated();
    assert.ok(isProducer(ready.state, ready.turn.role), `${ready.turn.role} produces`);
    const handed = ready.does(ready.pass({ package: wholePackage, ...said })).handsOver(tree);
    return listDueEffects(handed.state).some((effect) => effect.kind === "gates")
      ? handed.gatesPass()
      : handed;
  }

  /** Whoever criticises here says this; without words it finds nothing, and what was open is fixed. */
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
    const handed = this.implementerPasses(said).handsOver(tree);
    return listDueEffects(handed.state).some((effect) => effect.kind === "gates")
      ? handed.gatesPass()
      : handed;
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

/** Locked artifacts as they were agreed on. */
function getLocked({ locks = [] }: State): Pick<CommandOf<"commit">, "locked"> {
  return locks.length > 0
    ? { locked: Object.fromEntries(locks.map(({ path, sha256 }) => [path, sha256])) }
    : {};
}

const getDigest = (verb: string, said: object) => `${verb} ${JSON.stringify(said)}`.slice(0, 64);

function addSeconds(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1000).toISOString();
}
