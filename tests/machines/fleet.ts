// Several machines on one: each has a clone, a home and a user's folder of its own, and shares nothing with the others but a real
// nats-server, with the configuration and the keys that `pairflow server init` wrote. Workers are processes that can be killed.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { StatusView } from "../../src/core/views/bubble/status.ts";
import { cli, type Rig, rig } from "../acceptance/rig.ts";
import type { RunningServer } from "../helpers/nats-server.ts";
import { type ConfiguredServer, findFreePort, startConfiguredServer } from "./server.ts";

export interface Worker {
  readonly child: ChildProcess;
  /** What it said so far. */
  readonly said: () => string;
  /** Resolves when it has said this. */
  hears(words: RegExp, limitMs?: number): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface Fleet {
  readonly server: ConfiguredServer;
  readonly url: string;
  /** What server init wrote: configuration and keys. */
  readonly serverFolder: string;
  readonly hosts: readonly Rig[];
  worker(host: Rig, ...flags: string[]): Worker;
  close(): Promise<void>;
}

export interface FleetOptions {
  /** Scripts of agents, by name: turn by turn. */
  readonly agents: Readonly<Record<string, readonly unknown[]>>;
  /** Labels that a machine must have for an agent's turns. */
  readonly needs?: Readonly<Record<string, readonly string[]>>;
  readonly hosts?: number;
  readonly leaseSeconds?: number;
  /** Under `defaults` of .pairflow/config.yaml. */
  readonly defaults?: object;
  /** One that is open to everybody, or several, instead of the one that `server init` configures. It ends with the fleet. */
  readonly server?: Pick<RunningServer, "url" | "kill" | "start" | "close">;
  readonly replicas?: 1 | 3;
  /** Commits travel by a git remote that all of them reach, and not as bundles. */
  readonly byRemote?: boolean;
  /** More of .pairflow/config.yaml. */
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** A server, and clones of one repository whose settings name it. */
export async function openFleet(options: FleetOptions): Promise<Fleet> {
  const { agents, hosts: count = 2, leaseSeconds = 2, replicas = 1 } = options;
  const { config = "", files = {}, defaults = {}, needs = {}, byRemote = false } = options;
  const first = rig({ files: { ...files } });
  const serverFolder = join(first.folder, "server");
  const { server, url } = options.server
    ? { server: options.server, url: options.server.url }
    : await configureServer(first, serverFolder, count);
  const names = Object.keys(agents);
  for (const [name, turns] of Object.entries(agents))
    first.write(`agents/${name}.json`, JSON.stringify({ agent: name, turns }));
  const lines = names.map(
    (name) => `  ${name}: { adapter: scripted, script: agents/${name}.json, needs: [${needs[name] ?? ""}] }`,
  );
  const remote = join(first.folder, "shared.git");
  const travel = byRemote ? `, travel: remote, remote: "${remote}"` : "";
  const store = `store: { url: "${url}", project: shop, lease_seconds: ${leaseSeconds}, replicas: ${replicas}${travel} }`;
  first.write(
    ".pairflow/config.yaml",
    `agents:\n${lines.join("\n")}\ndefaults: ${JSON.stringify({ review: { require_evidence: false }, ...defaults })}\n${store}\n${config}\n`,
  );
  first.git("add", "-A");
  first.git("add", "-f", ".pairflow/config.yaml");
  first.git("commit", "-q", "-m", "configure");
  if (byRemote) execFileSync("git", ["clone", "-q", "--bare", first.repo, remote], { env: first.env });
  const others = Array.from({ length: count - 1 }, () => cloneOf(first));
  for (const [i, host] of [first, ...others].entries()) {
    if (options.server) {
      await host.ok("server", "join");
      continue;
    }
    const keyOf = (kind: string) => join(serverFolder, "keys", "shop", `${kind}-${i + 1}.nk`);
    await host.ok("server", "join", keyOf("person"));
    await host.ok("server", "join", keyOf("host"), "--worker");
  }
  const workers: Worker[] = [];
  return {
    ...{ server, url, serverFolder },
    hosts: [first, ...others],
    worker(host, ...flags) {
      const worker = startWorker(host, flags);
      workers.push(worker);
      return worker;
    },
    async close() {
      for (const worker of workers) await worker.kill("SIGKILL");
      await (options.server?.close() ?? server.kill());
      for (const host of [first, ...others]) await host.close();
    },
  };
}

/** What `server init` writes for a person and a worker on each machine. */
async function configureServer(first: Rig, folder: string, count: number) {
  const port = await findFreePort();
  const users = (kind: string) => Array.from({ length: count }, (_, i) => `${kind}-${i + 1}`).join(",");
  await first.ok(
    ...["server", "init", folder, "--project", "shop", "--listen", `127.0.0.1:${port}`],
    ...["--people", users("person"), "--workers", users("host")],
  );
  const server = await startConfiguredServer(join(folder, "nats.conf"), port);
  return { server, url: `nats://127.0.0.1:${port}` };
}

function cloneOf(first: Rig): Rig {
  const other = rig();
  rmSync(other.repo, { recursive: true, force: true });
  mkdirSync(other.folder, { recursive: true });
  execFileSync("git", ["clone", "-q", first.repo, other.repo], { env: other.env });
  return other;
}

export function startWorker(host: Rig, flags: readonly string[]): Worker {
  const child = spawn(host.node, [cli, "worker", ...(flags.includes("--yes") ? [] : ["--yes"]), ...flags], {
    cwd: host.repo,
    env: host.env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (bytes) => (text += String(bytes)));
  return {
    child,
    said: () => text,
    async hears(words, limitMs = 30_000) {
      for (const end = Date.now() + limitMs; !words.test(text); ) {
        if (Date.now() > end) throw new Error(`the worker never said ${words}:\n${text}`);
        if (child.exitCode !== null) throw new Error(`the worker ended with ${child.exitCode}:\n${text}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async kill(signal = "SIGKILL") {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill(signal);
      await gone;
    },
  };
}

/** Looks from a machine until a bubble is as wanted. */
export async function until(
  host: Rig,
  id: string,
  wanted: (status: StatusView) => boolean,
  limitMs = 60_000,
): Promise<StatusView> {
  for (const end = Date.now() + limitMs; ; ) {
    const status = await host.status(id);
    if (wanted(status)) return status;
    if (Date.now() > end)
      throw new Error(
        `never: ${JSON.stringify(status, null, 2)}\n${await host.ok("log", "--id", id, "--all")}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
