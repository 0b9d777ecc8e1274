// What people decide: start, answer, resume, approve, send back, commit, stop.
import type { CommandOf } from "../../model/command.ts";
import { type BubbleConfig, changeableWhileRunning, pinnedAtCreation } from "../../model/config.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import { clip } from "../../model/sizes.ts";
import type { Lifecycle, State } from "../../model/state.ts";
import { roundsSpent } from "../../policy/limits.ts";
import { taskNamed } from "../../policy/place.ts";
import { goTo, producerStep } from "../../workflow/interpret.ts";
import type { Book } from "../book.ts";
import { answerRefused, applyAnswer, runGatesAgain } from "./answer.ts";
import { rolesUnbound } from "./create.ts";
import { via } from "./door.ts";
import { lockProblems } from "./locks.ts";

function expect(state: State, wanted: readonly Lifecycle[], verb: string): Refusal | undefined {
  if (wanted.includes(state.lifecycle)) return undefined;
  const hint =
    state.lifecycle === "CREATED"
      ? `pairflow bubble start --id ${state.bubbleId}`
      : `pairflow bubble status --id ${state.bubbleId}`;
  return refuse(
    `${verb}.wrong-state`,
    `${verb} needs ${wanted.join(" or ")}; ${state.bubbleId} is ${state.lifecycle}`,
    hint,
  );
}

export function configure(book: Book, command: CommandOf<"configure">): Refusal | undefined {
  const keys = Object.keys({ ...book.state.config, ...command.config }) as (keyof BubbleConfig)[];
  const changed = keys.filter(
    (key) => JSON.stringify(book.state.config[key]) !== JSON.stringify(command.config[key]),
  );
  if (changed.length === 0) return undefined;
  const isFresh = book.state.lifecycle === "CREATED";
  const isFrozen = (key: string) =>
    isFresh
      ? (pinnedAtCreation as readonly string[]).includes(key)
      : !(changeableWhileRunning as readonly string[]).includes(key);
  const frozen = changed.filter(isFrozen);
  if (frozen.length > 0) {
    return refuse(
      "config.frozen",
      `bubble.toml changed what is pinned: ${frozen.join(", ")}`,
      `put it back, or delete this bubble and create another; changeable now: ${keys.filter((key) => !isFrozen(key)).join(", ")}`,
    );
  }
  const unbound = rolesUnbound(book.state.program, command.config);
  if (unbound) return unbound;
  book.write("CONFIGURED", { config: command.config, changed }, { from: "human" });
  return undefined;
}

export function start(book: Book, command: CommandOf<"start">): Refusal | undefined {
  if (book.state.lifecycle !== "CREATED") {
    return refuse(
      "start.already",
      `${book.state.bubbleId} was started before; it is ${book.state.lifecycle}`,
      `pairflow bubble resume --id ${book.state.bubbleId}`,
    );
  }
  book.write("START_REQUESTED", { seat: command.seat, via: via(command) }, { from: "human" });
  return undefined;
}

export function reply(book: Book, command: CommandOf<"reply">): Refusal | undefined {
  const { state } = book;
  const question = command.question
    ? state.questions.find((open) => open.id === command.question)
    : state.questions[0];
  if (!question) {
    const asked = command.question
      ? `${command.question} is not an open question`
      : "nothing waits for an answer";
    return refuse(
      "reply.no-question",
      `${asked}; ${state.bubbleId} is ${state.lifecycle}`,
      `pairflow bubble inbox --id ${state.bubbleId}`,
    );
  }
  const problem = answerRefused(state, question, command);
  if (problem) return problem;
  applyAnswer(book, question, command);
  return undefined;
}

/** Back to ping-pong without an answer. Questions that need a choice cannot be passed over. */
export function resume(book: Book, command: CommandOf<"resume">): Refusal | undefined {
  const { state } = book;
  const problem = resumeRefused(state, command);
  if (problem) return problem;
  const putBack = typeof command.tree === "object" ? command.tree.putBack : undefined;
  if (putBack !== undefined)
    book.write(
      "TREE_RESTORED",
      { tree: state.tree?.id ?? "", patch: putBack, via: via(command) },
      { from: "human" },
    );
  if (state.lifecycle !== "WAITING_HUMAN" || (putBack !== undefined && !treeQuestion(state)))
    return undefined;
  const how = putBack !== undefined ? "put-back" : (command.tree ?? "plain");
  book.write("RESUMED", { how: String(how), message: command.message, via: via(command) }, { from: "human" });
  if (command.tree === "keep")
    goTo(
      book,
      "kept",
      { to: producerStep(book.state).name, round: "same", roles: "keep" },
      "a person changed files; go on from them",
    );
  else if (state.questions.some((question) => question.kind === "gates")) runGatesAgain(book);
  return undefined;
}

