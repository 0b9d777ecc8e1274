// What happens at this moment, in a status: whose turn it is, since when, and the gates that run.
import type { StatusView } from "../../../../core/views/bubble/status.ts";
import { type Look, toPlainLine } from "../../../terminal/style.ts";
import type { StatusRow } from "../../table.ts";
import { formatAge, formatCountdown, formatDuration } from "../../time.ts";

export function renderNowRows(view: StatusView, look: Look): StatusRow[] {
  const { turn } = view;
  const where: StatusRow[] = view.host === null ? [] : [["on", toPlainLine(view.host)]];
  if (!turn || !view.active_agent) return where;
  const who = [view.active_agent, view.active_role, describeTurn(view, look)].join(" · ");
  const isRunning = turn.status === "running";
  const sign = isRunning ? describeSign(view, look) : "";
  const watchdog = isRunning && view.watchdog ? describeWatchdog(view.watchdog.fires_in_ms) : "";
  const sandbox = turn.sandboxed === false ? "no sandbox" : "";
  return [
    ["now", describeNow(look, who, [sign, watchdog], sandbox)],
    ...where,
    ...(isRunning && view.driver.alive ? renderDoing(view.driver.doing ?? "") : []),
    ...(turn.waits_for ? [["waits", `in its pane: ${toPlainLine(turn.waits_for.what)}`] as const] : []),
    ...(turn.status === "due" && turn.problem ? [["trouble", toPlainLine(turn.problem)] as const] : []),
  ];
}

function describeSign({ silent_ms: silentMs, last_sign_at: last }: StatusView, { now }: Look): string {
  if (silentMs !== null) return `silent for ${formatDuration(silentMs)}`;
  return last ? `last sign ${formatAge(last, now)} ago` : "";
}

/** On a narrow screen the watchdog comes first: what is cut off at the edge matters less. */
function describeNow({ width }: Look, who: string, signs: readonly string[], sandbox: string): string {
  const isNarrow = width < 100;
  const parts = [who, ...(isNarrow ? signs.toReversed() : signs), sandbox].filter(Boolean);
  return parts.join(isNarrow ? "   " : "     ");
}

/** Gates that run now, each with the last line it printed. */
export function renderGateRows({ gates }: StatusView, look: Look): StatusRow[] {
  return gates.running.map(({ name, since: start, last }) => [
    "gate",
    [name, formatAge(start, look.now), toPlainLine(last)].filter(Boolean).join(" · "),
  ]);
}

/** What the agent says it is doing; the names of the driver's own jobs mean nothing to people. */
function renderDoing(doing: string): StatusRow[] {
  return doing === "" || /^(?:[a-z-]+:\S+ ?)+$/.test(doing) ? [] : [["doing", toPlainLine(doing)]];
}

function describeWatchdog(firesInMs: number): string {
  return firesInMs > 0 ? `watchdog in ${formatCountdown(firesInMs)}` : "watchdog due";
}

function describeTurn({ turn, active_since: activeSince, paused }: StatusView, look: Look): string {
  if (!turn) return "";
  const isPaused = paused !== null;
  const now = paused && paused.since < look.now ? paused.since : look.now;
  const attempt = turn.attempt > 1 ? `, attempt ${turn.attempt}` : "";
  if (turn.status === "due" && isPaused) return `starts when it is resumed${attempt}`;
  if (turn.status === "due" && turn.not_before && turn.not_before > now)
    return `starts in ${formatCountdown(Date.parse(turn.not_before) - Date.parse(now))}${attempt}`;
  if (turn.status === "due") return `about to start${attempt}`;
  if (turn.status === "claimed") return "handed over";
  return `${activeSince ? formatAge(activeSince, now) : "running"}${attempt}`;
}
