// A nats-server with the configuration that `pairflow server init` writes, on loopback, in a folder that goes with it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect as connectTcp, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { natsServer } from "../helpers/nats-server.ts";

export interface ConfiguredServer {
  /** Ends it as a power cut of its process does; `start` brings it back. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts it and waits until it lets somebody in. */
export async function startConfiguredServer(conf: string, port: number): Promise<ConfiguredServer> {
  if ("missing" in natsServer) throw new Error(natsServer.missing);
  const { program } = natsServer;
  let child: ChildProcess | undefined;
  const server: ConfiguredServer = {
    async start() {
      let said = "";
      child = spawn(program, ["-c", conf], { stdio: ["ignore", "ignore", "pipe"], env: {} });
      child.stderr?.on("data", (bytes) => (said += String(bytes)));
      for (let tries = 0; !(await isListening(port)); tries += 1) {
        if (tries === 400 || child.exitCode !== null) throw new Error(`nats-server did not start:\n${said}`);
        await sleep(25);
      }
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
  await server.start();
  return server;
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectTcp(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

/** A port that nobody listens at. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
