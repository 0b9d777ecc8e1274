// The report of a finished child: its result, for the bubble that waits for it.
import type { PayloadOf } from "../../core/model/record/envelope.ts";
import type { State } from "../../core/model/state.ts";
import { clip, takeFitting } from "../../core/model/value/sizes.ts";
import { listSentencesOfChild } from "../../core/package/list.ts";
import { load } from "../handle/command.ts";
import type { RecordWorld, World } from "../world/world.ts";

type Report = PayloadOf<"CHILD_REPORTED">;

/** Told again, it is the same report: the parent takes the first one. */
export async function reportToParent(world: World, state: State): Promise<void> {
  const report = await buildWholeReport(world, state);
  if (report) await world.siblings.report(state, report);
}

/** The report of a child that has ended, with what those have used whose place it has taken. */
export async function buildWholeReport(world: RecordWorld, state: State): Promise<Report | undefined> {
  const report = findReport(state);
  return report && { ...report, ...(await collectBefore(world, state)) };
}

/** Bytes of a report for what there is to know of the child's work. */
const roomToKnow = 8_000;

/** What a child that has ended says about itself; undefined for a bubble that is nobody's child. */
export function findReport(state: State): Report | undefined {
  const { parent, bubbleId, tree, spent, locks = [] } = state;
  if (!parent) return undefined;
  return {
    key: parent.key,
    bubble: bubbleId,
    status: getStatus(state),
    ...(tree ? { tree: tree.id, commit: tree.commit } : {}),
    why: clip(describeEnd(state), 1900),
    spent: spent.total,
    minutes: spent.workedMs / 60_000,
    ...(state.package ? { package: state.package } : {}),
    know: takeFitting(listSentencesOfChild(state), roomToKnow),
    ...buildSuccessor(state),
    ...(state.lineage?.length ? { after: state.lineage.map(({ bubble }) => bubble) } : {}),
    locks: locks.map(({ path, sha256, decidedBy }) => ({ path, sha256, decided_by: decidedBy })),
  };
}

/** A bubble that was cut off before its own report is counted with its successor's. */
async function collectBefore(world: RecordWorld, { lineage = [] }: State): Promise<Pick<Report, "before">> {
  const used = [];
  for (const { bubble } of lineage) {
    const { state } = (await world.records.exists(bubble)) ? await load(world, bubble) : {};
    if (state) used.push({ bubble, spent: state.spent.total, minutes: state.spent.workedMs / 60_000 });
  }
  return used.length > 0 ? { before: used } : {};
}

/** Who continues with it, when it is routed. */
const buildSuccessor = ({ result }: State): Pick<Report, "to"> =>
  result?.result === "routed" && result.to ? { to: result.to } : {};

/** Only finished work counts as completed: exhaustion and rejection never do. */
function getStatus({ lifecycle, result }: State): Report["status"] {
  if (result?.result === "routed" && lifecycle !== "FAILED") return "routed";
  if (result?.result === "exceeded") return "exceeded";
  if (lifecycle === "CANCELLED" || result?.result === "rejected") return "cancelled";
  return lifecycle === "DONE" ? "completed" : "failed";
}

const describeEnd = ({ end, result, lifecycle }: State) =>
  end?.message ?? result?.why ?? `it is ${lifecycle}`;
