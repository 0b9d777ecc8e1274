// Whether anybody still reads what this process prints into a pipe. Node can only find out by writing; GNU tail watches
// its own output, so one that has nothing to print ends by SIGPIPE as soon as the reader has gone.
import { spawn } from "node:child_process";
import { fstatSync } from "node:fs";
import { tryOr } from "../../core/model/value/try-or.ts";

/** Calls `then` once the reader of standard output has gone. Where tail cannot watch, or there is no pipe, it never does. */
export function watchReader(then: () => void): void {
  if (!tryOr(() => fstatSync(1).isFIFO(), false)) return;
  const { PATH = "" } = process.env;
  const child = spawn("tail", [`--pid=${process.pid}`, "-f", "/dev/null"], {
    env: { PATH },
    stdio: ["ignore", 1, "ignore"],
  });
  child.unref();
  child.once("error", () => {});
  child.once("exit", (_code, signal) => {
    if (signal === "SIGPIPE") then();
  });
  // It holds the pipe open too: its reader must see its end when this process is over.
  process.once("exit", () => child.kill());
}
