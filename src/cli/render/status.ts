// One bubble's status as text: for `bubble status`, its --watch, and the status pane of tmux.
import { documentWords } from "../../core/signing/document.ts";
import type { StatusView } from "../../core/views/status.ts";
import { budgetProgress, dollars, tokens } from "../../core/views/usage.ts";
import { shownHead } from "../../ports/log.ts";
import { cut, type Ink, ink, type Look, plain } from "../terminal/style.ts";
import { runRows } from "./run.ts";
import { count, labelled, table } from "./table.ts";
import { countdown, duration, since } from "./time.ts";

const closedShown = 5;
export type Row = readonly [label: string, text: string];
type FindingView = StatusView["findings"]["open"][number];

/** The whole screen. `past` is given for a status as of an earlier line: then nothing is said about now. */
export function renderStatus(view: StatusView, given: Look, past?: { readonly at: string }): string {
  const look = { ...given, now: recordTime(view, given) };
  const paint = ink(look.colour);
  const rows: Row[] = [
    ...subjectRows(view),
    ...(past ? [] : pausedRows(view, look)),
    ...(past
      ? [["as of", `line ${view.seq}, ${since(past.at, look.now)} ago`] as const]
      : [...nowRows(view, look), ...gateRows(view, look)]),
    ...baseRows(view),
    ...runRows(view, look, past !== undefined),
    ...questionRows(view, look),
    ...(past ? [] : nextRows(view)),
    ...findingRows(view),
    ...factRows(view, look),
  ];
  const lines = [headLine(view, paint), ...labelled(rows.map(([label, text]) => [label, text]))];
  const shown = lines.map((line) => cut(line, look.width));
  // A command that was cut cannot be pasted, so it may run over the edge.
  const command = past ? null : view.next.command;
  return [...shown, ...(command ? labelled([["type", paint.accent(command)]]) : [])].join("\n");
}

/** What it is about. */
function subjectRows(view: StatusView): Row[] {
  return [
    ["task", plain(view.title)],
    ...(view.implements ? [["builds", plain(documentWords(view.implements))] as const] : []),
    ...salvagedRows(view),
  ];
}

/** What happens now and what waits for a person: the first thing to be seen where there is little room. */
export function urgentRows(view: StatusView, look: Look): Row[] {
  return [
    ...pausedRows(view, look),
    ...nowRows(view, look),
    ...gateRows(view, look),
    ...questionRows(view, look),
    ...nextRows(view),
  ];
}

/** All the rest of a status. */
export function furtherRows(view: StatusView, look: Look): Row[] {
  return [
    ...findingRows(view),
    ...subjectRows(view),
    ...baseRows(view),
    ...runRows(view, look, false),
    ...factRows(view, look),
  ];
}

function salvagedRows({ salvaged_from: from }: StatusView): Row[] {
  return from
    ? [["from", `the good part of ${from.bubble}, up to message ${shownHead(from, from.hash)}`]]
    : [];
}

/** Clocks stand still: how long, and who wants it so. */
function pausedRows({ paused }: StatusView, { now }: Look): Row[] {
  if (!paused) return [];
  const words = plain(paused.says).replace(/^paused:? ?/, "");
  return [["paused", [words, since(paused.since, now), "clocks stand still"].filter(Boolean).join(" · ")]];
}

export function headLine(view: StatusView, paint: Ink): string {
  const round = view.round > 0 ? roundText(view) : "";
  const state = `${paint.accent(view.state)}${view.paused ? " (paused)" : ""}`;
  const parts = [paint.bold(view.id), state, round, gatesText(view.gates)];
  return parts.filter(Boolean).join("   ");
}

/** Rounds are counted through the whole bubble; what the budget is for are those of the current task. */
function roundText({ round, max_rounds: max, workflow }: StatusView): string {
  return workflow.tasks.length > 0 ? `round ${round}` : `round ${round} of ${max}`;
}

/** `gates ✓ typecheck ✗ test (failed)`: what is known about exactly this tree. */
export function gatesText(gates: StatusView["gates"]): string {
  if (gates.list.length === 0)
    return gates.not_available ? `no tests: ${plain(gates.not_available)}` : "no gates";
  if (gates.list.every((gate) => gate.status === "not run"))
    return `gates not run: ${gates.list.map(({ name, required }) => `${name}${required ? "" : " (optional)"}`).join(", ")}`;
  const where = gates.clean ? " (clean checkout)" : "";
  const open = gates.list.some(({ unconfined }) => unconfined) ? ", no sandbox" : "";
  return `gates ${gates.list.map((gate) => gateMark(gate)).join(" ")}${where}${open}`;
}

