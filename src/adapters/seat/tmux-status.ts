// The status pane drives the bubble, so tmux itself must keep its process alive: nobody else is certain to be there.
import { escapeTmuxFormat, serializeTmuxCommands, type Tmux, type TmuxCommand } from "./tmux-client.ts";
import { listPanes, statusPane, statusWork } from "./tmux-panes.ts";

// tmux built with utempter sets SIGCHLD aside for a moment when a pane's terminal closes, and a death in that moment
// is never seen (tmux 3.3a: one in ten, right after a start). The end of any other child makes it look again, so a
// child that does nothing ends every two seconds: one for the whole server.
export const reaping: readonly TmuxCommand[] = [
  [
    ...["set-option", "-s", "command-alias[100]"],
    "pairflow-reap=run-shell -b true ; run-shell -b -d 2 -C pairflow-reap",
  ],
  ["if-shell", "-F", "#{@pairflow_reaping}", "", "set-option -s @pairflow_reaping 1 ; pairflow-reap"],
];

export interface StatusCommand {
  readonly argv: readonly string[];
  /** What it gets beside the environment of the server; no other pane has it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Runs the status command where it does not run. A pane that waits for its next restart is not kept waiting. */
export async function ensureStatus(
  tmux: Tmux,
  bubble: string,
  cwd: string,
  { argv, env }: StatusCommand,
): Promise<void> {
  const pane = (await listPanes(tmux, bubble))?.find((one) => one.agent === statusPane);
  if (!pane || (pane.work !== "" && !pane.dead)) return;
  const start = defineAlias(pane.id, env);
  // A call of its own: tmux looks an alias up when it reads the line, before it has run the command that defines it.
  await tmux.run([start.define]);
  // In one go: a pane that is marked and runs nothing would never be started.
  await tmux.run([
    ["set-option", "-p", "-t", pane.id, "@pairflow_work", statusWork],
    ["set-option", "-p", "-t", pane.id, "@pairflow_deaths", "0"],
    ["set-hook", "-p", "-t", pane.id, "pane-died", serializeTmuxCommands(respawn(pane.id, [start.name]))],
    [start.name, "-k", "-c", escapeTmuxFormat(cwd), ...wrapProgram(argv)],
  ]);
}

/**
 * A command of the server's own that starts the pane's program with its variables. tmux remembers the program of a pane,
 * but not its variables, and inside the hook it would expand `#{…}` and run `#(…)` in their values.
 */
function defineAlias(pane: string, env: StatusCommand["env"]): { name: string; define: TmuxCommand } {
  const name = `pairflow-status-${pane.slice(1)}`;
  const variables = Object.entries(env).flatMap(([key, value]) => ["-e", `${key}=${value}`]);
  const command = serializeTmuxCommands([["respawn-pane", "-t", pane, ...variables]]);
  const place = `command-alias[${1000 + Number(pane.slice(1))}]`;
  return { name, define: ["set-option", "-s", place, `${name}=${command}`] };
}

// Three quick restarts, then one in ten seconds; half a minute later the count begins again.
function respawn(pane: string, again: TmuxCommand): TmuxCommand[] {
  const later = (seconds: string, command: TmuxCommand): TmuxCommand => [
    "run-shell",
    "-b",
    "-d",
    seconds,
    "-C",
    serializeTmuxCommands([command]),
  ];
  return [
    ["set-option", "-pF", "-t", pane, "@pairflow_deaths", "#{e|+:#{@pairflow_deaths},1}"],
    [
      "if-shell",
      "-F",
      "-t",
      pane,
      "#{e|>:#{@pairflow_deaths},3}",
      serializeTmuxCommands([later("10", again)]),
      serializeTmuxCommands([later("0.3", again)]),
    ],
    later("30", ["set-option", "-p", "-t", pane, "@pairflow_deaths", "0"]),
  ];
}

/** Words that tmux runs as they are: a single word alone it would give to a shell. */
function wrapProgram(argv: readonly string[]): string[] {
  return ["/bin/sh", "-c", 'exec "$@"', "sh", ...argv];
}
