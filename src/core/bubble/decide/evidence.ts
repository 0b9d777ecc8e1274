// What a driver found out about trees: after a turn, after the gates, and when the package is written.

import { headAndTail } from "../../gates/excerpt.ts";
import type { CommandOf, ReviewClaim } from "../../model/command.ts";
import type { PayloadOf } from "../../model/envelope.ts";
import { missingParts } from "../../model/package.ts";
import type { ChangedFile } from "../../model/payloads.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import { clip, fitting } from "../../model/sizes.ts";
import type { State, Turn } from "../../model/state.ts";
import { isWaived, profileProblem, redGates } from "../../policy/convergence.ts";
import { maxRefusals } from "../../policy/limits.ts";
import { loopAgents } from "../../policy/roles.ts";
import { scopeViolations } from "../../policy/scope.ts";
import { reviewRefused } from "../../review/integrity.ts";
import { advance, currentStep } from "../../workflow/interpret.ts";
import type { Book } from "../book.ts";

/** What one line of the transcript holds of a long list or text, in bytes; artifacts have the whole. */
const room = { files: 26_000, touched: 12_000, problems: 8_000, paths: 4_000, excerpts: 24_000 };
const keptFiles = 200;

const notNow = (what: string): Refusal => refuse("driver.not-due", `${what} is not due any more`);

/** The tree after a claimed turn. Accepted, it makes the claim count; refused, the same role goes again with the reason. */
export function handoff(book: Book, command: CommandOf<"handoff">): Refusal | undefined {
  const { turn, lifecycle, program } = book.state;
  if (lifecycle !== "RUNNING" || turn?.status !== "claimed" || turn.id !== command.turn)
    return notNow(`the snapshot of ${command.turn}`);
  const isCritic = turn.role === program.loop.critic;
  const tree = isCritic && onlyAdded(command) ? (book.state.tree?.id ?? command.tree) : command.tree;
  const problems = isCritic
    ? criticTree(book.state, turn, { ...command, tree })
    : producerTree(book.state, turn, command);
  const secrets = fitting(command.secrets ?? [], room.paths);
  if (secrets.length > 0) warnOfSecrets(book, turn, secrets);
  book.write(
    "HANDOFF",
    {
      turn: command.turn,
      attempt: command.attempt,
      tree,
      commit: command.commit,
      ref: command.ref,
      files: fitting(command.files, room.files, keptFiles),
      files_total: command.files.length,
      added: total(command.files, "added"),
      removed: total(command.files, "removed"),
      problems: fitting(
        problems.map((problem) => clip(problem, 1000)),
        room.problems,
      ),
      touched: allOrNone(command.touched),
      ...(command.diff ? { diff: command.diff } : {}),
      ...(command.put_back ? { put_back: command.put_back } : {}),
      ...(secrets.length > 0 ? { secrets } : {}),
      ...(command.context && !isCritic ? { context: command.context } : {}),
    },
    {
      refs: [command.diff, command.put_back]
        .filter((name) => name !== undefined)
        .map((name) => `artifact://${name}`),
    },
  );
  if (problems.length === 0) advance(book, "success", successWhy(turn, isCritic, command.tree));
  else refused(book, turn, problems);
  return undefined;
}

/** Said once for the same places: a person reads it in status, in the log and before signing. */
function warnOfSecrets(book: Book, turn: Turn, secrets: readonly string[]): void {
  if (JSON.stringify(secrets) === JSON.stringify(book.state.tree?.secrets)) return;
  book.write("WARNING", {
    code: "secret.in-tree",
    message: clip(`${turn.agent} wrote what looks like a secret into the tree: ${secrets.join(", ")}`, 1000),
    agent: turn.agent,
    turn: turn.id,
    details: secrets.slice(0, 20).map((place) => clip(place, 1000)),
  });
}

/** Half a list would make untouched lines of touched ones; without a list nothing is said about them. */
function allOrNone(touched: CommandOf<"handoff">["touched"]): CommandOf<"handoff">["touched"] {
  return fitting(touched, room.touched).length === touched.length ? touched : [];
}

function successWhy(turn: Turn, isCritic: boolean, tree: string): string {
  if (isCritic) return `${turn.agent} reviewed`;
  return turn.claim?.pass?.no_change && tree === turn.tree
    ? `${turn.agent} says no change is needed`
    : `${turn.agent} handed over`;
}

const total = (files: readonly ChangedFile[], key: "added" | "removed") =>
  files.reduce((sum, file) => sum + (file[key] ?? 0), 0);

