// Three nats-servers that keep every message on each of them, on loopback and free ports: what is left when one of them is killed.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { natsServer } from "./nats-server.ts";

export interface Cluster {
  /** All of them, with commas between. */
  readonly url: string;
  /** Ends the one of this name as a power cut of its process does. */
  kill(name: string): Promise<void>;
  close(): Promise<void>;
}

const names = ["n1", "n2", "n3"] as const;

export async function startNatsCluster(): Promise<Cluster> {
  if ("missing" in natsServer) throw new Error(natsServer.missing);
  const { program } = natsServer;
  const folder = mkdtempSync(join(tmpdir(), "pf-nats-"));
  const ports = await findPorts(2 * names.length);
  const routes = names.map((_, index) => `nats://127.0.0.1:${ports[index + names.length]}`).join(", ");
  const children = new Map<string, ChildProcess>();
  for (const [index, name] of names.entries()) {
    const file = join(folder, `${name}.conf`);
    const cluster = `cluster { name: pf, listen: "127.0.0.1:${ports[index + names.length]}", routes: [${routes}] }`;
    const data = `jetstream { store_dir: "${folder}/${name}", sync_interval: always }`;
    writeFileSync(file, `server_name: ${name}\nlisten: "127.0.0.1:${ports[index]}"\n${data}\n${cluster}\n`);
    children.set(name, spawn(program, ["-c", file], { stdio: "ignore", env: {} }));
  }
  const kill = async (name: string) => {
    const child = children.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return {
    url: names.map((_, index) => `nats://127.0.0.1:${ports[index]}`).join(","),
    kill,
    async close() {
      for (const name of names) await kill(name);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ports that nobody has now. */
async function findPorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
