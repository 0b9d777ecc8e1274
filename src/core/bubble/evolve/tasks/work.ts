// Who made what and who passed it, kept task by task: the facts behind what a package says about makers and reviewers, and
// the explanations that a later task must not replace.
import type { PayloadOf } from "../../../model/record/envelope.ts";
import type { Work } from "../../../model/run.ts";
import type { Review } from "../../../model/state/evidence.ts";
import type { Turn } from "../../../model/state/turn.ts";
import type { State } from "../../../model/state.ts";
import { getCurrentTask } from "../../../state/workflow-position.ts";

type Works = NonNullable<State["work"]>;

const getKey = (state: State) => getCurrentTask(state)?.key ?? "";

/** A producer handed over: its changes are in the tree, and who passed the tree before has passed another one. */
export function addProducedWork(
  state: State,
  turn: Turn,
  { tree, paper, files_total }: PayloadOf<"HANDOFF">,
): Works {
  const key = getKey(state);
  const before = state.work?.[key];
  const hasChanged = files_total > 0 && state.tree?.id !== tree;
  const makers = new Set([...(before?.makers ?? []), ...(hasChanged ? [turn.agent] : [])]);
  const now: Work = {
    makers: [...makers],
    tree,
    ...(paper ? { paper: paper.kind } : {}),
    passed: before?.tree === tree ? before.passed : [],
    package: { ...before?.package, ...getRefusedParts(state), ...dropEmptyParts(turn.claim?.pass?.package) },
  };
  return { ...state.work, [key]: now };
}

/** The tree of a handoff was refused; how its producer explains the work is not lost with it. */
export function keepRefusedParts(state: State, turn: Turn): State {
  const parts = { ...getRefusedParts(state), ...dropEmptyParts(turn.claim?.pass?.package) };
  return Object.keys(parts).length === 0
    ? state
    : { ...state, refusedPackage: { task: getKey(state), parts } };
}

const getRefusedParts = (state: State) =>
  state.refusedPackage?.task === getKey(state) ? state.refusedPackage.parts : {};

/** Who has passed exactly this tree, after a review or after one was taken back. */
export function addReviewersOfWork(state: State, reviews: readonly Review[]): Pick<State, "work"> {
  const key = getKey(state);
  const known = state.work?.[key];
  const tree = state.tree?.id;
  const clean = reviews.filter((review) => review.clean && review.tree === tree);
  const passed = [...new Set(clean.map(({ agent }) => agent))];
  return { work: { ...state.work, [key]: { ...(known ?? createUnmade()), passed, tree: tree ?? "" } } };
}

/** A human sent the tree back: nobody's word about it counts any more. */
export function clearReviewersOfWork({ work = {}, tree }: State): Pick<State, "work"> {
  const again = Object.entries(work).map(([key, one]) => [
    key,
    one.tree === tree?.id ? { ...one, passed: [] } : one,
  ]);
  return { work: Object.fromEntries(again) };
}

/** What the children of a group made, each under its own key: they were judged where they were made. */
export function addChildrenWork({ work, children }: State, tree: string): Works {
  const each = (children?.each ?? []).flatMap(({ child, report }): [string, Work][] =>
    report?.status === "completed"
      ? [
          [
            child.key,
            { ...createUnmade(report.tree ?? tree), package: report.package ?? {}, know: report.know ?? [] },
          ],
        ]
      : [],
  );
  return { ...work, ...Object.fromEntries(each) };
}

const createUnmade = (tree = ""): Work => ({ makers: [], tree, passed: [] });

/** What all of it is called: work by a plan has the plan's title. */
export function getWorkTitle({ papers, task }: State): string {
  const title = papers?.plan?.value.title;
  return typeof title === "string" && title ? title : task.title;
}

/** Drops empty parts, so that a later pass without a part keeps the earlier text. */
function dropEmptyParts<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, part]) => part)) as Partial<T>;
}
