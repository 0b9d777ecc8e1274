// What a driver found out about the tree after a claimed turn.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { advance } from "../../../interpreter/interpret.ts";
import { maxRefusals } from "../../../limits/rounds.ts";
import type { CommandOf, ReviewClaim } from "../../../model/command.ts";
import type { PayloadOf } from "../../../model/record/envelope.ts";
import type { ChangedFile } from "../../../model/record/payloads/parts.ts";
import type { Turn } from "../../../model/state/turn.ts";
import type { State } from "../../../model/state.ts";
import { clip, takeFitting } from "../../../model/value/sizes.ts";
import { getEffectiveScope } from "../../../permission/plan-scope.ts";
import { findScopeViolations } from "../../../permission/scope.ts";
import { retryOptions } from "../../../questions/common-options.ts";
import { checkReviewIntegrity } from "../../../review/integrity.ts";
import { isCritic, isProducer } from "../../../state/workflow-position.ts";
import { type Rule, refuseNotDue } from "../../decision.ts";
import { listLockProblems } from "./locks.ts";

/** What one line of the transcript holds of a long list or text, in bytes; artifacts have the whole. */
const room = { files: 26_000, touched: 12_000, problems: 8_000, paths: 4_000 };
const keptFiles = 200;

/** The tree after a claimed turn. Accepted, it makes the claim count; refused, the same role goes again with the reason. */
export const decideHandoff: Rule<"handoff"> = (batch, command) => {
  const { turn, lifecycle } = batch.state;
  if (lifecycle !== "RUNNING" || turn?.status !== "claimed" || turn.id !== command.turn)
    return refuseNotDue(`the snapshot of ${command.turn}`);
  if (turn.claim?.pass?.paper) handOffPaper(batch, turn, command);
  else handOffFiles(batch, turn, command);
};

/** Files that were changed, or a review that left them alone. */
function handOffFiles(batch: DecisionBatch, turn: Turn, command: CommandOf<"handoff">): void {
  const readsOnly = !isProducer(batch.state, turn.role);
  const tree = readsOnly && hasOnlyAdded(command) ? (batch.state.tree?.id ?? command.tree) : command.tree;
  const problems = readsOnly
    ? checkCriticTree(batch.state, turn, { ...command, tree })
    : checkProducerTree(batch.state, turn, command);
  const secrets = takeFitting(command.secrets ?? [], room.paths);
  if (secrets.length > 0) warnOfSecrets(batch, turn, secrets);
  writeHandoff(batch, command, {
    tree,
    problems,
    ...(secrets.length > 0 ? { secrets } : {}),
    ...(command.context && !readsOnly ? { context: command.context } : {}),
  });
  if (problems.length > 0) refuseHandoff(batch, turn, problems);
  else acceptHandoff(batch, turn, readsOnly, command.tree);
}

/** A paper's author has changed no file; the paper stands in a tree of its own. */
function handOffPaper(batch: DecisionBatch, turn: Turn, command: CommandOf<"handoff">): void {
  const { paper, context, tree } = command;
  const isOdd = paper === undefined && command.problems.length === 0;
  const problems = isOdd
    ? [describeChangesDuringTurn(turn, command.put_back_files ?? [], "its paper does not count")]
    : command.problems;
  writeHandoff(batch, command, {
    ...{ tree, problems },
    ...(context ? { context } : {}),
    ...(paper ? { paper } : {}),
  });
  if (problems.length > 0) refuseHandoff(batch, turn, problems);
  else advance(batch, "success", `${turn.agent} handed in the ${paper?.kind.replaceAll("-", " ")}`);
}

type Found = Pick<PayloadOf<"HANDOFF">, "tree" | "secrets" | "context" | "paper"> & {
  readonly problems: readonly string[];
};

/** What a driver found, as far as a line has room for it. */
function writeHandoff(batch: DecisionBatch, command: CommandOf<"handoff">, found: Found): void {
  const { tree, problems, ...more } = found;
  const { turn, attempt, commit, ref } = command;
  const kept = { diff: command.diff, put_back: command.put_back };
  const names = Object.entries(kept).filter(([, name]) => name !== undefined);
  batch.write(
    "HANDOFF",
    {
      ...{ turn, attempt, tree, commit, ref },
      ...limitTreeLists(command),
      problems: takeFitting(
        problems.map((problem) => clip(problem, 1000)),
        room.problems,
      ),
      ...Object.fromEntries(names),
      ...(command.put_back_files?.length
        ? { put_back_files: takeFitting(command.put_back_files, room.paths) }
        : {}),
      ...more,
    },
    { refs: names.map(([, name]) => `artifact://${name}`) },
  );
}

function acceptHandoff(batch: DecisionBatch, turn: Turn, readsOnly: boolean, tree: string): void {
  if (turn.claim?.pass?.unread) advanceUnread(batch, turn);
  else advance(batch, "success", explainSuccess(turn, readsOnly, tree));
}

/** Its critic was asked again and again, and never said anything that could be read. */
function advanceUnread(batch: DecisionBatch, turn: Turn): void {
  const error = `${turn.agent} (${turn.role}) said nothing that could be read: ${(turn.claim?.pass?.invalid ?? []).join("; ")}`;
  advance(batch, "fail", clip(error, 2000), { error });
}

/** The lists of a tree as far as a line has room for them, and their totals. */
export function limitTreeLists({ files, touched }: Pick<CommandOf<"handoff">, "files" | "touched">) {
  return {
    files: takeFitting(files, room.files, keptFiles),
    files_total: files.length,
    added: sumFiles(files, "added"),
    removed: sumFiles(files, "removed"),
    touched: keepAllOrNone(touched),
  };
}