function producerTree(state: State, turn: Turn, command: CommandOf<"handoff">): string[] {
  const outOfScope = scopeViolations(
    command.files.flatMap((file) => (file.from ? [file.from, file.path] : [file.path])),
    state.config.scope,
    state.scopeOverrides,
  );
  const idle = command.files.length === 0 && !turn.claim?.pass?.no_change;
  const nothing = idle ? ["nothing was changed: change files, or pass with --no-change 'reason'"] : [];
  return [...command.problems, ...outOfScope, ...nothing];
}

/** New files a critic left behind were put back and are kept as a patch: what it judged is what it was given. */
function onlyAdded(command: CommandOf<"handoff">): boolean {
  return (
    command.put_back !== undefined &&
    command.files.length > 0 &&
    command.files.every((file) => file.status === "added")
  );
}

function criticTree(state: State, turn: Turn, command: CommandOf<"handoff">): string[] {
  if (command.tree === state.tree?.id)
    return [...command.problems, ...cannotCount(state, turn, command.facts)];
  const files = command.files
    .map((file) => file.path)
    .slice(0, 10)
    .join(", ");
  return [
    `the ${turn.role} changed files (${files || "unknown"}); its review does not count and the files were put back`,
    ...command.problems,
  ];
}

/** The driver's own look at the evidence: the verb was typed where the agent is at home. */
function cannotCount(state: State, turn: Turn, facts: CommandOf<"handoff">["facts"]): string[] {
  const review = turn.claim?.pass ?? turn.claim?.convergence;
  if (!review) return [];
  const claim = { findings: "findings" in review ? (review.findings ?? []) : [], ...reviewParts(review) };
  const refusal = reviewRefused(state, { turn, claim, facts, byOperator: review.by_operator ?? false });
  return refusal ? [refusal.message, ...(refusal.details ?? [])] : [];
}

function reviewParts({
  answers,
  checked,
  opinion,
}: PayloadOf<"PASS"> | PayloadOf<"CONVERGENCE">): ReviewClaim {
  return { answers: answers ?? [], checked: checked ?? [], ...(opinion ? { opinion } : {}) };
}

function refused(book: Book, turn: Turn, problems: readonly string[]): void {
  const said = problems
    .slice(0, 5)
    .map((problem) => clip(problem, 300))
    .join("; ");
  const why = `the handoff of ${turn.agent} was refused: ${said}`;
  const last = book.state.position.refusals >= maxRefusals;
  advance(book, "refused", why);
  if (!last) return;
  book.write(
    "HUMAN_QUESTION",
    {
      question: `${turn.agent} (${turn.role}) was refused ${maxRefusals + 1} times in a row: ${said}. What now?${allowing(book.state, problems)}`,
      kind: "refused",
      ...(book.state.turn ? { turn: book.state.turn.id } : {}),
      options: [{ key: "retry", does: "the agent tries again with your message" }],
    },
    { to: "human" },
  );
}

/** How a person lets files outside the scope through, where that is what is refused. */
function allowing(state: State, problems: readonly string[]): string {
  return problems.some((problem) => problem.endsWith(")") && problem.includes(" (scope."))
    ? ` To allow files outside the scope: pairflow bubble resume --id ${state.bubbleId} --allow '<glob>' --reason "…"`
    : "";
}

/** Gate results bind to one tree. Red → the producer; unrunnable or void twice → a human. */
export function gatesRan(book: Book, command: CommandOf<"gates-ran">): Refusal | undefined {
  const step = currentStep(book.state);
  const { tree, results, changed, put_back, output } = command;
  if (step?.kind !== "gates" || book.state.lifecycle !== "RUNNING" || tree !== book.state.tree?.id)
    return notNow("this gate run");
  const earlier = book.state.gates?.tree === tree ? book.state.gates : undefined;
  const attempt = (earlier?.attempt ?? 0) + 1;
  book.write(
    "GATES_RESULT",
    {
      tree,
      attempt,
      results: shortened(results),
      changed: fitting(changed, room.paths),
      put_back: fitting(put_back, room.paths),
      output,
      ...(command.commit_message === undefined ? {} : { commit_message: command.commit_message }),
    },
    { refs: [`artifact://${output}`] },
  );
  const broken = results.filter(
    (result) => result.required && result.status === "error" && !isWaived(book.state, result.name),
  );
  if (changed.length > 0) {
    if (attempt >= 2)
      askAboutGates(
        book,
        `The gates change files of the tree they judge (${changed.slice(0, 5).join(", ")}), so their result counts for nothing`,
      );
  } else if (broken.length > 0) {
    const hints = broken.map((result) => `${result.name}: ${result.hint ?? "cannot run"}`);
    askAboutGates(book, `A required gate cannot run (${hints.join("; ")})`);
  } else {
    const red = redGates(book.state);
    advance(
      book,
      red.length === 0 ? "success" : "fail",
      red.length === 0
        ? "gates are green on this tree"
        : `${red.join(", ")} failed on this tree; the critic was not asked`,
    );
  }
  return undefined;
}

