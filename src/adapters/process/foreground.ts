// A program that takes over this terminal until it ends.
import { spawn } from "node:child_process";
import { Failure } from "../../ports/failure.ts";

/** Returns the program's exit code. */
export function runInForeground([program = "", ...args]: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    // Inside somebody's tmux the private server would refuse to nest.
    const { TMUX: _, ...env } = process.env;
    const child = spawn(program, args, { stdio: "inherit", env });
    child.once("error", (cause) =>
      reject(new Failure("process.not-found", `${program} cannot be run`, { cause })),
    );
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