/** Said once for the same places: a person reads it in status, in the log and before signing. */
function warnOfSecrets(batch: DecisionBatch, turn: Turn, secrets: readonly string[]): void {
  if (JSON.stringify(secrets) === JSON.stringify(batch.state.tree?.secrets)) return;
  batch.write("WARNING", {
    code: "secret.in-tree",
    message: clip(`${turn.agent} wrote what looks like a secret into the tree: ${secrets.join(", ")}`, 1000),
    agent: turn.agent,
    turn: turn.id,
    details: secrets.slice(0, 20).map((place) => clip(place, 1000)),
  });
}

/** Half a list would make untouched lines of touched ones; without a list nothing is said about them. */
function keepAllOrNone(touched: CommandOf<"handoff">["touched"]): CommandOf<"handoff">["touched"] {
  return takeFitting(touched, room.touched).length === touched.length ? touched : [];
}

function explainSuccess(turn: Turn, readsOnly: boolean, tree: string): string {
  if (turn.claim?.pass?.score !== undefined) return `${turn.agent} scores this tree ${turn.claim.pass.score}`;
  if (readsOnly) return `${turn.agent} reviewed`;
  return turn.claim?.pass?.no_change && tree === turn.tree
    ? `${turn.agent} says no change is needed: ${clip(turn.claim.pass.no_change, 300)}`
    : `${turn.agent} handed over`;
}

const sumFiles = (files: readonly ChangedFile[], key: "added" | "removed") =>
  files.reduce((sum, file) => sum + (file[key] ?? 0), 0);

function checkProducerTree(state: State, turn: Turn, command: CommandOf<"handoff">): string[] {
  const outOfScope = findScopeViolations(
    command.files.flatMap((file) => (file.from ? [file.from, file.path] : [file.path])),
    getEffectiveScope(state),
    state.scopeOverrides,
  );
  const idle = command.files.length === 0 && !turn.claim?.pass?.no_change;
  const nothing = idle ? ["nothing was changed: change files, or pass with --no-change 'reason'"] : [];
  return [...command.problems, ...outOfScope, ...nothing, ...listLockProblems(state, command.locked)];
}

/** New files a critic left behind were put back and are kept as a patch: what it judged is what it was given. */
function hasOnlyAdded(command: CommandOf<"handoff">): boolean {
  return (
    command.put_back !== undefined &&
    command.files.length > 0 &&
    command.files.every((file) => file.status === "added")
  );
}

function checkCriticTree(state: State, turn: Turn, command: CommandOf<"handoff">): string[] {
  if (command.tree === state.tree?.id)
    return [...command.problems, ...explainDiscount(state, turn, command.facts)];
  const files = command.files.map((file) => file.path);
  const then = "its review does not count and the files were put back";
  return [describeChangesDuringTurn(turn, files, then), ...command.problems];
}

/** Who changed files in the worktree of a turn is not known: a person may have, above all while it waited for one. */
export function describeChangesDuringTurn(
  { agent, role, waited }: Pick<Turn, "agent" | "role" | "waited">,
  files: readonly string[],
  then: string,
): string {
  const whose = `the turn of ${agent} (${role})`;
  const when = waited ? `while ${whose} ran or waited for a human` : `during ${whose}`;
  return `files changed ${when}: ${files.slice(0, 10).join(", ") || "unknown"}; ${then}`;
}

/** The driver's own look at the evidence: the verb was typed where the agent is at home. */
function explainDiscount(state: State, turn: Turn, facts: CommandOf<"handoff">["facts"]): string[] {
  const review = turn.claim?.pass ?? turn.claim?.convergence;
  if (!review || !isCritic(state, turn.role) || ("invalid" in review && review.invalid)) return [];
  const claim = {
    findings: "findings" in review ? (review.findings ?? []) : [],
    ...buildReviewParts(review),
  };
  const refusal = checkReviewIntegrity(state, {
    turn,
    claim,
    facts,
    byOperator: review.by_operator ?? false,
  });
  return refusal ? [refusal.message, ...(refusal.details ?? [])] : [];
}

function buildReviewParts({
  answers,
  checked,
  opinion,
}: PayloadOf<"PASS"> | PayloadOf<"CONVERGENCE">): ReviewClaim {
  return { answers: answers ?? [], checked: checked ?? [], ...(opinion ? { opinion } : {}) };
}

function refuseHandoff(batch: DecisionBatch, turn: Turn, problems: readonly string[]): void {
  const said = problems
    .slice(0, 5)
    .map((problem) => clip(problem, 300))
    .join("; ");
  const why = `the handoff of ${turn.agent} was refused: ${said}`;
  const last = batch.state.position.refusals >= maxRefusals;
  advance(batch, "refused", why);
  if (!last) return;
  batch.write("HUMAN_QUESTION", {
    question: `${turn.agent} (${turn.role}) was refused ${maxRefusals + 1} times in a row: ${said}. What now?${suggestAllowing(batch.state, problems)}`,
    kind: "refused",
    ...(batch.state.turn ? { turn: batch.state.turn.id } : {}),
    options: retryOptions(batch.state, "the agent tries again with your message"),
  });
}

/** How a person lets files outside the scope through, where that is what is refused. */
function suggestAllowing(state: State, problems: readonly string[]): string {
  return problems.some((problem) => problem.endsWith(")") && problem.includes(" (scope."))
    ? ` To allow files outside the scope: pairflow bubble resume --id ${state.bubbleId} --allow '<glob>' --reason "…"`
    : "";
}