/** Every result, with as much of its output as all of them leave room for. */
function shortened(results: CommandOf<"gates-ran">["results"]): CommandOf<"gates-ran">["results"] {
  const each = Math.floor(room.excerpts / Math.max(3, results.length));
  return results.map((result) => ({ ...result, excerpt: headAndTail(result.excerpt, each) }));
}

function askAboutGates(book: Book, what: string): void {
  book.write(
    "HUMAN_QUESTION",
    {
      question: `${what}. Mend it, then choose retry.`,
      kind: "gates",
      options: [{ key: "retry", does: "runs the gates again on the same tree" }],
    },
    { to: "human" },
  );
}

/** The package and its digest are on disk: a human is asked to approve exactly that. */
export function packageWritten(book: Book, command: CommandOf<"package-written">): Refusal | undefined {
  const { state } = book;
  if (
    currentStep(state)?.kind !== "approval" ||
    state.lifecycle !== "RUNNING" ||
    command.tree !== state.tree?.id
  )
    return notNow("the package");
  const refs = [`artifact://${command.artifact}`];
  book.write(
    "DONE_PACKAGE",
    {
      package: state.package ?? {},
      tree: command.tree,
      artifact: command.artifact,
      sha256: command.sha256,
      weak: weaknesses(state),
    },
    { to: "human", refs },
  );
  if (!isUnderstood(state)) return askComprehension(book, command.artifact);
  book.write("APPROVAL_REQUEST", { digest: command.digest, tree: command.tree }, { to: "human", refs });
  return undefined;
}

/** A document is signed only by somebody who says in their own words what it means. */
const isUnderstood = ({ config, comprehension, tree }: State) =>
  config.kind !== "document" || comprehension?.tree === tree?.id;

function askComprehension(book: Book, artifact: string): undefined {
  book.write(
    "HUMAN_QUESTION",
    {
      question: `Read ${artifact}: what will be built, for whom, and what will not? Answer in your own words; without that nobody is asked to approve ${book.state.config.document ?? "the document"}.`,
      kind: "comprehension",
      options: [
        { key: "understood", does: "your words are kept on the record, and approval is asked for" },
        { key: "unclear", does: "the author explains it better; your words go with the request" },
      ],
    },
    { to: "human" },
  );
}

/** What an approver should know that no gate shows. */
export function weaknesses(state: State): string[] {
  const weak: string[] = [];
  if (loopAgents(state).length < 2)
    weak.push("weak alternation: one agent reviewed its own work in fresh sessions");
  if (!state.convergence) weak.push("accepted by a human without convergence");
  const profile = profileProblem(state);
  if (profile) weak.push(profile);
  const missing = missingParts(state.package);
  if (missing.length > 0) weak.push(`the package lacks: ${missing.join(", ")}`);
  if (state.profile.not_available) weak.push(`no test command: ${state.profile.not_available}`);
  if (state.waivedGates.length > 0) weak.push(`waived gates: ${state.waivedGates.join(", ")}`);
  for (const [name, reason] of Object.entries(state.gateWaivers ?? {}))
    weak.push(`waived: ${name} (${reason})`);
  if (!state.config.review.require_evidence)
    weak.push("reviews need no evidence here (review.require_evidence = false)");
  for (const { agent, unsure } of state.reviews.filter(({ trusted }) => trusted))
    weak.push(`${agent} was only ${Math.round((unsure ?? 0) * 100)} % sure of its review; a human trusts it`);
  if (state.scopeOverrides.length > 0) weak.push(`scope overridden for: ${state.scopeOverrides.join(", ")}`);
  if (state.unsandboxed.length > 0) weak.push(`without an OS sandbox: ${state.unsandboxed.join(", ")}`);
  if (state.tree?.secrets?.length) weak.push(`looks like a secret: ${state.tree.secrets.join(", ")}`);
  return weak.map((line) => clip(line, 500));
}
