// What a person does at a desk: the command from any folder and with any environment, a command in a real terminal,
// and a bubble taken to where it waits for that person.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { StatusView } from "../../src/core/views/bubble/status.ts";
import { cli, createScripted, execute, type Ran, type Rig } from "../acceptance/rig.ts";
import { killProcess } from "./kill.ts";
import { confirmSettings } from "./trust.ts";

export interface Place {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** Another program than the pairflow command. */
  readonly command?: string;
  /** How wide a terminal is; 120 columns if nothing is said. */
  readonly columns?: number;
  /** How high; 60 rows if nothing is said. */
  readonly rows?: number;
}

/** Runs the command in another folder or environment than the rig's own. */
export function runAt(tool: Rig, place: Place, ...args: string[]): Promise<Ran> {
  const { cwd = tool.repo, env = tool.env, command = cli } = place;
  if (tool.trusts) confirmSettings({ repo: tool.repo, env });
  return execute([process.execPath, command, ...args], { cwd, env });
}

/** Creates a bubble and drives it in the foreground until it waits for a person or has ended. */
export async function runHeadless(
  tool: Rig,
  id: string,
  turns: { implementer: unknown; reviewer: unknown },
  ...flags: string[]
): Promise<StatusView> {
  await createScripted(tool, id, turns, ...flags);
  await tool.ok("bubble", "start", "--id", id, "--headless");
  return tool.status(id);
}

/** The same command with the operator's key. */
export function grant(tool: Rig, ...args: string[]): Promise<Ran> {
  return tool.run(...args, "--operator-key", tool.key);
}

/** Answers or decides with a command, then drives on until the bubble waits again. */
export async function goOn(tool: Rig, id: string, ...args: string[]): Promise<StatusView> {
  await tool.ok(...args);
  return tool.until(
    id,
    ({ state, driver }) => !driver.alive && !["RUNNING", "PREPARING_WORKSPACE", "CREATED"].includes(state),
    `${id} waits again after ${args.slice(0, 2).join(" ")}`,
  );
}

/** Ends the bubble's driver as a power cut would, and nothing else. */
export async function killDriver(tool: Rig, id: string): Promise<void> {
  const { driver } = await tool.status(id);
  if (!driver.alive || !driver.pid) throw new Error(`nobody drives ${id}`);
  await killProcess(driver.pid);
}

/** Changes bubble.toml as a person would in an editor. */
export function edit(tool: Rig, id: string, change: (text: string) => string): void {
  const file = join(tool.repo, ".pairflow", "bubbles", id, "bubble.toml");
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

export function changeSetting(tool: Rig, id: string, key: string, value: string): void {
  edit(tool, id, (text) => text.replace(new RegExp(`^(# )?${key} = .*$`, "m"), `${key} = ${value}`));
}

export function readArtifact(tool: Rig, id: string, name: string): string {
  return readFileSync(join(tool.repo, ".pairflow", "bubbles", id, "artifacts", name), "utf8");
}

/** The prompt of the last turn that was started. */
export function readLastPrompt(tool: Rig, id: string): string {
  const started = tool.log(id).findLast((envelope) => envelope.type === "TURN_STARTED");
  return started?.type === "TURN_STARTED" ? readArtifact(tool, id, started.payload.prompt) : "";
}

export interface Terminal {
  screen(): string;
  /** Waits until the screen shows this; throws with the screen when it never does. */
  sees(what: string | RegExp): Promise<string>;
  /** A line, with Enter. */
  types(line: string): void;
  /** Keys by tmux's names for them: C-c, Escape. */
  presses(...keys: string[]): void;
  resizes(columns: number, rows: number): void;
  /** Waits for the end of the command; its exit code and the last screen. */
  ends(): Promise<{ code: number; screen: string }>;
  close(): void;
}

let terminals = 0;

/** The command in a real terminal, with a person before it. */
export function openTerminal(tool: Rig, args: readonly string[], place: Place = {}): Terminal {
  if (tool.trusts) confirmSettings({ ...tool, ...(place.env ? { env: place.env } : {}) });
  const socket = `${tool.socket}-desk-${++terminals}`;
  const tmux = (...words: string[]) =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...words], { encoding: "utf8", env: tool.env });
  const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  const env = Object.entries(place.env ?? tool.env).map(([name, value]) => quote(`${name}=${value}`));
  const command = [process.execPath, place.command ?? cli, ...args].map(quote).join(" ");
  // Ctrl-C is for the command alone; the shell stays to say how it ended.
  const line = `trap : INT; env -i ${env.join(" ")} ${command}; echo "[exit $?]"; exec sleep 600`;
  const size = ["-x", String(place.columns ?? 120), "-y", String(place.rows ?? 60)];
  tmux("new-session", "-d", ...size, "-s", "desk", "-c", place.cwd ?? tool.repo, "/bin/sh", "-c", line);
  const screen = () => tmux("capture-pane", "-p", "-J", "-t", "=desk:");
  const it: Terminal = {
    screen,
    async sees(what) {
      for (const end = Date.now() + 60_000; ; await sleep(40)) {
        const text = screen();
        if (typeof what === "string" ? text.includes(what) : what.test(text)) return text;
        if (Date.now() > end) throw new Error(`never seen: ${what}\n${text}`);
      }
    },
    types(line) {
      if (line !== "") tmux("send-keys", "-t", "=desk:", "-l", line);
      tmux("send-keys", "-t", "=desk:", "Enter");
    },
    presses: (...keys) => void tmux("send-keys", "-t", "=desk:", ...keys),
    resizes: (columns, rows) =>
      void tmux("resize-window", "-t", "=desk:", "-x", String(columns), "-y", String(rows)),
    async ends() {
      const text = await it.sees(/\[exit \d+\]/);
      return { code: Number(/\[exit (\d+)\]/.exec(text)?.[1]), screen: text };
    },
    close() {
      try {
        execFileSync("tmux", ["-L", socket, "kill-server"], { stdio: "ignore" });
      } catch {
        // Gone already.
      }
    },
  };
  return it;
}