const treeQuestion = (state: State) => state.questions.find((question) => question.kind === "tree-changed");

/** Questions a person may leave unanswered: the agent, or another try, is the answer. */
const passable = [
  "agent",
  "watchdog",
  "lost-agent",
  "undelivered",
  "refused",
  "gates",
  "context",
  "tree-changed",
];

/** Why the tree may not be put back now, or undefined. Asked before anything is restored: a turn's work is not a stray change. */
export function putBackRefused(state: State): Refusal | undefined {
  const id = `pairflow bubble status --id ${state.bubbleId}`;
  if (!state.tree) return refuse("resume.nothing-to-restore", "no tree was handed over yet", id);
  if (state.turn && !treeQuestion(state)) {
    return refuse("resume.turn-running", `${state.turn.agent} has the turn; its files are not put back`, id);
  }
  return expect(state, ["RUNNING", "WAITING_HUMAN", "READY_FOR_APPROVAL", "APPROVED_FOR_COMMIT"], "resume");
}

function resumeRefused(state: State, { tree }: CommandOf<"resume">): Refusal | undefined {
  const id = `pairflow bubble resume --id ${state.bubbleId}`;
  if (typeof tree === "object" && !treeQuestion(state)) return putBackRefused(state);
  const wrong = expect(state, ["WAITING_HUMAN", "RUNNING", "PREPARING_WORKSPACE"], "resume");
  if (wrong) return wrong;
  if (tree === "keep" && !treeQuestion(state))
    return refuse("resume.nothing-changed", "no changed files wait for a decision", id);
  const choosing = state.questions.find((question) => !passable.includes(question.kind));
  if (choosing)
    return refuse(
      "resume.needs-choice",
      `${choosing.id} needs a choice: ${choosing.options?.map((option) => option.key).join(" | ")}`,
      `pairflow bubble reply --id ${state.bubbleId} --choose ${choosing.options?.[0]?.key} --message "…"`,
    );
  if (treeQuestion(state) && !tree)
    return refuse(
      "resume.tree-changed",
      "say what becomes of the changed files",
      `${id} --keep   or   --put-back`,
    );
  return undefined;
}

export function overrideScope(book: Book, command: CommandOf<"override-scope">): Refusal | undefined {
  if (!command.reason.trim())
    return refuse("scope.no-reason", "an override of the scope needs a reason", '--reason "…"');
  book.write(
    "SCOPE_OVERRIDDEN",
    { paths: [...command.paths], reason: command.reason, via: via(command) },
    { from: "human" },
  );
  return undefined;
}

/** A human waives a gate or a document check by its name: from now on it stops nothing, and the package says so. */
export function waive(book: Book, command: CommandOf<"waive">): Refusal | undefined {
  const known = book.state.profile.gates.map(({ name }) => name);
  const unknown = command.gates.find((name) => !known.includes(name) && !name.startsWith("hook:"));
  if (unknown === "comprehension")
    return refuse("waive.comprehension", "that a human understands the document cannot be waived");
  if (unknown !== undefined || command.gates.length === 0)
    return refuse("waive.unknown", `there is no gate ${unknown ?? ""}`.trim(), `known: ${known.join(", ")}`);
  if (!command.reason.trim()) return refuse("waive.no-reason", "a waiver needs a reason", '--reason "…"');
  book.write(
    "GATES_WAIVED",
    { gates: [...command.gates], reason: command.reason, via: via(command) },
    { from: "human" },
  );
  return undefined;
}

