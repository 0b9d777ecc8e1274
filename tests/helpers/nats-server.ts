// A nats-server of its own for a test file: on loopback, on a free port, syncing every write, in a folder that goes with it.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";

const script = resolve(import.meta.dirname, "..", "..", "scripts", "nats-server.mjs");

/** The program, or why there is none. */
export const natsServer: { readonly program: string } | { readonly missing: string } = findProgram();

function findProgram() {
  const known = process.env.PAIRFLOW_NATS_SERVER;
  if (known) return { program: known };
  try {
    return { program: execFileSync(process.execPath, [script], { encoding: "utf8", stdio: "pipe" }).trim() };
  } catch (error) {
    const missing = String((error as { stderr?: unknown }).stderr ?? error).trim();
    if (process.env.CI) throw new Error(missing);
    return { missing };
  }
}

/** For titles of what is skipped: why. */
export const natsMissing = "missing" in natsServer ? natsServer.missing : undefined;

export interface RunningServer {
  /** Where it keeps everything. */
  readonly folder: string;
  readonly url: string;
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  /** Another connection, as another process has it. */
  connect(options?: { user?: string; pass?: string }): Promise<NatsConnection>;
  /** Ends the server as a power cut of its process does; `start` brings it back on the same port and folder. */
  kill(): Promise<void>;
  start(): Promise<void>;
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** Starts a server. `more` is added to its configuration; `parent` is where its folder is made, or one of this name is found. */
export async function startNatsServer(more = "", parent = tmpdir(), name?: string): Promise<RunningServer> {
  if ("missing" in natsServer) throw new Error(natsServer.missing);
  const { program } = natsServer;
  const folder = name ? join(parent, name) : mkdtempSync(join(parent, "pf-nats-"));
  let port = -1;
  let child: ChildProcess | undefined;
  const start = async () => {
    writeFileSync(
      join(folder, "nats.conf"),
      `listen: "127.0.0.1:${port}"\nports_file_dir: "${folder}"\njetstream { store_dir: "${folder}/data", sync_interval: always }\n${more}\n`,
    );
    for (const name of readdirSync(folder)) if (name.endsWith(".ports")) rmSync(join(folder, name));
    child = spawn(program, ["-c", join(folder, "nats.conf")], { stdio: "ignore", env: {} });
    port = await findPort(folder, child);
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  await start();
  const connections: NatsConnection[] = [];
  const open = async (options: { user?: string; pass?: string } = {}) => {
    const one = await connect({
      ...{
        servers: `127.0.0.1:${port}`,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 50,
        reconnectJitter: 10,
      },
      ...options,
    });
    connections.push(one);
    return one;
  };
  const connection = await open(more.includes("users") ? { user: "admin", pass: "admin" } : {});
  return {
    folder,
    url: `nats://127.0.0.1:${port}`,
    connection,
    js: jetstream(connection),
    jsm: await jetstreamManager(connection, { timeout: 1000 }),
    connect: open,
    kill,
    start,
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    async close() {
      for (const one of connections) await one.close();
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function findPort(folder: string, child: ChildProcess): Promise<number> {
  for (let tries = 0; tries < 500; tries += 1) {
    const file = existsSync(folder) && readdirSync(folder).find((name) => name.endsWith(".ports"));
    const text = file ? readFileSync(join(folder, file), "utf8") : "";
    const [, port] = /nats:\/\/127\.0\.0\.1:(\d+)/.exec(text) ?? [];
    if (port) return Number(port);
    if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("nats-server named no port");
}
