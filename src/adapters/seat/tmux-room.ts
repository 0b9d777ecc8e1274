// The room of a bubble in tmux: one session, the status pane on top, one pane an agent below. Built in one go, and
// fixed where a person has closed something.
import { keepStart } from "../../core/model/value/sizes.ts";
import { Failure } from "../../ports/failure.ts";
import { escapeTmuxFormat, serializeTmuxCommands, type Tmux, type TmuxCommand } from "./tmux-client.ts";
import { getSessionName, getSessionTarget, listPanes, type Pane, statusPane } from "./tmux-panes.ts";
import { ensureStatus, reaping, type StatusCommand } from "./tmux-status.ts";

export interface Room {
  readonly cwd: string;
  readonly agents: readonly string[];
  readonly title: string;
}

/** Builds the session, or adds to a standing one what is missing. Runs the status command where it does not run. */
export async function openRoom(tmux: Tmux, bubble: string, room: Room, status: StatusCommand): Promise<void> {
  if ((await listPanes(tmux, bubble)) === undefined)
    await tmux.runStarting(build(bubble, room)).catch(ignoreBuilt);
  for (const [index, agent] of [statusPane, ...room.agents].entries()) {
    await ensurePane(tmux, bubble, { agent, cwd: room.cwd, after: room.agents[index - 2] ?? statusPane });
  }
  await ensureStatus(tmux, bubble, room.cwd, status);
}

/** Another process was quicker; what it built is as good. */
function ignoreBuilt(error: unknown): void {
  if (!(error instanceof Failure && error.message.includes("duplicate session"))) throw error;
}

/** The pane of `agent`, made anew when a person has closed it. Undefined when the session itself is gone. */
export async function ensurePane(
  tmux: Tmux,
  bubble: string,
  wanted: { agent: string; cwd: string; after?: string },
): Promise<Pane | undefined> {
  const { agent, cwd } = wanted;
  const panes = await listPanes(tmux, bubble);
  const found = panes?.find((pane) => pane.agent === agent);
  const neighbour = panes?.find((pane) => pane.agent === wanted.after) ?? panes?.at(-1);
  if (found || !neighbour) return found;
  const where = agent === statusPane ? ["-v", "-b", "-f"] : ["-h"];
  await tmux.run([
    ...buildLayout(neighbour.window),
    ["split-window", ...where, "-t", neighbour.id, "-c", escapeTmuxFormat(cwd), ...buildIdleCommand(agent)],
    // A new pane is the active one of its window, which is what a window's id means as the target of a pane.
    ...mark(neighbour.window, agent),
    ...buildLayout(neighbour.window),
  ]);
  return (await listPanes(tmux, bubble))?.find((pane) => pane.agent === agent);
}

const serverOptions: readonly TmuxCommand[] = [
  ["set-option", "-g", "history-limit", "50000"],
  ["set-option", "-g", "default-terminal", "screen-256color"],
  ["set-option", "-g", "default-shell", "/bin/sh"],
  ["set-option", "-g", "mouse", "on"],
  ["set-option", "-g", "status-interval", "0"],
  ["set-option", "-g", "status-left-length", "80"],
  ["set-option", "-g", "status-left", " #{session_name} "],
  ["set-option", "-g", "status-right", " zoom: C-b z   leave: C-b d "],
  ["set-option", "-s", "escape-time", "10"],
  // Without this, attaching would copy variables of the person's shell into every later turn.
  ["set-option", "-g", "update-environment", ""],
];

// Everything in one go, so that nobody ever sees half a room.
function build(bubble: string, { cwd, agents, title }: Room): TmuxCommand[] {
  const here = getSessionTarget(bubble);
  const folder = ["-c", escapeTmuxFormat(cwd)];
  const name = ["-s", getSessionName(bubble), "-n", toPlainTitle(title) || "bubble"];
  return [
    ...serverOptions,
    ["new-session", "-d", ...name, "-x", "200", "-y", "50", ...folder, ...buildIdleCommand(statusPane)],
    ["set-option", "-w", "-t", here, "allow-rename", "off"],
    ["set-option", "-w", "-t", here, "automatic-rename", "off"],
    ["set-option", "-w", "-t", here, "pane-border-status", "top"],
    ["set-option", "-w", "-t", here, "pane-border-format", " #{@pairflow_title} "],
    ...mark(here, statusPane),
    ...agents.flatMap((agent) => [
      ["split-window", "-h", "-t", here, ...folder, ...buildIdleCommand(agent)],
      ...mark(here, agent),
      ...buildLayout(here),
    ]),
    ...followResize(here),
    ...reaping,
    ["select-pane", "-t", `${here}.{top}`],
  ];
}

// Three tenths of the window, its border line included, and never fewer than 7 rows for the words.
const tenths = "#{e|/:#{e|*:#{window_height},3},10}";
const statusHeight = `#{?#{e|<:${tenths},8},8,${tenths}}`;

/** The status pane on top, the agents side by side below it, for the size that the window has now. */
const buildLayout = (target?: string): TmuxCommand[] => {
  const at = target === undefined ? [] : ["-t", target];
  return [
    ["set-option", "-wF", ...at, "main-pane-height", statusHeight],
    ["select-layout", ...at, "main-horizontal"],
  ];
};

/**
 * The same whenever the window gets another size: tmux itself only scales what is there, which leaves one row for the
 * status on a small terminal. A pane that a person has zoomed stays so. Versions without this hook keep tmux's own way.
 */
function followResize(target: string): TmuxCommand[] {
  const zoomed = serializeTmuxCommands([...buildLayout(), ["resize-pane", "-Z"]]);
  const again: TmuxCommand = [
    "if-shell",
    "-F",
    "#{window_zoomed_flag}",
    zoomed,
    serializeTmuxCommands(buildLayout()),
  ];
  return [["set-option", "-wq", "-t", target, "window-resized[0]", serializeTmuxCommands([again])]];
}

/** What a pane shows before its first turn. The process ends at once: there is nothing a key could do harm to. It stays
 * half a second, because tmux may drop what a process printed that is gone before tmux has looked. */
function buildIdleCommand(agent: string): string[] {
  const line = agent === statusPane ? "status" : `${agent}: waiting for its turn`;
  // The empty line above is the one that scrolls away when tmux writes how the pane ended.
  return ["/bin/sh", "-c", 'printf "\\n%s\\n" "$1"; sleep 0.5', "sh", line];
}

function mark(target: string, agent: string): TmuxCommand[] {
  const title = agent === statusPane ? "status" : agent;
  const ended = `#{?#{@pairflow_work},#{@pairflow_title}: ended#{?pane_dead_status, with #{pane_dead_status},},}`;
  return [
    ["set-option", "-p", "-t", target, "remain-on-exit", "on"],
    // Unknown before tmux 3.3, which then prints its own words.
    ["set-option", "-pq", "-t", target, "remain-on-exit-format", ended],
    ["set-option", "-p", "-t", target, "@pairflow_agent", agent],
    ...buildTitleCommands(target, title),
  ];
}

/** Names a pane on its border; an option beside the title, because programs in the pane may set the title. */
export function buildTitleCommands(target: string, title: string): TmuxCommand[] {
  return [
    ["set-option", "-p", "-t", target, "@pairflow_title", toPlainTitle(title)],
    ["select-pane", "-t", target, "-T", toPlainTitle(title)],
  ];
}

/** One line without control characters and without what tmux would expand. */
function toPlainTitle(text: string): string {
  return keepStart(text.replace(/[\p{Cc}#]+/gu, " ").trim(), 80);
}
