// What a review says about files, looked up in git's own objects of exactly the tree it is about: never in the
// worktree, where the reviewer itself has been.
import type { ReviewClaim, ReviewFacts } from "../core/model/command.ts";
import type { Finding } from "../core/model/finding.ts";
import type { State } from "../core/model/state.ts";
import { isKnowledge } from "../core/policy/blindness.ts";
import { redactLeaves } from "../core/redaction/leaves.ts";
import { filesNamed, plainPath } from "../core/review/citations.ts";
import { factsOf, fixedOf, type Text } from "../core/review/facts.ts";
import type { FileText } from "../ports/trees.ts";
import { pinnedKnowledge } from "./knowledge.ts";
import type { RecordWorld } from "./world.ts";

type Reading = Pick<RecordWorld, "trees" | "records" | "hash" | "redaction">;

/** The facts the referee judges a review by; one look into git for all of them. */
export async function reviewFacts(world: Reading, state: State, said: ReviewClaim): Promise<ReviewFacts> {
  // The referee never sees a secret: what it will look up must be without secrets as well, on both sides.
  const claim = redactLeaves(said, world.redaction.redact);
  const tree = state.turn?.tree ?? state.tree?.id ?? "";
  const fixed = fixedOf(claim, state.findings);
  const files = [...new Set([...filesNamed(claim), ...fixed.map(({ file }) => plainPath(file ?? ""))])];
  const wanted = [
    ...files.flatMap((path) => [
      { tree, path },
      { tree: state.baseCommit, path },
    ]),
    ...fixed.map(({ openedTree, file }) => ({ tree: openedTree, path: plainPath(file ?? "") })),
  ];
  const [read, rules] = await Promise.all([world.trees.read(state, wanted), rulesOf(world, state, claim)]);
  const texts = new Map(
    wanted.map(({ tree, path }, i) => [`${tree}:${path}`, textOf(read[i], world.redaction.redact)]),
  );
  const changed = new Set(state.tree?.files.map(({ path }) => path));
  return factsOf(claim, fixed, {
    tree,
    now: (file) => texts.get(`${tree}:${file}`),
    before: (file) => texts.get(`${state.baseCommit}:${file}`),
    opened: ({ openedTree, file }: Finding) => texts.get(`${openedTree}:${plainPath(file ?? "")}`),
    isRule: (file) => isKnowledge(file) && !changed.has(file),
    ruleText: (id) => rules.get(id),
  });
}

function textOf(read: FileText | undefined, redact: (text: string) => string): Text {
  if (!read || read.kind === "absent") return undefined;
  return read.kind === "text" ? redact(read.text) : null;
}

/** What the SOPs say themselves, where the review answers any. */
async function rulesOf(world: Reading, state: State, claim: ReviewClaim): Promise<Map<string, string>> {
  if (!state.knowledge || !claim.opinion?.sop_review.length) return new Map();
  const read = await pinnedKnowledge(world, state);
  const sops = read.ok ? read.knowledge.sops : [];
  return new Map(sops.map(({ id, requirements, body }) => [id, [...requirements, body].join("\n")]));
}
