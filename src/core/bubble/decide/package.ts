// The package is on disk: what a human is asked then, and what an approver should know that no gate shows.
import type { CommandOf } from "../../model/command.ts";
import { missingParts } from "../../model/package.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import { clip } from "../../model/sizes.ts";
import type { State } from "../../model/state.ts";
import { profileProblem } from "../../policy/convergence.ts";
import { currentStep } from "../../policy/place.ts";
import { loopAgents } from "../../policy/roles.ts";
import type { Book } from "../book.ts";

/** The package and its digest are on disk: a human is asked to approve exactly that. */
export function packageWritten(book: Book, command: CommandOf<"package-written">): Refusal | undefined {
  const { state } = book;
  if (
    currentStep(state)?.kind !== "approval" ||
    state.lifecycle !== "RUNNING" ||
    command.tree !== state.tree?.id
  )
    return refuse("driver.not-due", "the package is not due any more");
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

/** In no loop of this workflow is there a second agent. */
function reviewsItself(state: State): boolean {
  const { tasks } = state.program;
  if (!tasks) return loopAgents(state).length < 2;
  return tasks.some(({ loop: { producer, critic, chain }, roles }) => {
    if (critic === undefined) return false;
    return new Set([roles[producer], ...(chain ?? [roles[critic]])]).size < 2;
  });
}

/** Loops with exit conditions end without a claim of convergence; what they ended with is said instead. */
function withoutConvergence({ result, tasks = {}, reviews, tree }: State): string[] {
  if (!result) return ["accepted by a human without convergence"];
  const accepted = Object.entries(tasks).filter(([, { status }]) => status === "accepted");
  return [
    ...(result.result === "accepted" && accepted.length === 0 ? [`accepted by a human: ${result.why}`] : []),
    ...accepted.map(([key]) => `${key}: accepted by a human as it is`),
    ...Object.entries(tasks).flatMap(([key, { status }]) =>
      status === "skipped" ? [`${key}: not done`] : [],
    ),
    ...(reviews.some((review) => review.clean && review.tree === tree?.id)
      ? []
      : ["no critic has approved exactly this tree"]),
  ];
}

/** What an approver should know that no gate shows. */
export function weaknesses(state: State): string[] {
  const weak: string[] = [];
  if (reviewsItself(state)) weak.push("weak alternation: one agent reviewed its own work in fresh sessions");
  if (!state.convergence) weak.push(...withoutConvergence(state));
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
