// What a review says about files, looked up in git's own objects of exactly the tree it is about: never in the
// worktree, where the reviewer itself has been.
import { listHits } from "../../core/knowledge/match.ts";
import type { ReviewClaim, ReviewFacts } from "../../core/model/command.ts";
import type { Finding } from "../../core/model/review/finding.ts";
import type { State } from "../../core/model/state.ts";
import { isKnowledge } from "../../core/permission/hidden-paths.ts";
import { redactLeaves } from "../../core/redaction/values.ts";
import { listTypedLocations } from "../../core/review/citations.ts";
import { normalizePath } from "../../core/review/evidence/token.ts";
import { collectReviewFacts, listFixedFindings, listFixLocations } from "../../core/review/facts.ts";
import { listChangedPaths, readPinnedKnowledge } from "./knowledge.ts";
import { findNamedFiles } from "./names.ts";
import { createTextReader, type TreeReading } from "./texts.ts";

/** The facts the referee judges a review by. The base is read only where the tree itself does not bear it out. */
export async function buildReviewFacts(
  world: TreeReading,
  state: State,
  said: ReviewClaim,
): Promise<ReviewFacts> {
  // The referee never sees a secret: what it will look up must be without secrets as well, on both sides.
  const claim = redactLeaves(said, world.redaction.redact);
  const tree = state.turn?.tree ?? state.tree?.id ?? "";
  const texts = createTextReader(world, state);
  const names = await findNamedFiles(world, state, { claim, tree, texts });
  const fixed = listFixedFindings(claim, state.findings);
  const files = [
    ...listTypedLocations(claim).map(({ file }) => file),
    ...fixed.map(({ file }) => normalizePath(file ?? "")),
  ];
  const opened = fixed.flatMap((finding) => {
    const paths = [
      normalizePath(finding.file ?? ""),
      ...listFixLocations(claim, finding, names).map(({ file }) => file),
    ];
    return paths.map((path) => ({ tree: finding.openedTree, path }));
  });
  const [rules] = await Promise.all([
    buildRules(world, state, claim),
    texts.load([...files.map((path) => ({ tree, path })), ...opened]),
  ]);
  const changed = new Set(listChangedPaths(state.tree?.files ?? []));
  const applying = new Set(state.tree?.context?.sops.map(({ id }) => id));
  const inBase = createBaseNames(state);
  const judged = () =>
    collectReviewFacts(claim, fixed, {
      tree,
      names,
      now: (file) => texts.get(tree, file),
      before: (file) => texts.get(state.baseCommit, inBase(file)),
      opened: ({ openedTree }: Finding, file) => texts.get(openedTree, file),
      isRule: (file) => isKnowledge(file) && !changed.has(file),
      ruleText: (id) => rules.get(id)?.text(),
      isSop: (id) => rules.has(id) || applying.has(id),
      matched: (id) => rules.get(id)?.files ?? [...changed],
    });
  const facts = judged();
  if (Object.values(facts.places).every((problem) => problem === null)) return facts;
  const cited = Object.keys(facts.places).map((key) => (JSON.parse(key) as [string])[0]);
  await texts.load(cited.map((path) => ({ tree: state.baseCommit, path: inBase(path) })));
  return judged();
}

/** What was removed of a renamed file stands in the base under its earlier name. */
function createBaseNames({ tree }: State): (file: string) => string {
  const earlier = new Map(tree?.files.flatMap(({ path, from }) => (from ? [[path, from] as const] : [])));
  return (file) => earlier.get(file) ?? file;
}

interface Rule {
  /** What it says itself; asked about few of them. */
  readonly text: () => string;
  /** The changed files it is about. */
  readonly files: readonly string[];
}

/** What the SOPs say themselves, and which changed files they are about, where the review answers any. */
async function buildRules(world: TreeReading, state: State, claim: ReviewClaim): Promise<Map<string, Rule>> {
  if (!state.knowledge || !answersSops(claim)) return new Map();
  const read = await readPinnedKnowledge(world, state);
  const sops = read.ok ? read.knowledge.sops : [];
  const changed = listChangedPaths(state.tree?.files ?? []);
  const waved = new Set(
    (claim.opinion?.sop_review ?? []).flatMap(({ sop_id: id, status }) =>
      status === "not_applicable" ? [id] : [],
    ),
  );
  return new Map(
    sops.map((sop) => [
      sop.id,
      {
        text: () => [...sop.requirements, sop.body].join("\n"),
        files: waved.has(sop.id) ? listHits(sop, changed).map(({ file }) => file) : [],
      },
    ]),
  );
}

const answersSops = ({ opinion, checked = [] }: ReviewClaim): boolean =>
  Boolean(opinion?.sop_review.length) ||
  checked.some((entry) => entry.for?.some((id) => id.includes(".sops.")));
