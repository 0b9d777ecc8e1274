// Children at work on parts of a run, and what they made as one tree.
import type { EnvelopeOf } from "../../model/envelope.ts";
import type { ProducerPackage } from "../../model/package.ts";
import { clip } from "../../model/sizes.ts";
import type { State } from "../../model/state.ts";
import { sum } from "../../policy/budget.ts";

export function childrenOpened(state: State, { payload, seq }: EnvelopeOf<"CHILDREN_OPENED">): State {
  const { step, from, wait, max_concurrent, children } = payload;
  const each = children.map((child) => ({ child }));
  return { ...state, children: { step, seq, from, wait, maxConcurrent: max_concurrent, each } };
}

export function childStarted(state: State, { payload }: EnvelopeOf<"CHILD_STARTED">): State {
  return changeChild(state, payload.key, { bubble: payload.bubble });
}

/** What a child used was the parent's to spend. */
export function childReported(state: State, { payload }: EnvelopeOf<"CHILD_REPORTED">): State {
  const { spent: used, minutes = 0 } = payload;
  const { spent } = state;
  return {
    ...changeChild(state, payload.key, { bubble: payload.bubble, report: payload }),
    spent: {
      ...spent,
      total: used ? sum(spent.total, used) : spent.total,
      workedMs: spent.workedMs + minutes * 60_000,
    },
  };
}

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
export function joined(state: State, envelope: EnvelopeOf<"JOINED">): State {
  const { payload, seq, round } = envelope;
  const { tree: id, commit, files, files_total, added, removed, touched, diff, secrets, context } = payload;
  return {
    ...state,
    ...(state.children ? { children: { ...state.children, joined: true } } : {}),
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
    },
    package: packages(state),
    packageSeq: seq,
    reviews: [],
    waivedGates: [],
  };
}

const longestPart = 4_000;

/** The parts of the children's packages, each under the name of its task. */
function packages({ children, package: own }: State): ProducerPackage {
  const told = (children?.each ?? []).flatMap(({ child, report }) =>
    report?.status === "completed" && report.package ? [{ key: child.key, parts: report.package }] : [],
  );
  const names = [...new Set(told.flatMap(({ parts }) => Object.keys(parts)))] as (keyof ProducerPackage)[];
  const joint = names.map((name) => [
    name,
    clip(
      told.flatMap(({ key, parts }) => (parts[name] ? [`${key}: ${parts[name]}`] : [])).join("\n"),
      longestPart,
    ),
  ]);
  return { ...own, ...Object.fromEntries(joint.filter(([, words]) => words)) };
}
