// Plans on the screen: the list, one plan with what follows from it, and its tasks.

import type { Amendment, Plan, PlanTask, PlanTasks } from "../../core/model/plan.ts";
import { sortConstraints } from "../../core/plan/constraints.ts";
import { renderPlan } from "../../core/plan/markdown.ts";
import { constraintKeys, constraintWord } from "../../core/plan/sections.ts";
import { parseSuccessCriteria } from "../../core/plan/success.ts";
import type { ListedPlan } from "../../core/views/page/plans.ts";
import {
  createInk,
  cut,
  type Ink,
  type Look,
  showControlCharacters,
  toPlainLine,
} from "../terminal/style.ts";
import { formatCount, renderTable } from "./table.ts";
import { formatAge } from "./time.ts";

const titleWidth = 48;

/** A listed plan, and the newest run of it. */
export interface ShownPlan extends ListedPlan {
  readonly run: { readonly bubble: string; readonly state: string } | null;
}

export function renderPlanList(plans: readonly ShownPlan[], look: Look): string {
  if (plans.length === 0) return 'No plans yet. Begin one: pairflow explore "what you think of"';
  const paint = createInk(look.colour);
  return renderTable(plans.map((plan) => listCells(plan, paint, look.now)))
    .map((line) => cut(line, look.width))
    .join("\n");
}

function listCells(plan: ShownPlan, paint: Ink, now: string): string[] {
  const { slug, title, state, created_at, superseded_by, problem, next } = plan;
  const shown = cut(toPlainLine(title), titleWidth);
  if (state === "unreadable")
    return [
      paint.bold(slug),
      paint.accent("cannot be used"),
      "",
      paint.accent(next),
      toPlainLine(problem ?? ""),
    ];
  const age = created_at ? formatAge(created_at, now) : "";
  const last = {
    uncommitted: paint.accent(next),
    committed: describeProgress(plan),
    superseded: `by ${superseded_by}`,
  };
  const word = state === "uncommitted" ? paint.accent("not committed") : state;
  return [paint.bold(slug), word, age, last[state], shown];
}

/** Its run, if there is one; before that its tasks. */
const describeProgress = ({ run, tasks }: ShownPlan): string =>
  run ? `run ${run.bubble} ${run.state}` : describeTask(tasks);

function describeTask(tasks: ListedPlan["tasks"]): string {
  if (!tasks) return "no tasks yet";
  return `${formatCount(tasks.number, "task")}${tasks.confirmed ? "" : ", not confirmed"}`;
}

export interface PlanView {
  readonly plan: Plan;
  readonly topLevel: readonly string[];
  readonly tasks?: PlanTasks;
  readonly amendments: readonly Amendment[];
  readonly supersededBy?: string;
  /** What to type next. */
  readonly next: string;
}

/** The document, and under it what Pairflow makes of it. */
export function renderPlanView(view: PlanView): string {
  const { plan, topLevel, tasks, amendments, supersededBy, next } = view;
  const state = plan.committed ? `committed ${plan.committed_at ?? ""}`.trim() : "not committed";
  const parts = [
    ...renderCriteria(plan),
    ...renderConstraintLines(plan, topLevel),
    ...(tasks
      ? ["", `tasks${tasks.confirmed_at ? "" : " (not confirmed)"}`, ...renderTasks(tasks.tasks)]
      : []),
    ...(amendments.length > 0 ? ["", "amendments (the plan itself stays as it is)"] : []),
    ...amendments.flatMap(renderAmendmentLines),
  ];
  return [
    `${plan.slug} · ${state}${supersededBy ? ` · superseded by ${supersededBy}` : ""}`,
    "",
    showControlCharacters(renderPlan(plan)).trimEnd(),
    ...parts,
    "",
    `Next: ${next}`,
  ].join("\n");
}

export function renderCriteria(plan: Plan): string[] {
  const criteria = parseSuccessCriteria(plan);
  if (criteria.length === 0)
    return ["", 'success criteria: none; list them in Mission under "Success criteria"'];
  return [
    "",
    "success criteria",
    ...renderTable(criteria.map(({ id, text }) => [`  ${id}`, toPlainLine(text)])),
  ];
}

/** Which constraints a rule checks, and which only the reviewer can. */
export function renderConstraintLines(plan: Plan, topLevel: readonly string[]): string[] {
  const { paths, prose } = sortConstraints(plan.constraints, topLevel);
  const rows = (lists: typeof paths) =>
    constraintKeys.flatMap((key) =>
      lists[key].map((entry) => `  ${constraintWord[key]}: ${toPlainLine(entry)}`),
    );
  const [checked, words] = [rows(paths), rows(prose)];
  if (checked.length + words.length === 0) return ["", "constraints: none"];
  return [
    ...(checked.length > 0
      ? ["", "constraints that are enforced (every handoff of every bubble)", ...checked]
      : []),
    ...(words.length > 0
      ? ["", "constraints in words (no rule checks them; the reviewer does)", ...words]
      : []),
  ];
}

export function renderTasks(tasks: readonly PlanTask[]): string[] {
  return renderTable(
    tasks.map(({ id, description, depends_on, covers, files, criteria }) => [
      `  ${id}`,
      depends_on.length > 0 ? `after ${depends_on.join(", ")}` : "",
      covers.join(", "),
      criteria.length > 0 ? `${criteria.length} given/when/then` : "",
      files.length > 0 ? cut(toPlainLine(files.join(", ")), titleWidth) : "any file",
      cut(toPlainLine(description.split("\n")[0] ?? ""), 60),
    ]),
  );
}

function renderAmendmentLines({ bubble, by, task, diagnosis, change, at }: Amendment): string[] {
  return [
    `  ${at} ${toPlainLine(by)} (bubble ${toPlainLine(bubble)}${task ? `, task ${toPlainLine(task)}` : ""})`,
    `    why: ${toPlainLine(diagnosis)}`,
    `    change: ${toPlainLine(change)}`,
  ];
}