/** The signature: it binds to the digest the human saw, and only while the tree is still that tree. */
export function approve(book: Book, command: CommandOf<"approve">): Refusal | undefined {
  const { state } = book;
  if (state.lifecycle === "APPROVED_FOR_COMMIT")
    return refuse(
      "approve.already",
      `${state.bubbleId} is approved already`,
      `pairflow bubble commit --id ${state.bubbleId}`,
    );
  const wrong = expect(state, ["READY_FOR_APPROVAL"], "approve");
  if (wrong) return wrong;
  if (command.digest !== state.approval?.digest) {
    return refuse(
      "approve.digest",
      "the record no longer gives the digest that asks for approval",
      `pairflow verify --id ${state.bubbleId}`,
    );
  }
  if (command.tree !== state.approval.tree) {
    return refuse(
      "approve.tree-changed",
      "files in the worktree differ from what was reviewed",
      `pairflow bubble resume --id ${state.bubbleId} --put-back`,
    );
  }
  book.write(
    "APPROVAL_DECISION",
    { decision: "approve", digest: command.digest, message: command.message, via: via(command) },
    { from: "human" },
  );
  return undefined;
}

export function requestRework(book: Book, command: CommandOf<"request-rework">): Refusal | undefined {
  const { state } = book;
  const wrong = expect(state, ["READY_FOR_APPROVAL"], "request-rework");
  if (wrong) return wrong;
  if (!command.message.trim()) return refuse("rework.no-message", "say what must change", '--message "…"');
  const decision = command.reject ? "reject" : "revise";
  const step = producerStep(state);
  const grant = step.task === undefined && roundsSpent(state) ? { rounds: 1 } : {};
  book.write(
    "APPROVAL_DECISION",
    { decision, digest: state.approval?.digest ?? "", message: command.message, via: via(command), ...grant },
    { from: "human" },
  );
  const route = { to: step.name, round: "next" as const, roles: "keep" as const };
  const task = taskNamed(state, step.task);
  if (task)
    book.write("TASK_STARTED", { task: task.key, roles: task.roles, why: "a human sends the result back" });
  const why = `the human ${command.reject ? "rejected the result" : "asked for rework"}: ${command.message}`;
  goTo(book, decision, route, why);
  return undefined;
}

/** The commit was written by plumbing; it counts only if it holds the approved tree. */
export function commit(book: Book, command: CommandOf<"commit">): Refusal | undefined {
  const { state } = book;
  const refused = commitRefused(state, command.tree, command.locked);
  if (refused) return refused;
  book.write(
    "COMMITTED",
    { commit: command.commit, tree: command.tree, branch: command.branch, via: via(command) },
    { from: "human" },
  );
  book.write("FINISHED", {});
  return undefined;
}

/** Why these bytes may not be committed now, or undefined. Asked before the commit is written, and again with it. */
export function commitRefused(
  state: State,
  tree: string,
  locked?: CommandOf<"commit">["locked"],
): Refusal | undefined {
  if (
    state.lifecycle === "READY_FOR_APPROVAL" ||
    state.lifecycle === "RUNNING" ||
    state.lifecycle === "WAITING_HUMAN"
  ) {
    return refuse(
      "commit.not-approved",
      `${state.bubbleId} is ${state.lifecycle}: nothing is committed without an approval`,
      `pairflow bubble ${state.lifecycle === "READY_FOR_APPROVAL" ? "approve" : "status"} --id ${state.bubbleId}`,
    );
  }
  const wrong = expect(state, ["APPROVED_FOR_COMMIT"], "commit");
  if (wrong) return wrong;
  if (state.approval?.decision !== "approve")
    return refuse(
      "commit.not-approved",
      "there is no approval",
      `pairflow bubble approve --id ${state.bubbleId}`,
    );
  if (tree !== state.approval.tree) {
    return refuse(
      "commit.tree-changed",
      "the worktree is not what was approved; nothing was committed",
      `pairflow bubble resume --id ${state.bubbleId} --put-back`,
      [`approved tree ${state.approval.tree.slice(0, 12)}, found ${tree.slice(0, 12)}`],
    );
  }
  const [broken, ...others] = lockProblems(state, locked);
  if (broken)
    return refuse(
      "commit.locked",
      "a locked artifact is not what was locked; nothing was committed",
      `pairflow bubble status --id ${state.bubbleId}`,
      [broken, ...others],
    );
  return undefined;
}

export function finish(book: Book): Refusal | undefined {
  const wrong = expect(book.state, ["COMMITTED"], "finish");
  if (wrong) return wrong;
  book.write("FINISHED", {});
  return undefined;
}

export function stop(book: Book, command: CommandOf<"stop">): Refusal | undefined {
  book.write(
    "CANCELLED",
    { reason: clip(command.reason, 2000) || "stopped by the operator", via: via(command) },
    { from: "human" },
  );
  return undefined;
}
