// Turns in tmux panes that people can watch and type into. The pane is respawned for each turn, so a turn is one
// process with an environment of its own; what a person did in the pane before cannot reach it.
import { existsSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { quoteShellText } from "../../core/model/value/shell-word.ts";
import type { SeatedTurn, Seats, TurnSpec } from "../../ports/agent/seat.ts";
import { Failure } from "../../ports/failure.ts";
import { findLeader, isSeated, waitUntilGone, waitUntilSeated, wrapSeatCommand } from "./leader.ts";
import {
  createTmuxClient,
  escapeTmuxFormat,
  type Tmux,
  type TmuxCommand,
  type TmuxServer,
} from "./tmux-client.ts";
import { getSessionName, getSessionTarget, listPanes, type Pane, statusWork } from "./tmux-panes.ts";
import { buildTitleCommands, ensurePane, openRoom, type Room } from "./tmux-room.ts";

export interface TmuxOptions extends TmuxServer {
  /** What the status pane runs; tmux starts it again when it dies. */
  statusCommand(bubble: string): readonly string[];
  /** What the status command gets beside `env`: it alone, no agent's pane. */
  readonly statusEnv?: Readonly<Record<string, string>>;
}

/** Seats in panes of a private tmux server. Throws Failure `tmux.not-found` or `tmux.failed`. */
export function createTmuxSeats(options: TmuxOptions): Seats {
  const { processes, statusCommand, statusEnv = {} } = options;
  const { PAIRFLOW_WORK: _, ...env } = options.env;
  const tmux = createTmuxClient({ ...options, env });
  const rooms = new Map<string, Room>();

  async function open(bubble: string, room: Room): Promise<void> {
    await openRoom(tmux, bubble, room, { argv: statusCommand(bubble), env: statusEnv });
    rooms.set(bubble, room);
  }

  async function paneFor({ bubble, agent, cwd }: TurnSpec): Promise<Pane> {
    const room = rooms.get(bubble);
    if (room && !(await listPanes(tmux, bubble))) await open(bubble, room);
    const pane = await ensurePane(tmux, bubble, { agent, cwd });
    if (pane) return pane;
    throw new Failure("tmux.closed", `The tmux session of bubble ${bubble} is gone.`, {
      hint: `pairflow bubble resume --id ${bubble}`,
    });
  }

  return {
    kind: "tmux",
    open,
    sessionName: getSessionName,

    async start(spec) {
      if (!existsSync(spec.cwd)) throw toNoFolder(spec);
      const pane = await paneFor(spec);
      // Closing a pane's terminal does not end a process that ignores it; its marker does.
      if (pane.work) await processes.end(pane.work);
      await mkdir(dirname(spec.output), { recursive: true });
      await appendFile(spec.output, "", { mode: 0o600 });
      const [pid, tty] = (await tmux.run(launch(pane, spec, env))).trim().split("|");
      // tmux answers as soon as it has forked.
      await waitUntilSeated(processes, Number(pid));
      return { pid: Number(pid), ...(tty ? { tty } : {}) };
    },

    async find(work) {
      const pid = await findLeader(processes, work);
      if (pid === undefined) return undefined;
      const tty = await findTty(tmux, pid);
      return { pid, ...(tty ? { tty } : {}) };
    },

    alive: ({ pid }: SeatedTurn) => isSeated(processes, pid),
    gone: (_work: string, { pid }: SeatedTurn, signal: AbortSignal) => waitUntilGone(processes, pid, signal),
    end: (work) => processes.end(work),

    async deliver(bubble, agent, notice, ready) {
      const pane = (await listPanes(tmux, bubble))?.find((one) => one.agent === agent);
      if (!pane || pane.dead || !(await isSeated(processes, pane.pid))) return "gone";
      await tmux.run(leaveMode(pane));
      if (ready && !(await waitUntilShown(tmux, pane, ready))) return "gone";
      await tmux.paste(pane.id, toOneLine(notice));
      // A call of its own: sent together with the text, Enter becomes part of the paste.
      await tmux.run([["send-keys", "-t", pane.id, "Enter"]]);
      return "sent";
    },

    async close(bubble) {
      const panes = (await listPanes(tmux, bubble).catch(ignoreNotInstalled)) ?? [];
      rooms.delete(bubble);
      const works = panes.map((pane) => pane.work).filter((work) => work !== "" && work !== statusWork);
      await Promise.all(works.map((work) => processes.end(work)));
      if (panes.length > 0) await tmux.runIfThere([["kill-session", "-t", getSessionTarget(bubble)]]);
    },

    async isOpen(bubble) {
      return (await listPanes(tmux, bubble).catch(ignoreNotInstalled)) !== undefined;
    },
  };
}

/** The command line with which a person looks at a bubble's session. */
export function buildAttachCommand(socket: string, bubble: string): string[] {
  return ["tmux", "-u", "-L", socket, "attach-session", "-t", getSessionTarget(bubble)];
}

// One command list: the pipe stands before tmux can read the first byte of the new process.
function launch(pane: Pane, spec: TurnSpec, env: Readonly<Record<string, string>>): TmuxCommand[] {
  // The terminal is tmux's own kind, whatever the caller sits at.
  const variables = Object.entries({ ...env, ...spec.env, PAIRFLOW_WORK: spec.work }).filter(
    ([name]) => name !== "TERM",
  );
  return [
    ...leaveMode(pane),
    ["set-option", "-p", "-t", pane.id, "@pairflow_work", spec.work],
    ...buildTitleCommands(pane.id, `${spec.agent} · ${spec.role} · ${spec.turn}`),
    [
      ...["respawn-pane", "-k", "-t", pane.id, "-c", escapeTmuxFormat(spec.cwd)],
      ...variables.flatMap(([name, value]) => ["-e", `${name}=${value}`]),
      ...wrapSeatCommand(spec.argv),
    ],
    ["pipe-pane", "-t", pane.id, `exec cat >> ${quoteForTmuxShell(spec.output)}`],
    ["display-message", "-p", "-t", pane.id, "#{pane_pid}|#{pane_tty}"],
  ];
}

const readyMs = 15_000;

/** Waits until the visible part of the pane shows the mark. */
async function waitUntilShown(tmux: Tmux, pane: Pane, mark: RegExp): Promise<boolean> {
  for (const end = Date.now() + readyMs; Date.now() < end; await pause(100)) {
    const screen = await tmux.runIfThere([["capture-pane", "-p", "-t", pane.id]]);
    if (screen === undefined) return false;
    if (mark.test(screen)) return true;
  }
  return false;
}

/** Copy mode swallows keys; it is left before anything is put into a pane. */
function leaveMode(pane: Pane): TmuxCommand[] {
  return [["if-shell", "-F", "-t", pane.id, "#{pane_in_mode}", `send-keys -X -t ${pane.id} cancel`]];
}

async function findTty(tmux: Tmux, pid: number): Promise<string | undefined> {
  const text = await tmux.runIfThere([["list-panes", "-a", "-F", "#{pane_pid}|#{pane_tty}"]]);
  return text
    ?.split("\n")
    .map((line) => line.split("|"))
    .find(([id]) => Number(id) === pid)?.[1];
}

/** A file name as one word for sh, inside a text in which tmux expands formats and times. */
function quoteForTmuxShell(path: string): string {
  return quoteShellText(escapeTmuxFormat(path).replaceAll("%", "%%"));
}

/** A notice is one line: a line end inside it would submit half of it, a control character could end the paste. */
function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, " ").trim();
}

function ignoreNotInstalled(error: unknown): undefined {
  if (error instanceof Failure && error.code === "tmux.not-found") return undefined;
  throw error;
}

function toNoFolder(spec: TurnSpec): Failure {
  return new Failure("process.no-folder", `The folder of bubble ${spec.bubble} does not exist: ${spec.cwd}`, {
    hint: `pairflow bubble resume --id ${spec.bubble}`,
  });
}
