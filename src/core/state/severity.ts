// Which findings stop the loop. P0 and P1 always do; P2 and P3 only where the configuration says that the
// place or the area is core logic, security or data integrity. Paths and areas decide, not opinion.
import * as v from "valibot";
import type { BubbleConfig } from "../model/config.ts";
import type { CarriedFinding } from "../model/record/payloads/parts.ts";
import { type Finding, NewFinding } from "../model/review/finding.ts";
import type { State } from "../model/state.ts";
import { compileGlobs } from "../text/glob.ts";

type Rules = BubbleConfig["severity"];

export function isCore(finding: Pick<NewFinding, "area" | "file">, rules: Rules): boolean {
  if (finding.area && rules.core_areas.includes(finding.area)) return true;
  return finding.file !== undefined && compileGlobs(rules.core_paths)(finding.file);
}

/** Severity, place or a human's word says it must be fixed before anything converges. */
export function isBlocking(
  finding: Pick<Finding, "severity" | "area" | "file" | "ordered">,
  rules: Rules,
): boolean {
  return (
    finding.severity === "P0" ||
    finding.severity === "P1" ||
    finding.ordered === true ||
    isCore(finding, rules)
  );
}

/** Everything that nobody has answered, wherever it was found: what people are shown. */
export const listUnanswered = ({ findings }: Pick<State, "findings">): Finding[] =>
  findings.filter(({ status }) => status === "open");

/** What stops the loop that runs now. */
export function listOpenFindings({ findings, tasks }: Pick<State, "findings" | "tasks">): Finding[] {
  return findings.filter((finding) => finding.status === "open" && !isLeftBehind(finding, tasks));
}

/** What a task that was not completed left open is nothing that another task has to fix. */
function isLeftBehind({ openedRound }: Finding, tasks: State["tasks"] = {}): boolean {
  return Object.values(tasks).some(
    ({ status, firstRound, iterations = 0 }) =>
      status === "exceeded" && openedRound >= firstRound && openedRound < firstRound + iterations,
  );
}

/** What another bubble that continues this one has to answer: the findings that stop the loop here. */
export const listCarriedFindings = (state: Pick<State, "findings" | "tasks">): CarriedFinding[] =>
  listOpenFindings(state).map((finding) => ({
    ...v.parse(v.object(NewFinding.entries), finding),
    id: finding.id,
    by: finding.openedBy,
  }));

export function listOpenBlocking(state: Pick<State, "findings" | "config" | "tasks">): Finding[] {
  return listOpenFindings(state).filter((finding) => isBlocking(finding, state.config.severity));
}

/** Open P2/P3 outside core paths and areas: a human decides once per set whether they are worth a round. */
export function listOpenMinor(state: Pick<State, "findings" | "config" | "tasks">): Finding[] {
  return listOpenFindings(state).filter((finding) => !isBlocking(finding, state.config.severity));
}
