// The run of a workflow as rows of the status: its tasks with marks, who plays which role, what is waited for, locked
// and scored, and when the time is up.
import type { StatusView } from "../../../core/views/bubble/status.ts";
import { type Look, toPlainLine } from "../../terminal/style.ts";
import { formatCount } from "../table.ts";
import { formatCountdown } from "../time.ts";

type Row = readonly [label: string, text: string];
type Workflow = StatusView["workflow"];
type Task = Workflow["tasks"][number];

const marks: Readonly<Record<Task["status"], string>> = {
  completed: "✓",
  accepted: "✓",
  running: "▸",
  waiting: "·",
  exceeded: "✗",
  skipped: "–",
};
const tasksShown = 12;

/** `past`: then nothing is said about timers, which are about now. */
export function runRows(view: StatusView, look: Look, isPast: boolean): Row[] {
  return [
    ...renderTaskRows(view.workflow),
    ...renderRoleRows(view.workflow),
    ...renderChildRows(view),
    ...(view.confidence ? [["score", describeScore(view.confidence)] as const] : []),
    ...(view.locks.length > 0 ? [["locked", formatCount(view.locks.length, "artifact")] as const] : []),
    ...(isPast ? [] : renderTimerRows(view, look)),
    ...(view.workflow.result ? [["result", describeResult(view.workflow.result)] as const] : []),
  ];
}

/** Not more than fit on a screen: those that are over are counted first. */
function renderTaskRows({ tasks }: Workflow): Row[] {
  const isOver = ({ status }: Task) => status === "completed" || status === "accepted";
  const hidden = Math.max(0, tasks.length - tasksShown);
  const folded = tasks.filter(isOver).slice(0, hidden);
  const shown = tasks.filter((task) => !folded.includes(task)).slice(0, tasksShown);
  const later = tasks.length - folded.length - shown.length;
  return [
    ...(folded.length > 0 ? [["tasks", `✓ ${formatCount(folded.length, "earlier task")}`] as const] : []),
    ...shown.map((task): Row => ["tasks", describeTask(task)]),
    ...(later > 0 ? [["tasks", `… and ${formatCount(later, "more task")}`] as const] : []),
  ];
}

/** `✓ design · 2 iterations`, `· build · after design`. */
function describeTask({ key, status, flag, iterations, depends_on }: Task): string {
  const parts = [
    `${marks[status]} ${key}`,
    status === "accepted" ? "accepted by a human" : "",
    status === "skipped" ? "skipped" : "",
    iterations > 0 ? formatCount(iterations, "iteration") : "",
    status === "waiting" && depends_on.length > 0 ? `after ${depends_on.join(", ")}` : "",
    flag ?? "",
  ];
  return parts.filter(Boolean).join(" · ");
}

/** `driver alice · challenger bob · iteration 2 of 5`. */
function renderRoleRows({ roles, iteration, max_iterations: max }: Workflow): Row[] {
  if (roles.length === 0) return [];
  const who = roles.map(({ role, agent }) => `${role} ${toPlainLine(agent)}`);
  return [["roles", [...who, `iteration ${iteration} of ${max}`].join(" · ")]];
}

function renderChildRows({ waiting_on: children, parts }: StatusView): Row[] {
  const over = parts.map(
    ({ key, bubble, status }): Row => [
      "part",
      [`${key} ${status}`, bubble ?? ""].filter(Boolean).join(" · "),
    ],
  );
  if (children.length === 0) return over;
  const open = children.filter(({ status }) => status === "running" || status === "waiting").length;
  const each = children.map(
    ({ key, bubble, status }): Row => [
      "child",
      [`${key} ${status}`, bubble ?? ""].filter(Boolean).join(" · "),
    ],
  );
  return [
    ...over,
    ["waits", `on ${open} of ${formatCount(children.length, "child", "children")}; the watchdog is off`],
    ...each,
  ];
}

function describeScore({ score, threshold, met }: NonNullable<StatusView["confidence"]>): string {
  const wanted = threshold === null ? "" : ` of ${threshold.toFixed(2)}, ${met ? "met" : "not met"}`;
  return `${score.toFixed(2)}${wanted} (advisory)`;
}

const timers = { wait: "continues", step: "the step's time is up", run: "the run's time is up" } as const;

function renderTimerRows({ timers: all }: StatusView, { now }: Look): Row[] {
  return all.map(({ what, until }) => {
    const left = Date.parse(until) - Date.parse(now);
    return [
      "timer",
      left > 0 ? `${timers[what]} in ${formatCountdown(left)} (${until})` : `${timers[what]} now`,
    ];
  });
}

function describeResult({ result, why, to }: NonNullable<Workflow["result"]>): string {
  return [result, toPlainLine(why), to ? `continues as ${to}` : ""].filter(Boolean).join(" · ");
}
