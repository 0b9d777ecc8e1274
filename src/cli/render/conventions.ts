// The project's conventions on a screen: one block a state, in each the number and the name one can type.
import {
  type ConventionStatus,
  describeConventionEvidence,
  describeLearningProgress,
  type KnownConvention,
} from "../../core/knowledge/learning/conventions.ts";
import { createInk, cut, type Look, toPlainLine } from "../terminal/style.ts";
import { formatCount, renderTable } from "./table.ts";

const titles: Readonly<Record<ConventionStatus, string>> = {
  waiting: "waiting for you",
  accepted: "accepted",
  counted: "counted",
  dismissed: "dismissed",
  retired: "retired",
};

interface Shown {
  readonly look: Look;
  /** With the evidence of each. */
  readonly all: boolean;
  /** How many are left out. */
  readonly hidden: number;
  readonly problems: readonly string[];
}

export function renderConventions(
  known: readonly KnownConvention[],
  { look, all, hidden, problems }: Shown,
): string {
  const blocks = (Object.keys(titles) as ConventionStatus[]).flatMap((status) =>
    block(
      status,
      known.filter((one) => one.status === status),
      all,
      look,
    ),
  );
  const more =
    hidden > 0 ? [`${formatCount(hidden, "dismissed or retired one")}: pairflow conventions list --all`] : [];
  const wrong = problems.map((problem) => `Wrong: ${toPlainLine(problem)}`);
  const lines = [...blocks, ...more, ...wrong];
  return lines.length > 0 ? lines.join("\n") : "No convention was noticed yet";
}

function block(
  status: ConventionStatus,
  known: readonly KnownConvention[],
  all: boolean,
  look: Look,
): string[] {
  if (known.length === 0) return [];
  const paint = createInk(look.colour);
  const rows = renderTable(
    known.map((one) => [
      `  ${one.number ?? "-"}`,
      paint.bold(toPlainLine(one.name)),
      describeConventionStatus(one),
      toPlainLine(one.applies_to.join(", ")),
      toPlainLine(one.pattern),
    ]),
  );
  const lines = known.flatMap((one, i) => [cut(rows[i] ?? "", look.width), ...renderBeneath(one, all)]);
  return [paint.accent(titles[status]), ...lines];
}

/** What a person wants to know of it at a glance. */
function describeConventionStatus(known: KnownConvention): string {
  const { status, accepted, decision } = known;
  if (accepted) return toPlainLine(`${accepted.accepted_at.slice(0, 10)} by ${accepted.accepted_by}`);
  if (decision) return toPlainLine(`${decision.at.slice(0, 10)} by ${decision.by}`);
  if (status === "waiting" && known.number === undefined) return "written by hand";
  return describeLearningProgress(known);
}

function renderBeneath({ status, evidence, decision, accepted }: KnownConvention, all: boolean): string[] {
  const reason = decision?.reason && !accepted ? [`because: ${decision.reason}`] : [];
  const shown = all || status === "waiting" ? evidence.map(describeConventionEvidence) : [];
  return [...reason, ...shown].map((line) => `        ${toPlainLine(line)}`);
}
