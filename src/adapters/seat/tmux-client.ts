// Speaking to tmux: a private server on its own socket, and commands handed over on stdin, so that no value
// (a capability, a prompt) ever stands on a command line that other users can read.
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../ports/failure.ts";
import type { ExecResult, Processes } from "../../ports/system/process.ts";

/** One tmux command as plain words; quoting is done here and nowhere else. */
export type TmuxCommand = readonly string[];

export interface TmuxServer {
  readonly processes: Processes;
  /** Name of the private socket (`tmux -L`). */
  readonly socket: string;
  /** The whole environment of the tmux server, and so the most that any pane can inherit. */
  readonly env: Readonly<Record<string, string>>;
}

const noServer = /no server running|error connecting to|server exited|lost server/;
const noTarget = /can't find (session|window|pane)|no current (target|session)|no sessions/;
const timeoutMs = 10_000;

export type Tmux = ReturnType<typeof createTmuxClient>;

/** A client for one private server. */
export function createTmuxClient({ processes, socket, env }: TmuxServer) {
  const base = ["tmux", "-u", "-L", socket, "-f", "/dev/null"];

  async function exec(args: readonly string[], input = ""): Promise<ExecResult> {
    try {
      return await processes.exec([...base, ...args], { env, input, timeoutMs });
    } catch (cause) {
      throw cause instanceof Failure && cause.code === "process.not-found" ? toTmuxNotFound(cause) : cause;
    }
  }

  /** Runs the commands in order up to the first that fails, and returns what they printed. */
  async function run(commands: readonly TmuxCommand[]): Promise<string> {
    return requireOutput(await exec(["source-file", "-"], buildScript(commands)));
  }

  return {
    run,

    /** As `run`, starting the server when there is none. A server that is just ending is waited for. */
    async runStarting(commands: readonly TmuxCommand[]): Promise<string> {
      for (let left = 20; ; left -= 1) {
        const result = await exec(["start-server", ";", "source-file", "-"], buildScript(commands));
        if (left === 0 || !noServer.test(result.stderr)) return requireOutput(result);
        await pause(50);
      }
    },

    /** As `run`, but undefined when the server or the target does not exist. */
    async runIfThere(commands: readonly TmuxCommand[]): Promise<string | undefined> {
      try {
        return await run(commands);
      } catch (error) {
        if (error instanceof Failure && isAbsence(error)) return undefined;
        throw error;
      }
    },

    /** Pastes `text` into a pane as one bracketed paste. */
    async paste(pane: string, text: string): Promise<void> {
      const buffer = `pairflow-${pane.slice(1)}`;
      const paste = ["paste-buffer", "-p", "-d", "-b", buffer, "-t", pane];
      requireOutput(await exec(["load-buffer", "-b", buffer, "-", ";", ...paste], text));
    },
  };
}

function isAbsence(error: Failure): boolean {
  return noServer.test(error.message) || noTarget.test(error.message);
}

function requireOutput(result: ExecResult): string {
  if (result.code === 0) return result.stdout;
  const said = `${result.stderr}${result.stdout}`.trim() || `exit code ${result.code}`;
  throw new Failure("tmux.failed", `tmux failed: ${said}`, {
    hint: "Pairflow needs tmux 3.2 or newer; `pairflow bubble start --headless` does without it.",
    retryable: noServer.test(said),
  });
}

function toTmuxNotFound(cause: Failure): Failure {
  return new Failure("tmux.not-found", "tmux is not installed, or not on the PATH.", {
    hint: "Install it (`apt-get install tmux`, `brew install tmux`), or use `pairflow bubble start --headless`.",
    cause,
  });
}

// One line joined by ` ; `: commands on separate lines would continue after a failure.
function buildScript(commands: readonly TmuxCommand[]): string {
  return `${serializeTmuxCommands(commands)}\n`;
}

/** Commands as one text: what tmux takes where a command is an argument of another, as in a hook. */
export function serializeTmuxCommands(commands: readonly TmuxCommand[]): string {
  return commands.map((words) => words.map(quote).join(" ")).join(" ; ");
}

/** A word as tmux reads it back unchanged. Line ends stand outside the single quotes: inside them tmux eats indentation. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''").replaceAll("\n", `'"\\n"'`)}'`;
}

/** Text that tmux expands as a format, made literal. */
export function escapeTmuxFormat(text: string): string {
  return text.replaceAll("#", "##");
}
