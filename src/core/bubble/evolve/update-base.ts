// The base branch has moved, and the work stands on its newest commit: what was judged on the old one counts no more.
import type { EnvelopeOf } from "../../model/record/envelope.ts";
import type { State } from "../../model/state.ts";

/** From the moment it is wanted there is nothing to sign. */
export function applyBaseUpdateWanted(
  state: State,
  { payload, seq, ts }: EnvelopeOf<"BASE_UPDATE_WANTED">,
): State {
  const { approval: _approval, convergence: _convergence, ...rest } = state;
  const { branch, to } = payload;
  return { ...rest, reviews: [], activeSince: ts, baseUpdate: { branch, to, seq } };
}

export function applyBaseUpdated(state: State, { payload, seq, round }: EnvelopeOf<"BASE_UPDATED">): State {
  const { to, base, tree: id, commit, files, files_total, added, removed, touched } = payload;
  const { diff, secrets, context, conflicts } = payload;
  const { baseUpdate: _done, base: _old, gates: _gates, ...rest } = state;
  return {
    ...rest,
    baseCommit: to,
    ...(state.workspace ? { workspace: moveBase(state.workspace, base) } : {}),
    tree: {
      ...{ id, commit, files, filesTotal: files_total, added, removed },
      ...{ by: state.tree?.by ?? "", round, seq, touched },
      ...(diff ? { diff } : {}),
      ...(secrets ? { secrets } : {}),
      ...(context ? { context } : {}),
      ...(conflicts.length > 0 ? { conflicts } : {}),
    },
    extraRounds: state.extraRounds + (payload.rounds ?? 0),
    reviews: [],
    waivedGates: [],
  };
}

/** What the gates said about the base was about the old one; older records do not know the tree of the new one. */
function moveBase(
  { base: _base, ...workspace }: NonNullable<State["workspace"]>,
  base: string | undefined,
): NonNullable<State["workspace"]> {
  return base === undefined ? workspace : { ...workspace, base, isBaseMoved: true };
}
