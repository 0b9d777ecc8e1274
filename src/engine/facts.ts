// What a review says about files, looked up in git's own objects of exactly the tree it is about: never in the
// worktree, where the reviewer itself has been.
import type { ReviewClaim, ReviewFacts } from "../core/model/command.ts";
import type { Finding } from "../core/model/finding.ts";
import type { State } from "../core/model/state.ts";
import { isKnowledge } from "../core/policy/blindness.ts";
import { redactLeaves } from "../core/redaction/leaves.ts";
import { filesNamed, plainPath } from "../core/review/citations.ts";
import { factsOf, fixedOf, fixingPlaces, type Text } from "../core/review/facts.ts";
import type { FileText } from "../ports/trees.ts";
import { pinnedKnowledge } from "./knowledge.ts";
import type { RecordWorld } from "./world.ts";

type Reading = Pick<RecordWorld, "trees" | "records" | "hash" | "redaction">;

/** The facts the referee judges a review by. The base is read only where the tree itself does not bear it out. */
export async function reviewFacts(world: Reading, state: State, said: ReviewClaim): Promise<ReviewFacts> {
  // The referee never sees a secret: what it will look up must be without secrets as well, on both sides.
  const claim = redactLeaves(said, world.redaction.redact);
  const tree = state.turn?.tree ?? state.tree?.id ?? "";
  const fixed = fixedOf(claim, state.findings);
  const named = filesNamed(claim);
  const files = [...new Set([...named, ...fixed.map(({ file }) => plainPath(file ?? ""))])];
  const opened = fixed.flatMap((finding) => {
    const paths = [plainPath(finding.file ?? ""), ...fixingPlaces(claim, finding).map(({ file }) => file)];
    return paths.map((path) => ({ tree: finding.openedTree, path }));
  });
  const [texts, rules] = await Promise.all([
    textsOf(world, state, [...files.map((path) => ({ tree, path })), ...opened]),
    rulesOf(world, state, claim),
  ]);
  const changed = new Set(state.tree?.files.map(({ path }) => path));
  const judged = (before: Texts) =>
    factsOf(claim, fixed, {
      tree,
      now: (file) => texts.get(`${tree}:${file}`),
      before: (file) => before.get(`${state.baseCommit}:${file}`),
      opened: ({ openedTree }: Finding, file) => texts.get(`${openedTree}:${file}`),
      isRule: (file) => isKnowledge(file) && !changed.has(file),
      ruleText: (id) => rules.get(id),
    });
  const facts = judged(new Map());
  const isBorneOut = Object.values(facts.places).every((problem) => problem === null);
  if (isBorneOut && named.every((file) => facts.files.includes(file))) return facts;
  return judged(
    await textsOf(
      world,
      state,
      named.map((path) => ({ tree: state.baseCommit, path })),
    ),
  );
}

type Texts = ReadonlyMap<string, Text>;

/** Files of pinned trees, by `tree:path`. */
async function textsOf(
  world: Reading,
  state: State,
  wanted: readonly { readonly tree: string; readonly path: string }[],
): Promise<Texts> {
  const read = await world.trees.read(state, wanted);
  return new Map(
    wanted.map(({ tree, path }, i) => [`${tree}:${path}`, textOf(read[i], world.redaction.redact)]),
  );
}

function textOf(read: FileText | undefined, redact: (text: string) => string): Text {
  if (!read || read.kind === "absent") return undefined;
  return read.kind === "text" ? redact(read.text) : null;
}

/** What the SOPs say themselves, where the review answers any. */
async function rulesOf(world: Reading, state: State, claim: ReviewClaim): Promise<Map<string, string>> {
  if (!state.knowledge || !answersSops(claim)) return new Map();
  const read = await pinnedKnowledge(world, state);
  const sops = read.ok ? read.knowledge.sops : [];
  return new Map(sops.map(({ id, requirements, body }) => [id, [...requirements, body].join("\n")]));
}

const answersSops = ({ opinion, checked = [] }: ReviewClaim): boolean =>
  Boolean(opinion?.sop_review.length) ||
  checked.some((entry) => entry.for?.some((id) => id.includes(".sops.")));
