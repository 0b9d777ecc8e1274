// A child at its end: what it has come to, told to the bubble that waits for it.
import type { PayloadOf } from "../../core/model/envelope.ts";
import { clip } from "../../core/model/sizes.ts";
import type { State } from "../../core/model/state.ts";
import type { World } from "../world.ts";

type Report = PayloadOf<"CHILD_REPORTED">;

/** Told again, it is the same report: the parent takes the first one. */
export async function reportToParent(world: World, state: State): Promise<void> {
  const report = reportOf(state);
  if (report) await world.siblings.report(state, report);
}

/** The report of a child that has ended; undefined for a bubble that is nobody's child. */
export function reportOf(state: State): Report | undefined {
  const { parent, bubbleId, tree, spent, locks = [] } = state;
  if (!parent) return undefined;
  return {
    key: parent.key,
    bubble: bubbleId,
    status: statusOf(state),
    ...(tree ? { tree: tree.id, commit: tree.commit } : {}),
    why: clip(whyOf(state), 1900),
    spent: spent.total,
    minutes: spent.workedMs / 60_000,
    ...(state.package ? { package: state.package } : {}),
    ...successor(state),
    ...(state.lineage?.length ? { after: state.lineage.map(({ bubble }) => bubble) } : {}),
    locks: locks.map(({ path, sha256, decidedBy }) => ({ path, sha256, decided_by: decidedBy })),
  };
}

/** Who goes on with it, when it is routed. */
const successor = ({ result }: State): Pick<Report, "to"> =>
  result?.result === "routed" && result.to ? { to: result.to } : {};

/** Only work that came to its end counts as completed: exhaustion and rejection never do. */
function statusOf({ lifecycle, result }: State): Report["status"] {
  if (result?.result === "routed" && lifecycle !== "FAILED") return "routed";
  if (result?.result === "exceeded") return "exceeded";
  if (lifecycle === "CANCELLED" || result?.result === "rejected") return "cancelled";
  return lifecycle === "DONE" ? "completed" : "failed";
}

const whyOf = ({ end, result, lifecycle }: State) => end?.message ?? result?.why ?? `it is ${lifecycle}`;