function gateMark({ name, status, required, flaky }: StatusView["gates"]["list"][number]): string {
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

function nowRows(view: StatusView, look: Look): Row[] {
  const { turn } = view;
  if (!turn || !view.active_agent) return [];
  const who = [view.active_agent, view.active_role, turnText(view, look)].join(" · ");
  const isRunning = turn.status === "running";
  const sign = isRunning ? signText(view, look) : "";
  const watchdog = isRunning && view.watchdog ? watchdogText(view.watchdog.fires_in_ms) : "";
  const sandbox = turn.sandboxed === false ? "no sandbox" : "";
  return [
    ["now", nowText(look, who, [sign, watchdog], sandbox)],
    ...(isRunning && view.driver.alive ? doingRows(view.driver.doing ?? "") : []),
    ...(turn.waits_for ? [["waits", `in its pane: ${plain(turn.waits_for.what)}`] as const] : []),
    ...(turn.status === "due" && turn.problem ? [["trouble", plain(turn.problem)] as const] : []),
  ];
}

function signText({ silent_ms: silentMs, last_sign_at: last }: StatusView, { now }: Look): string {
  if (silentMs !== null) return `silent for ${duration(silentMs)}`;
  return last ? `last sign ${since(last, now)} ago` : "";
}

/** On a narrow screen the watchdog comes first: what is cut off at the edge matters less. */
function nowText({ width }: Look, who: string, signs: readonly string[], sandbox: string): string {
  const isNarrow = width < 100;
  const parts = [who, ...(isNarrow ? signs.toReversed() : signs), sandbox].filter(Boolean);
  return parts.join(isNarrow ? "   " : "     ");
}

/** Gates that run now, each with the last line it printed. */
function gateRows({ gates }: StatusView, look: Look): Row[] {
  return gates.running.map(({ name, since: start, last }) => [
    "gate",
    [name, since(start, look.now), plain(last)].filter(Boolean).join(" · "),
  ]);
}

/** What was red on the base is no mistake of whoever works on it. */
function baseRows({ gates: { base } }: StatusView): Row[] {
  if (!base || base.red.length === 0) return [];
  const kept = base.from_cache ? ` (from the cache, run at ${base.ran_at})` : "";
  return [["base", `red before you began: ${base.red.join(", ")}${kept}`]];
}

/** What the agent says it is doing; the names of the driver's own jobs mean nothing to people. */
function doingRows(doing: string): Row[] {
  return doing === "" || /^(?:[a-z-]+:\S+ ?)+$/.test(doing) ? [] : [["doing", plain(doing)]];
}

function watchdogText(firesInMs: number): string {
  return firesInMs > 0 ? `watchdog in ${countdown(firesInMs)}` : "watchdog due";
}

function turnText({ turn, active_since: activeSince, paused }: StatusView, look: Look): string {
  if (!turn) return "";
  const isPaused = paused !== null;
  const now = paused && paused.since < look.now ? paused.since : look.now;
  const attempt = turn.attempt > 1 ? `, attempt ${turn.attempt}` : "";
  if (turn.status === "due" && isPaused) return `starts when it is resumed${attempt}`;
  if (turn.status === "due" && turn.not_before && turn.not_before > now)
    return `starts in ${countdown(Date.parse(turn.not_before) - Date.parse(now))}${attempt}`;
  if (turn.status === "due") return `about to start${attempt}`;
  if (turn.status === "claimed") return "handed over";
  return `${activeSince ? since(activeSince, now) : "running"}${attempt}`;
}

function questionRows(view: StatusView, look: Look): Row[] {
  const below = (view.child_questions ?? []).map(({ bubble, from, ...asked }) => ({
    ...asked,
    from: `${from} in ${bubble}`,
  }));
  return [...view.questions, ...below].flatMap((question): Row[] => [
    ["asks", `${question.from}, ${since(question.at, look.now)} ago: "${plain(question.text)}"`],
    ...agentOptions(question).map(({ key }): Row => ["answers", plain(key)]),
  ]);
}

/** What an agent proposes; the referee's own choices are in the command below. */
function agentOptions({ kind, options = [] }: { kind: string; options?: readonly { key: string }[] }) {
  return kind === "agent" ? options : [];
}

function nextRows(view: StatusView): Row[] {
  const isOver = view.end !== null || view.commit !== null;
  const error: Row[] = view.workspace_error ? [["trouble", plain(view.workspace_error)]] : [];
  return [...error, [isOver ? "ended" : "next", plain(view.next.says)]];
}

function findingRows({ findings }: StatusView): Row[] {
  const closed = findings.closed.slice(-closedShown);
  const rows = [...findings.open.map(openCells), ...closed.map(closedCells)];
  const lines = table(rows, 2);
  const label = (i: number) => (i < findings.open.length ? "open" : "closed");
  const more = findings.closed.length - closed.length;
  return [
    ...lines.map((line, i): Row => [label(i), line]),
    ...(more > 0 ? [["closed", `… and ${more} earlier`] as const] : []),
  ];
}

function place({ file, line }: FindingView): string {
  if (!file) return "";
  return plain(line ? `${file}:${line}` : file);
}

function openCells(finding: FindingView): string[] {
  const marks = [
    finding.proven ? "" : "unproven",
    finding.disputed ? `disputed: "${plain(finding.disputed)}"` : "",
    finding.escaped ? "escaped earlier" : "",
  ].filter(Boolean);
  const opened = `opened round ${finding.opened_round} by ${finding.opened_by}`;
  return [finding.id, finding.severity, plain(finding.title), place(finding), [opened, ...marks].join(" · ")];
}

function closedCells(finding: FindingView): string[] {
  const round = finding.closed_round === null ? "" : ` in round ${finding.closed_round}`;
  const because = finding.because ? `: ${plain(finding.because)}` : "";
  return [
    finding.id,
    finding.severity,
    plain(finding.title),
    place(finding),
    `${finding.status}${round}${because}`,
  ];
}

/** `codex 12.3k in, 1.2k out · claude 4.0k in, 800 out · $0.1240 · agents worked 4 min`, and the budgets there are. */
function usageRows({ usage }: StatusView): Row[] {
  const agents = Object.entries(usage.by_agent).map(
    ([agent, { input, output, at_least }]) =>
      `${agent} ${tokens(input)} in, ${tokens(output)} out${at_least ? " or more" : ""}`,
  );
  const unpriced = usage.usd !== null && usage.unpriced_attempts > 0 ? " or more" : "";
  const unknown = usage.unknown_attempts;
  const parts = [
    ...agents,
    usage.usd === null ? "" : `${dollars(usage.usd)}${unpriced}`,
    usage.minutes >= 1 ? `agents worked ${duration(usage.minutes * 60_000)}` : "",
    agents.length > 0 && unknown > 0 ? `${count(unknown, "attempt")} without figures` : "",
  ].filter(Boolean);
  const budgets = usage.budgets.length > 0 ? [["budget", budgetProgress(usage.budgets)] as const] : [];
  return [...(parts.length > 0 ? [["used", parts.join(" · ")] as const] : []), ...budgets];
}

function factRows(view: StatusView, look: Look): Row[] {
  const rows: Row[] = usageRows(view);
  const { tree, clean_passes: clean, warnings } = view;
  if (tree)
    rows.push([
      "tree",
      `${count(tree.files, "file")}, +${tree.added} −${tree.removed} · ${tree.id.slice(0, 10)}`,
    ]);
  if (clean.have > 0 && !view.approval)
    rows.push(["clean", `${clean.have} of ${clean.need} clean passes on this tree`]);
  if (view.approval?.digest) rows.push(["digest", digestText(view.approval)]);
  for (const { agent, role, round, files, patch } of view.put_back)
    rows.push([
      "put back",
      `${plain(files.join(", "))}: new in the turn of ${agent} (${role}, round ${round}), kept as ${patch}`,
    ]);
  if (warnings.last) {
    const ago = duration(Date.parse(look.now) - Date.parse(warnings.last.at));
    rows.push([
      "warned",
      `${count(warnings.count, "time")}, last ${ago} ago: ${plain(warnings.last.message)} (${warnings.last.code})`,
    ]);
  }
  if (view.log_ahead_ms !== undefined)
    rows.push([
      "clock",
      `the newest line lies ${duration(view.log_ahead_ms)} in the future; this clock was ahead then, or is behind now`,
    ]);
  return rows;
}

/** Now, as the record counts: what it says is to come is counted from its newest line. */
export function recordTime({ log_ahead_ms: ahead = 0 }: StatusView, { now }: Look): string {
  return new Date(Date.parse(now) + ahead).toISOString();
}

const decisions = { approve: "approved", revise: "sent back", reject: "rejected" } as const;

function digestText({ digest, decision, door_unproven }: NonNullable<StatusView["approval"]>): string {
  const said = [
    digest.slice(0, 12),
    decision ? decisions[decision] : "",
    door_unproven ? "door unproven" : "",
  ];
  return said.filter(Boolean).join(" · ");
}
