// Words and files that pass between the two sides: what reviewers said reaches the agent that continues the work, and the files
// a producer hands in reach its reviewer. What a producer says about its own work is not here.
import { parseArtifactRef } from "../model/record/named-artifacts.ts";
import type { Remark } from "../model/state/evidence.ts";
import type { State } from "../model/state.ts";
import { getHistory, getTaskProgress } from "../state/workflow-position.ts";
import type { BriefingInputs } from "./inputs.ts";
import { renderBullets, renderQuotation, renderSection } from "./parts.ts";

/** What was said about the newest tree that was judged, for the agent that continues: each thing once. */
export function buildRemarksSection(state: State, inputs: BriefingInputs): string {
  const since = getTaskProgress(state)?.seq ?? 0;
  const own = (state.remarks ?? []).filter(({ seq }) => seq >= since);
  return renderSection(
    "What reviewers said last",
    own
      .map((remark) => describeRemark(state, remark, inputs))
      .filter(Boolean)
      .join("\n\n"),
  );
}

function describeRemark(state: State, remark: Remark, inputs: BriefingInputs): string {
  const { agent, role, round } = remark;
  const words = isTold(state, remark) ? "" : renderQuotation(remark.summary);
  const files = describeFiles(remark, inputs);
  if (!words && !files) return "";
  return [`${agent} (${role}), round ${round}:`, words, files].filter(Boolean).join("\n\n");
}

/** A rejection in prose is a finding by its own words, and rounds that are told have them too. */
function isTold(state: State, { summary, agent }: Remark): boolean {
  const said = collapseSpaces(summary);
  const inFinding = state.findings.some(
    ({ status, title, advice = "" }) =>
      status === "open" && [title, advice].some((text) => collapseSpaces(text) === said),
  );
  const newest = getHistory(state).at(-1);
  return inFinding || (newest?.critic === agent && collapseSpaces(newest.critique ?? "").includes(said));
}

const collapseSpaces = (text: string) => text.replace(/\s+/g, " ").trim();

function describeFiles({ refs = [], putBack }: Remark, inputs: BriefingInputs): string {
  if (refs.length === 0) return "";
  const lines = refs.map((ref) => {
    const path = findWorktreePath(ref);
    return path !== undefined && putBack?.files.includes(path)
      ? `${path}: new in the worktree, so it was put back; the patch that holds it: ${inputs.artifact(putBack.patch)}`
      : describeRefPlace(ref, inputs);
  });
  return `Files handed in with it:\n\n${renderBullets(lines)}`;
}

/** Files that the producer handed in beside the tree. */
export function buildHandedInSection({ tree }: State, inputs: BriefingInputs): string {
  const lines = (tree?.refs ?? []).map((ref) => describeRefPlace(ref, inputs));
  return renderSection("Files the producer handed in", renderBullets(lines));
}

/** Where the file of a ref is. */
function describeRefPlace(ref: string, { artifact, worktree }: BriefingInputs): string {
  const name = parseArtifactRef(ref);
  if (name !== undefined) return artifact(name);
  const path = findWorktreePath(ref);
  return path === undefined ? ref : `${worktree}/${path}`;
}

const inWorktree = "worktree://";
const findWorktreePath = (ref: string): string | undefined =>
  ref.startsWith(inWorktree) ? ref.slice(inWorktree.length) : undefined;
