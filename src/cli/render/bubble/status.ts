// One bubble's status as text: for `bubble status`, its --watch, and the status pane of tmux.
import { describeImplementedDocument } from "../../../core/signing/document.ts";
import type { StatusView } from "../../../core/views/bubble/status.ts";
import { formatBudgetProgress, formatDollars, formatTokens } from "../../../core/views/bubble/usage.ts";
import { formatHead } from "../../../ports/record/log.ts";
import { createInk, type Ink, type Look, toPlainLine, wrap } from "../../terminal/style.ts";
import { nameSender } from "../sender.ts";
import type { StatusRow } from "../table.ts";
import { formatCount, renderLabelled } from "../table.ts";
import { formatAge, formatDuration } from "../time.ts";
import { runRows } from "./run.ts";
import { renderFindingRows } from "./status/findings.ts";
import { renderGateRows, renderNowRows } from "./status/now.ts";

/** The whole screen. `past` is given for a status as of an earlier line: then nothing is said about now. */
export function renderStatus(view: StatusView, given: Look, past?: { readonly at: string }): string {
  const look = { ...given, now: recordTime(view, given) };
  const paint = createInk(look.colour);
  const rows: StatusRow[] = [
    ...renderSubjectRows(view),
    ...(past ? [] : renderPausedRows(view, look)),
    ...(past
      ? [["as of", `line ${view.seq}, ${formatAge(past.at, look.now)} ago`] as const]
      : [...renderNowRows(view, look), ...renderGateRows(view, look)]),
    ...renderBaseRows(view),
    ...runRows(view, look, past !== undefined),
    ...renderQuestionRows(view, look),
    ...(past ? [] : renderNext(view)),
    ...renderFindingRows(view),
    ...renderFactRows(view, look),
  ];
  const shown = [wrap(renderHeadLine(view, paint), look.width, 2), ...renderLabelled(rows, look.width)];
  // A command that was broken cannot be pasted, so it may run over the edge.
  const command = past ? null : view.next.command;
  return [...shown, ...(command ? renderLabelled([["type", paint.accent(command)]]) : [])].join("\n");
}

/** What it is about. */
function renderSubjectRows(view: StatusView): StatusRow[] {
  return [
    ["task", toPlainLine(view.title)],
    ...(view.implements
      ? [["builds", toPlainLine(describeImplementedDocument(view.implements))] as const]
      : []),
    ...renderSalvaged(view),
  ];
}

/** What happens now and what waits for a person: the first thing to be seen where there is little room. */
export function renderUrgentRows(view: StatusView, look: Look): StatusRow[] {
  return [
    ...renderPausedRows(view, look),
    ...renderNowRows(view, look),
    ...renderGateRows(view, look),
    ...renderQuestionRows(view, look),
    ...renderNext(view),
  ];
}

/** All the rest of a status. */
export function renderFurtherRows(view: StatusView, look: Look): StatusRow[] {
  return [
    ...renderFindingRows(view),
    ...renderSubjectRows(view),
    ...renderBaseRows(view),
    ...runRows(view, look, false),
    ...renderFactRows(view, look),
  ];
}

function renderSalvaged({ salvaged_from: from }: StatusView): StatusRow[] {
  return from
    ? [["from", `the good part of ${from.bubble}, up to message ${formatHead(from, from.hash)}`]]
    : [];
}

/** Clocks are stopped: for how long, and who wants it so. */
function renderPausedRows({ paused }: StatusView, { now }: Look): StatusRow[] {
  if (!paused) return [];
  const words = toPlainLine(paused.says).replace(/^paused:? ?/, "");
  return [
    ["paused", [words, formatAge(paused.since, now), "clocks stand still"].filter(Boolean).join(" · ")],
  ];
}

export function renderHeadLine(view: StatusView, paint: Ink): string {
  const round = view.round > 0 ? describeRound(view) : "";
  const state = `${paint.accent(view.state)}${view.paused ? " (paused)" : ""}`;
  const parts = [paint.bold(view.bubble), state, round, renderGateResults(view.gates)];
  return parts.filter(Boolean).join("   ");
}

/** Rounds are counted through the whole bubble; what the budget is for are those of the current task. */
function describeRound({ round, max_rounds: max, workflow }: StatusView): string {
  return workflow.tasks.length > 0 ? `round ${round}` : `round ${round} of ${max}`;
}

/** `gates ✓ typecheck ✗ test (failed)`: what is known about exactly this tree. */
export function renderGateResults(gates: StatusView["gates"]): string {
  if (gates.list.length === 0)
    return gates.not_available ? `no tests: ${toPlainLine(gates.not_available)}` : "no gates";
  if (gates.list.every((gate) => gate.status === "not run"))
    return `gates not run: ${gates.list.map(({ name, required }) => `${name}${required ? "" : " (optional)"}`).join(", ")}`;
  const where = gates.clean ? " (clean checkout)" : "";
  const open = gates.list.some(({ unconfined }) => unconfined) ? ", no sandbox" : "";
  return `gates ${gates.list.map((gate) => renderGateMark(gate)).join(" ")}${where}${open}`;
}

