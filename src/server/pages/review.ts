// The payloads of a review: what differs between two trees of a bubble's record, and the rows of one file.
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { findCarriedLine } from "../../app/record/review/carried-lines.ts";
import { buildTreeDiffs } from "../../app/record/review/diffs.ts";
import { buildReviewEvidence } from "../../app/record/review/evidence.ts";
import type { PageComment } from "../../core/model/page/notes.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import type { Change } from "../../core/text/diff/raw.ts";
import type { PlacedComment } from "../../core/views/page/review/comments.ts";
import { buildDiffFile, buildDiffHunks, type FileDiffPage } from "../../core/views/page/review/diff.ts";
import { groupEvidence } from "../../core/views/page/review/evidence.ts";
import { buildFindingLives } from "../../core/views/page/review/findings.ts";
import {
  buildBrief,
  buildSignView,
  listCriterionViews,
  listGateRows,
  listSignSentences,
  listTreeChoices,
  type PinnedFinding,
  type ReviewPage,
  type TreeChoice,
} from "../../core/views/page/review/payload.ts";
import { coverSecrets } from "../../core/views/page/review/secrets.ts";
import { buildRoundsView } from "../../core/views/page/rounds.ts";
import { buildReviewTrail } from "../../core/views/review/trail.ts";
import { loadGood } from "../../engine/front/command.ts";
import { formatHead } from "../../ports/record/log.ts";
import type { Grants } from "../commands/grants.ts";
import type { Notes } from "../session/notes.ts";
import { buildHeader } from "./bubble.ts";
import { listLines } from "./lines/kept.ts";
import { loadNamedState, type NamedBubble } from "./record.ts";

export interface ReviewDependencies {
  readonly notes: Notes;
  readonly grants: Grants;
}

export async function readReviewPage(
  repositories: readonly KnownRepository[],
  named: NamedBubble,
  query: URLSearchParams,
  dependencies: ReviewDependencies,
): Promise<Omit<ReviewPage, "words">> {
  const state = await loadNamedState(named);
  const envelopes = await listLines(named);
  const trees = listTreeChoices(state, buildRoundsView(envelopes, buildReviewTrail(envelopes)));
  const { from, to } = chooseTrees(state, trees, query);
  const changes = await buildTreeDiffs().changes(state, from.id, to.id);
  const evidence = await buildReviewEvidence(named.world, named.bubble);
  const isDriven = (await named.world.runtime.living(named.bubble)) !== undefined;
  const { path } = named.repository;
  const notes = dependencies.notes.read(path, named.bubble);
  const { head } = await loadGood(named.world, named.bubble);
  return {
    ...buildHeader(repositories, named, state, isDriven),
    page: "review",
    from,
    to,
    trees,
    newer: await findNewer(state, trees, to),
    files: changes.map(buildDiffFile),
    findings: await pinFindings(state, to.id, buildFindingLives(envelopes, state)),
    comments: await placeComments(state, to.id, notes.comments),
    evidence: groupEvidence(listCriterionViews(state), evidence.evidence),
    gates: listGateRows(state),
    gates_clean: state.gates?.clean !== undefined,
    know: listSignSentences(state),
    notes,
    sign: buildSignView(state, {
      head: formatHead(head, named.world.log.hashOf(head)),
      isShown: from.id === state.baseCommit && to.id === state.approval?.tree,
      asked: dependencies.grants.about(path, named.bubble, state.approval?.digest ?? ""),
      has_terminal: dependencies.grants.hasTerminal,
    }),
    brief: buildBrief(state),
  };
}

/** Offered, never swapped in: who reads decides when. */
async function findNewer(
  state: State,
  trees: readonly TreeChoice[],
  shown: TreeChoice,
): Promise<ReviewPage["newer"]> {
  const newest = trees.find(({ id }) => id === state.tree?.id);
  if (!newest || newest.id === shown.id) return null;
  const changes = await buildTreeDiffs().changes(state, shown.id, newest.id);
  return { ...newest, changed: changes.length };
}

/** Only trees of this record are compared; without a wish the whole change. */
function chooseTrees(state: State, trees: readonly TreeChoice[], query: URLSearchParams) {
  const wanted = (name: string, usual: string | undefined): TreeChoice => {
    const id = query.get(name) || usual;
    const found = trees.find((tree) => tree.id === id);
    if (found) return found;
    const message = id
      ? "the record names no such tree"
      : `nothing has been handed over in ${state.bubbleId} yet`;
    throw refuse("page.tree", message, `pairflow log --id ${state.bubbleId} --type HANDOFF`);
  };
  return { from: wanted("from", state.baseCommit), to: wanted("to", state.tree?.id) };
}

/** Each finding at the line where its own line is now. */
async function pinFindings(
  state: State,
  to: string,
  lives: readonly Omit<PinnedFinding, "at">[],
): Promise<PinnedFinding[]> {
  return Promise.all(
    lives.map(async (finding) => {
      const { file, line, tree } = finding;
      if (file === null || line === null) return { ...finding, at: line };
      return { ...finding, at: await findCarriedLine(state, { file, line, tree }, to) };
    }),
  );
}

/** The same for comments that are not sent yet: a newer tree loses none of them. */
async function placeComments(
  state: State,
  to: string,
  comments: readonly PageComment[],
): Promise<PlacedComment[]> {
  return Promise.all(
    comments.map(async (comment) => {
      const { path: file, line, tree } = comment;
      return { ...comment, at: await findCarriedLine(state, { file, line, tree }, to) };
    }),
  );
}

const usualContext = 3;
const wholeFile = 100_000;

/** One file of the change; its path must be one of those that differ. */
export async function readFileDiff(
  _repositories: readonly KnownRepository[],
  named: NamedBubble,
  query: URLSearchParams,
): Promise<FileDiffPage> {
  const state = await loadNamedState(named);
  const envelopes = await listLines(named);
  const trees = listTreeChoices(state, buildRoundsView(envelopes, buildReviewTrail(envelopes)));
  const { from, to } = chooseTrees(state, trees, query);
  const change = (await buildTreeDiffs().changes(state, from.id, to.id)).find(
    ({ path }) => path === query.get("path"),
  );
  if (!change) throw refuse("page.file", "this file does not differ between the two trees");
  const context = query.get("whole") === "1" ? wholeFile : usualContext;
  const patch = await buildTreeDiffs().patch(state, { from: from.id, to: to.id }, change, context);
  const hunks = patch.kind === "text" ? buildDiffHunks(patch.latin1) : null;
  const find = query.get("secrets") === "1" ? () => [] : named.world.redaction.find;
  const shown = hunks ? coverSecrets(hunks, find) : { hunks: null, secrets: 0 };
  return {
    page: "file",
    path: change.path,
    from: from.id,
    to: to.id,
    ...shown,
    note: hunks ? null : await describeFile(state, patch.kind, change),
  };
}

/** Size and hash of both sides: what cannot be read can be compared. */
async function describeFile(state: State, kind: "text" | "large", { oldId, newId }: Change): Promise<string> {
  const why = kind === "large" ? "too long to be shown" : "no text";
  const sizes = await buildTreeDiffs().sizes(state, [oldId, newId]);
  const sides = [oldId, newId].map((id, at) => {
    const size = sizes[at] ?? null;
    return size === null ? "nothing" : `${size} bytes, ${id.slice(0, 12)}`;
  });
  return `${why}: ${sides.join(" → ")} (git cat-file -p shows it)`;
}
