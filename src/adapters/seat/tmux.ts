// Turns in tmux panes that people can watch and type into. The pane is respawned for each turn, so a turn is one
// process with an environment of its own; what a person did in the pane before cannot reach it.
import { existsSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../ports/failure.ts";
import type { Seated, Seats, TurnSpec } from "../../ports/seat.ts";
import { isSeated, leaderOf, seated, untilGone, untilSeated } from "./leader.ts";
import { literal, type Tmux, type TmuxCommand, type TmuxServer, tmuxClient } from "./tmux-client.ts";
import { type Pane, panesOf, sessionName, sessionTarget, statusWork } from "./tmux-panes.ts";
import { ensurePane, entitle, openRoom, type Room } from "./tmux-room.ts";

export interface TmuxOptions extends TmuxServer {
  /** What the status pane runs; tmux starts it again when it dies. */
  statusCommand(bubble: string): readonly string[];
  /** What the status command gets beside `env`: it alone, no agent's pane. */
  readonly statusEnv?: Readonly<Record<string, string>>;
}

/** Seats in panes of a private tmux server. Throws Failure `tmux.not-found` or `tmux.failed`. */
export function tmuxSeats(options: TmuxOptions): Seats {
  const { processes, statusCommand, statusEnv = {} } = options;
  const { PAIRFLOW_WORK: _, ...env } = options.env;
  const tmux = tmuxClient({ ...options, env });
  const rooms = new Map<string, Room>();

  async function open(bubble: string, room: Room): Promise<void> {
    await openRoom(tmux, bubble, room, { argv: statusCommand(bubble), env: statusEnv });
    rooms.set(bubble, room);
  }

  async function paneFor({ bubble, agent, cwd }: TurnSpec): Promise<Pane> {
    const room = rooms.get(bubble);
    if (room && !(await panesOf(tmux, bubble))) await open(bubble, room);
    const pane = await ensurePane(tmux, bubble, { agent, cwd });
    if (pane) return pane;
    throw new Failure("tmux.closed", `The tmux session of bubble ${bubble} is gone.`, {
      hint: `pairflow bubble resume --id ${bubble}`,
    });
  }

  return {
    kind: "tmux",
    open,
    sessionName,

    async start(spec) {
      if (!existsSync(spec.cwd)) throw noFolder(spec);
      const pane = await paneFor(spec);
      // Closing a pane's terminal does not end a process that ignores it; its marker does.
      if (pane.work) await processes.end(pane.work);
      await mkdir(dirname(spec.output), { recursive: true });
      await appendFile(spec.output, "", { mode: 0o600 });
      const [pid, tty] = (await tmux.run(launch(pane, spec, env))).trim().split("|");
      // tmux answers as soon as it has forked.
      await untilSeated(processes, Number(pid));
      return { pid: Number(pid), ...(tty ? { tty } : {}) };
    },

    async find(work) {
      const pid = await leaderOf(processes, work);
      if (pid === undefined) return undefined;
      const tty = await ttyOf(tmux, pid);
      return { pid, ...(tty ? { tty } : {}) };
    },

    alive: ({ pid }: Seated) => isSeated(processes, pid),
    gone: (_work: string, { pid }: Seated, signal: AbortSignal) => untilGone(processes, pid, signal),
    end: (work) => processes.end(work),

    async deliver(bubble, agent, notice, ready) {
      const pane = (await panesOf(tmux, bubble))?.find((one) => one.agent === agent);
      if (!pane || pane.dead || !(await isSeated(processes, pane.pid))) return "gone";
      await tmux.run(leaveMode(pane));
      if (ready && !(await untilShown(tmux, pane, ready))) return "gone";
      await tmux.paste(pane.id, oneLine(notice));
      // A call of its own: sent together with the text, Enter becomes part of the paste.
      await tmux.run([["send-keys", "-t", pane.id, "Enter"]]);
      return "sent";
    },

    async close(bubble) {
      const panes = (await panesOf(tmux, bubble).catch(unlessInstalled)) ?? [];
      rooms.delete(bubble);
      const works = panes.map((pane) => pane.work).filter((work) => work !== "" && work !== statusWork);
      await Promise.all(works.map((work) => processes.end(work)));
      if (panes.length > 0) await tmux.runIfThere([["kill-session", "-t", sessionTarget(bubble)]]);
    },

    async isOpen(bubble) {
      return (await panesOf(tmux, bubble).catch(unlessInstalled)) !== undefined;
    },
  };
}

/** The command line with which a person looks at a bubble's session. */
export function tmuxAttach(socket: string, bubble: string): string[] {
  return ["tmux", "-u", "-L", socket, "attach-session", "-t", sessionTarget(bubble)];
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
    ...entitle(pane.id, `${spec.agent} · ${spec.role} · ${spec.turn}`),
    [
      ...["respawn-pane", "-k", "-t", pane.id, "-c", literal(spec.cwd)],
      ...variables.flatMap(([name, value]) => ["-e", `${name}=${value}`]),
      ...seated(spec.argv),
    ],
    ["pipe-pane", "-t", pane.id, `exec cat >> ${inShell(spec.output)}`],
    ["display-message", "-p", "-t", pane.id, "#{pane_pid}|#{pane_tty}"],
  ];
}

const readyMs = 15_000;

/** Waits until the visible part of the pane shows the mark. */
async function untilShown(tmux: Tmux, pane: Pane, mark: RegExp): Promise<boolean> {
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

async function ttyOf(tmux: Tmux, pid: number): Promise<string | undefined> {
  const text = await tmux.runIfThere([["list-panes", "-a", "-F", "#{pane_pid}|#{pane_tty}"]]);
  return text
    ?.split("\n")
    .map((line) => line.split("|"))
    .find(([id]) => Number(id) === pid)?.[1];
}

/** A file name as one word for sh, inside a text in which tmux expands formats and times. */
function inShell(path: string): string {
  return `'${literal(path).replaceAll("%", "%%").replaceAll("'", "'\\''")}'`;
}

/** A notice is one line: a line end inside it would submit half of it, a control character could end the paste. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, " ").trim();
}

function unlessInstalled(error: unknown): undefined {
  if (error instanceof Failure && error.code === "tmux.not-found") return undefined;
  throw error;
}

function noFolder(spec: TurnSpec): Failure {
  return new Failure("process.no-folder", `The folder of bubble ${spec.bubble} does not exist: ${spec.cwd}`, {
    hint: `pairflow bubble resume --id ${spec.bubble}`,
  });
}