function renderGateMark({ name, status, required, flaky }: StatusView["gates"]["list"][number]): string {
  const words = [...(status === "passed" ? [] : [gateWords[status] ?? status])];
  const said = [...words, ...(flaky ? ["flaky"] : []), ...(required ? [] : ["optional"])].join(", ");
  return `${gateSigns[status] ?? "✗"} ${name}${said ? ` (${said})` : ""}`;
}

const gateSigns: Readonly<Record<string, string>> = {
  passed: "✓",
  "not run": "·",
  skipped: "–",
  waived: "–",
};

const gateWords: Readonly<Record<string, string>> = { skipped: "nothing of it changed" };

/** What was red on the base is no mistake of the agent that works on it. */
function renderBaseRows({ gates: { base } }: StatusView): StatusRow[] {
  if (!base || base.red.length === 0) return [];
  const kept = base.from_cache ? ` (from the cache, run at ${base.ran_at})` : "";
  return [["base", `red before you began: ${base.red.join(", ")}${kept}`]];
}

function renderQuestionRows(view: StatusView, look: Look): StatusRow[] {
  const below = (view.child_questions ?? []).map(({ bubble, from, ...asked }) => ({
    ...asked,
    from: `${nameSender(from)} in ${bubble}`,
  }));
  return [...view.questions, ...below].flatMap((question): StatusRow[] => [
    [
      "asks",
      `${nameSender(question.from)}, ${formatAge(question.at, look.now)} ago: "${toPlainLine(question.text)}"`,
    ],
    ...listAgentOptions(question).map(({ key }): StatusRow => ["answers", toPlainLine(key)]),
  ]);
}

/** What an agent proposes; the referee's own choices are in the command below. */
function listAgentOptions({ kind, options = [] }: { kind: string; options?: readonly { key: string }[] }) {
  return kind === "agent" ? options : [];
}

function renderNext(view: StatusView): StatusRow[] {
  const isOver = view.end !== null || view.commit !== null;
  const error: StatusRow[] = view.workspace_error ? [["trouble", toPlainLine(view.workspace_error)]] : [];
  return [...error, [isOver ? "ended" : "next", toPlainLine(view.next.says)]];
}

/** `codex 12.3k in, 1.2k out · claude 4.0k in, 800 out · $0.1240 · agents worked 4 min`, and the budgets there are. */
function renderUsageRows({ usage }: StatusView): StatusRow[] {
  const agents = Object.entries(usage.by_agent).map(
    ([agent, { input, output, at_least }]) =>
      `${agent} ${formatTokens(input)} in, ${formatTokens(output)} out${at_least ? " or more" : ""}`,
  );
  const unpriced = usage.usd !== null && usage.unpriced_attempts > 0 ? " or more" : "";
  const unknown = usage.unknown_attempts;
  const parts = [
    ...agents,
    usage.usd === null ? "" : `${formatDollars(usage.usd)}${unpriced}`,
    usage.minutes >= 1 ? `agents worked ${formatDuration(usage.minutes * 60_000)}` : "",
    agents.length > 0 && unknown > 0 ? `${formatCount(unknown, "attempt")} without figures` : "",
  ].filter(Boolean);
  const budgets = usage.budgets.length > 0 ? [["budget", formatBudgetProgress(usage.budgets)] as const] : [];
  return [...(parts.length > 0 ? [["used", parts.join(" · ")] as const] : []), ...budgets];
}

function renderFactRows(view: StatusView, look: Look): StatusRow[] {
  const rows: StatusRow[] = renderUsageRows(view);
  const { tree, clean_passes: clean, warnings } = view;
  if (tree)
    rows.push([
      "tree",
      `${formatCount(tree.files, "file")}, +${tree.added} −${tree.removed} · ${tree.id.slice(0, 10)}`,
    ]);
  if (clean.have > 0 && !view.approval)
    rows.push(["clean", `${clean.have} of ${clean.need} clean passes on this tree`]);
  if (view.approval?.digest) rows.push(["digest", describeDigest(view.approval)]);
  for (const { agent, role, round, files, patch } of view.put_back)
    rows.push([
      "put back",
      `${toPlainLine(files.join(", "))}: new in the turn of ${agent} (${role}, round ${round}), kept as ${patch}`,
    ]);
  if (warnings.last) {
    const ago = formatDuration(Date.parse(look.now) - Date.parse(warnings.last.at));
    rows.push([
      "warned",
      `${formatCount(warnings.count, "time")}, last ${ago} ago: ${toPlainLine(warnings.last.message)} (${warnings.last.code})`,
    ]);
  }
  if (view.log_ahead_ms !== undefined)
    rows.push([
      "clock",
      `the newest line lies ${formatDuration(view.log_ahead_ms)} in the future; this clock was ahead then, or is behind now`,
    ]);
  return rows;
}

/** Now, as the record counts: what it says is to come is counted from its newest line. */
export function recordTime({ log_ahead_ms: ahead = 0 }: StatusView, { now }: Look): string {
  return new Date(Date.parse(now) + ahead).toISOString();
}

const decisions = { approve: "approved", revise: "sent back", reject: "rejected" } as const;

function describeDigest(approval: NonNullable<StatusView["approval"]>): string {
  const { digest, decision, door_unproven, passkey } = approval;
  const said = [
    digest.slice(0, 12),
    decision ? decisions[decision] : "",
    door_unproven ? "door unproven" : "",
    passkey ?? "",
  ];
  return said.filter(Boolean).join(" · ");
}
