// A program that takes over this terminal until it ends.
import { spawn } from "node:child_process";
import { Failure } from "../../ports/failure.ts";

export interface ForegroundSettings {
  /** What it reads; the terminal itself if left out. */
  readonly input?: string;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Returns the program's exit code. */
export function runInForeground(
  [program = "", ...args]: readonly string[],
  { input, env: more }: ForegroundSettings = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    // Inside somebody's tmux the private server would refuse to nest.
    const { TMUX: _, ...env } = process.env;
    const child = spawn(program, args, {
      stdio: [input === undefined ? "inherit" : "pipe", "inherit", "inherit"],
      env: { ...env, ...more },
    });
    child.once("error", (cause) =>
      reject(new Failure("process.not-found", `${program} cannot be run`, { cause })),
    );
    child.once("exit", (code) => resolve(code ?? 1));
    // A person who has seen enough leaves before the end.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}
