// The project's conventions on a screen: one block a state, in each the number and the name one can type.
import {
  type ConventionStatus,
  type Known,
  progress,
  sentence,
} from "../../core/knowledge/learning/known.ts";
import { cut, ink, type Look, plain } from "../terminal/style.ts";
import { count, table } from "./table.ts";

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

export function renderConventions(known: readonly Known[], { look, all, hidden, problems }: Shown): string {
  const blocks = (Object.keys(titles) as ConventionStatus[]).flatMap((status) =>
    block(
      status,
      known.filter((one) => one.status === status),
      all,
      look,
    ),
  );
  const more =
    hidden > 0 ? [`${count(hidden, "dismissed or retired one")}: pairflow conventions list --all`] : [];
  const wrong = problems.map((problem) => `Wrong: ${plain(problem)}`);
  const lines = [...blocks, ...more, ...wrong];
  return lines.length > 0 ? lines.join("\n") : "No convention was noticed yet";
}

function block(status: ConventionStatus, known: readonly Known[], all: boolean, look: Look): string[] {
  if (known.length === 0) return [];
  const paint = ink(look.colour);
  const rows = table(
    known.map((one) => [
      `  ${one.number ?? "-"}`,
      paint.bold(plain(one.name)),
      standing(one),
      plain(one.applies_to.join(", ")),
      plain(one.pattern),
    ]),
  );
  const lines = known.flatMap((one, i) => [cut(rows[i] ?? "", look.width), ...beneath(one, all)]);
  return [paint.accent(titles[status]), ...lines];
}

/** What a person wants to know of it at a glance. */
function standing(known: Known): string {
  const { status, accepted, decision } = known;
  if (accepted) return plain(`${accepted.accepted_at.slice(0, 10)} by ${accepted.accepted_by}`);
  if (decision) return plain(`${decision.at.slice(0, 10)} by ${decision.by}`);
  if (status === "waiting" && known.number === undefined) return "written by hand";
  return progress(known);
}

function beneath({ status, evidence, decision, accepted }: Known, all: boolean): string[] {
  const reason = decision?.reason && !accepted ? [`because: ${decision.reason}`] : [];
  const shown = all || status === "waiting" ? evidence.map(sentence) : [];
  return [...reason, ...shown].map((line) => `        ${plain(line)}`);
}
