// Children at work on parts of a run, and what they made as one tree.

import { sum } from "../../limits/budget.ts";
import type { EnvelopeOf } from "../../model/record/envelope.ts";
import type { Spent, State } from "../../model/state.ts";
import { joinPackages } from "../../state/work.ts";
import { addChildrenWork, getWorkTitle } from "./tasks/work.ts";

export function applyChildrenOpened(state: State, { payload, seq }: EnvelopeOf<"CHILDREN_OPENED">): State {
  const { step, from, wait, max_concurrent, children } = payload;
  const each = children.map((child) => ({ child }));
  return { ...state, children: { step, seq, from, wait, maxConcurrent: max_concurrent, each } };
}

export function applyChildStarted(state: State, { payload }: EnvelopeOf<"CHILD_STARTED">): State {
  return changeChild(state, payload.key, { bubble: payload.bubble });
}

/** What a child used was the parent's to spend, and what the bubbles used whose place it has taken; each counts once. */
export function applyChildReported(state: State, { payload }: EnvelopeOf<"CHILD_REPORTED">): State {
  const { to, key } = payload;
  const counted = state.children?.each.find(({ child }) => child.key === key)?.counted ?? [];
  const news = [payload, ...(payload.before ?? [])].filter(({ bubble }) => !counted.includes(bubble));
  // Routed to another bubble: that one reports in its place.
  const change =
    payload.status === "routed" && to ? { bubble: to } : { bubble: payload.bubble, report: payload };
  return {
    ...changeChild(state, key, { ...change, counted: [...counted, ...news.map(({ bubble }) => bubble)] }),
    spent: news.reduce(addUsed, state.spent),
  };
}

const addUsed = (
  spent: Spent,
  { spent: used, minutes = 0 }: Pick<EnvelopeOf<"CHILD_REPORTED">["payload"], "spent" | "minutes">,
): Spent => ({
  ...spent,
  total: used ? sum(spent.total, used) : spent.total,
  workedMs: spent.workedMs + minutes * 60_000,
});

function changeChild(
  state: State,
  key: string,
  change: Partial<NonNullable<State["children"]>["each"][number]>,
): State {
  if (!state.children) return state;
  const each = state.children.each.map((one) => (one.child.key === key ? { ...one, ...change } : one));
  return { ...state, children: { ...state.children, each } };
}

/** The children's trees are one tree now: nobody's own, to be judged like any other. */
export function applyJoined(state: State, envelope: EnvelopeOf<"JOINED">): State {
  const { payload, seq, round } = envelope;
  const {
    tree: id,
    commit,
    files,
    files_total,
    added,
    removed,
    touched,
    diff,
    secrets,
    context,
    conflicts,
  } = payload;
  const work = addChildrenWork(state, id);
  return {
    ...state,
    ...(state.children
      ? { children: { ...state.children, joined: true }, parts: buildPartsAfter(state) }
      : {}),
    tree: {
      id,
      commit,
      files,
      filesTotal: files_total,
      added,
      removed,
      by: "children",
      round,
      seq,
      touched,
      ...(diff ? { diff } : {}),
      ...(secrets ? { secrets } : {}),
      ...(context ? { context } : {}),
      ...(conflicts.length > 0 ? { conflicts } : {}),
    },
    work,
    package: joinPackages(work, getWorkTitle(state)),
    packageSeq: seq,
    reviews: [],
    waivedGates: [],
  };
}

/** The result of each child of this group; those nobody waited for count as not completed. */
function buildPartsAfter({ parts, children }: State): NonNullable<State["parts"]> {
  const each = (children?.each ?? []).map(({ child, bubble = "", report }) => [
    child.key,
    { status: report?.status ?? "cancelled", bubble },
  ]);
  return { ...parts, ...Object.fromEntries(each) };
}
