// The payloads of a review: what differs between two trees of a bubble's record, and the rows of one file.
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { buildTreeDiffs } from "../../app/record/diffs.ts";
import { buildReviewEvidence } from "../../app/record/review/evidence.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import {
  buildDiffFile,
  buildDiffHunks,
  carryLine,
  type FileDiffPage,
} from "../../core/views/page/review/diff.ts";
import { buildFindingLives } from "../../core/views/page/review/findings.ts";
import {
  buildSignView,
  listCriterionViews,
  listGateRows,
  listSignSentences,
  listTreeChoices,
  type PinnedFinding,
  type ReviewPage,
  type TreeChoice,
} from "../../core/views/page/review/payload.ts";
import { buildRoundsView } from "../../core/views/page/rounds.ts";
import { buildReviewTrail } from "../../core/views/review/trail.ts";
import type { Grants } from "../commands/grants.ts";
import type { Notes } from "../session/notes.ts";
import { buildHeader } from "./bubble.ts";
import { listLines, loadNamedState, type NamedBubble } from "./record.ts";

export interface ReviewDesk {
  readonly notes: Notes;
  readonly grants: Grants;
}

export async function readReviewPage(
  repositories: readonly KnownRepository[],
  named: NamedBubble,
  query: URLSearchParams,
  desk: ReviewDesk,
): Promise<Omit<ReviewPage, "words">> {
  const state = await loadNamedState(named);
  const envelopes = await listLines(named);
  const trees = listTreeChoices(state, buildRoundsView(envelopes, buildReviewTrail(envelopes)));
  const { from, to } = chooseTrees(state, trees, query);
  const changes = await buildTreeDiffs().changes(state, from.id, to.id);
  const evidence = await buildReviewEvidence(named.world, named.bubble);
  const isDriven = (await named.world.runtime.living(named.bubble)) !== undefined;
  const newest = trees.find(({ id }) => id === state.tree?.id);
  const { path } = named.repository;
  return {
    ...buildHeader(repositories, named, state, isDriven),
    page: "review",
    from,
    to,
    trees,
    newer: newest && newest.id !== to.id ? newest : null,
    files: changes.map(buildDiffFile),
    findings: await pinFindings(state, to.id, buildFindingLives(envelopes, state)),
    evidence: evidence.evidence,
    criteria: listCriterionViews(state),
    gates: listGateRows(state),
    gates_clean: state.gates?.clean !== undefined,
    know: listSignSentences(state),
    notes: desk.notes.read(path, named.bubble),
    sign: buildSignView(state, {
      isShown: from.id === state.baseCommit && to.id === state.approval?.tree,
      asked: desk.grants.about(path, named.bubble, state.approval?.digest ?? ""),
      has_terminal: desk.grants.hasTerminal,
    }),
    what: state.package?.what ?? state.task.title,
  };
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
  tree: string,
  lives: readonly Omit<PinnedFinding, "at">[],
): Promise<PinnedFinding[]> {
  const diffs = buildTreeDiffs();
  return Promise.all(
    lives.map(async (finding) => {
      const { file, line, tree: opened } = finding;
      if (file === null || line === null || opened === tree || opened === "") return { ...finding, at: line };
      const patch = await diffs.patch(state, { from: opened, to: tree }, { path: file }, 0);
      const hunks = patch.kind === "text" ? buildDiffHunks(patch.latin1) : null;
      return { ...finding, at: hunks ? (carryLine(hunks, line) ?? null) : null };
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
  return {
    page: "file",
    path: change.path,
    from: from.id,
    to: to.id,
    hunks,
    note: hunks ? null : getNote(patch.kind, change),
  };
}

function getNote(kind: "text" | "large", { oldId, newId }: { oldId: string; newId: string }): string {
  const why = kind === "large" ? "too long to be shown" : "no text";
  return `${why}: ${oldId.slice(0, 12)} → ${newId.slice(0, 12)} (git cat-file -p shows it)`;
}
