// `pairflow ui` as a person starts it: its own process, its address, its end.
import { type ChildProcess, spawn } from "node:child_process";
import type { Page } from "playwright-core";
import { cli, type Rig } from "../acceptance/rig.ts";

export interface Served {
  readonly address: string;
  readonly port: number;
  readonly words: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** Everything it said to the terminal. */
  narration(): string;
  end(signal?: NodeJS.Signals): Promise<void>;
}

export function serveUi(tool: Rig, ...flags: string[]): Promise<Served> {
  const child = spawn(tool.node, [cli, "ui", "--json", ...flags], {
    cwd: tool.repo,
    env: tool.env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`pairflow ui ended with ${code}\n${said.stderr}`)));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said.stdout += text;
      if (!said.stdout.includes("\n")) return;
      const told = JSON.parse(said.stdout) as Omit<Served, "child" | "narration" | "end">;
      const end = (signal: NodeJS.Signals = "SIGTERM") => {
        child.kill(signal);
        return ended;
      };
      resolve({ ...told, child, narration: () => said.stderr, end });
    });
  });
}

/** Opens the session in this tab and then a page of it: a code that is still under way is no session yet. */
export async function openPage(page: Page, served: Served, path = "/"): Promise<void> {
  await page.goto(served.address);
  await page.getByText(served.words).waitFor();
  if (path !== "/") await page.goto(`${new URL(served.address).origin}${path}`);
}
