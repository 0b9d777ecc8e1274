// pairflow server init: the configuration of a server for several machines, with a key for each person and worker. What was written
// before is read again, so that the same command adds users and leaves the keys of the others as they are.
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../adapters/disk/files.ts";
import { isLoopback } from "../../adapters/nats/connect.ts";
import {
  buildServerConf,
  type ServerNode,
  type ServerPlan,
  type ServerTls,
} from "../../adapters/nats/server-conf.ts";
import { createUserKey } from "../../adapters/nats/users.ts";
import { Failure } from "../../ports/failure.ts";
import { buildUsageError } from "../host/usage.ts";

export interface ServerInitOptions {
  readonly folder: string;
  readonly project: string;
  readonly people: readonly string[];
  readonly workers: readonly string[];
  /** host:port of each server: one, or three. Those of an earlier run if left out. */
  readonly listen: readonly string[];
  readonly tls?: ServerTls;
  readonly diskGb?: number;
}

export interface WrittenServer {
  /** Configurations, one a node. */
  readonly confs: readonly string[];
  /** Keys that were made now, by the name of their user. */
  readonly keys: readonly {
    readonly name: string;
    readonly kind: "person" | "worker" | "admin";
    readonly file: string;
  }[];
  readonly url: string;
  readonly replicas: 1 | 3;
  readonly hasTls: boolean;
}

const planName = "server.json";
const usualPort = 4222;
const usualDiskGb = 20;

export function writeServer(options: ServerInitOptions): WrittenServer {
  const { folder, project } = options;
  checkNames(options);
  const before = readPlan(folder);
  const nodes = options.listen.length > 0 ? planNodes(folder, options.listen) : before?.nodes;
  const planned = nodes ?? planNodes(folder, [`127.0.0.1:${usualPort}`]);
  const tls = options.tls ?? before?.tls;
  requireTls(planned, tls);
  mkdirSync(join(folder, "keys", project), { recursive: true, mode: 0o700 });
  const keys = makeKeys(options, before);
  const plan: ServerPlan = {
    nodes: planned,
    ...(tls ? { tls } : {}),
    projects: { ...before?.projects, [project]: addUsers(before?.projects[project], keys) },
    admin: before?.admin ?? keys.find(({ kind }) => kind === "admin")?.publicKey ?? "",
    clusterPassword: before?.clusterPassword ?? randomBytes(24).toString("base64url"),
    diskGb: options.diskGb ?? before?.diskGb ?? usualDiskGb,
  };
  const confs = planned.map((node, i) => {
    const file = join(folder, planned.length === 1 ? "nats.conf" : `nats-${i + 1}.conf`);
    replaceFile(file, buildServerConf(plan, node));
    return file;
  });
  // Last: after an interruption the command is run again, and every key that is listed has its file.
  replaceFile(join(folder, planName), `${JSON.stringify(plan, null, 2)}\n`);
  return {
    ...{ confs, keys: keys.map(({ name, kind, file }) => ({ name, kind, file })), hasTls: tls !== undefined },
    url: planned.map(({ host, port }) => `${tls ? "tls" : "nats"}://${host}:${port}`).join(","),
    replicas: planned.length === 3 ? 3 : 1,
  };
}

function checkNames({ project, people, workers, listen }: ServerInitOptions): void {
  const wrong = [project, ...people, ...workers].find((name) => !/^[a-z0-9][a-z0-9_-]{0,62}$/i.test(name));
  if (wrong !== undefined)
    throw buildUsageError(
      "usage.bad-name",
      `${JSON.stringify(wrong)} is no name for a project or a user: 1–63 letters, digits, - or _`,
      "pairflow server init --project shop --people anna --workers host-a,host-b",
    );
  const twice = [...people, ...workers].find((name, i, all) => all.indexOf(name) !== i);
  if (twice !== undefined)
    throw buildUsageError(
      "usage.bad-name",
      `${twice} is there twice: each person and each worker has a key of its own`,
      `pairflow server init --project ${project} --people anna --workers host-a,host-b`,
    );
  if (![0, 1, 3].includes(listen.length) || listen.some((one) => !splitAddress(one)))
    throw buildUsageError(
      "usage.bad-address",
      `--listen ${listen.join(",")}: one address, or three for a cluster, each host:port`,
      "--listen 127.0.0.1:4222,127.0.0.1:4223,127.0.0.1:4224",
    );
}

function splitAddress(address: string): { readonly host: string; readonly port: number } | undefined {
  const [, host, port = String(usualPort)] = /^([\w.-]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/i.exec(address) ?? [];
  return host && Number(port) > 0 && Number(port) < 65_536 ? { host, port: Number(port) } : undefined;
}

const clusterOffset = 2000;

function planNodes(folder: string, listen: readonly string[]): ServerNode[] {
  return listen.map((address, i) => {
    const { host = "", port = usualPort } = splitAddress(address) ?? {};
    const name = `pairflow-${i + 1}`;
    return { name, host, port, clusterPort: port + clusterOffset, data: join(folder, "data", name) };
  });
}

function requireTls(nodes: readonly ServerNode[], tls: ServerTls | undefined): void {
  const open = nodes.find(({ host }) => !isLoopback(host));
  if (!open || tls) return;
  throw buildUsageError(
    "server.needs-tls",
    `${open.host} is not this machine alone: what goes over a network is encrypted`,
    `pairflow server init --listen ${open.host}:${open.port} --cert server.pem --key server-key.pem --ca ca.pem`,
  );
}

interface MadeKey {
  readonly name: string;
  readonly kind: "person" | "worker" | "admin";
  readonly file: string;
  readonly publicKey: string;
}

/** A key for everybody who has none; the file is written before anything names it. */
function makeKeys(
  { folder, project, people, workers }: ServerInitOptions,
  before: ServerPlan | undefined,
): MadeKey[] {
  const known = before?.projects[project];
  const make = (kind: MadeKey["kind"], name: string, file: string): MadeKey => {
    const { seed, publicKey } = createUserKey();
    replaceFile(file, `${seed}\n`);
    return { name, kind, file, publicKey };
  };
  const fileOf = (name: string) => join(folder, "keys", project, `${name}.nk`);
  const isNew = (listed: Readonly<Record<string, string>> | undefined) => (name: string) => !listed?.[name];
  return [
    ...(before ? [] : [make("admin", "admin", join(folder, "keys", "admin.nk"))]),
    ...people.filter(isNew(known?.people)).map((name) => make("person", name, fileOf(name))),
    ...workers.filter(isNew(known?.workers)).map((name) => make("worker", name, fileOf(name))),
  ];
}

function addUsers(before: ServerPlan["projects"][string] | undefined, keys: readonly MadeKey[]) {
  const pick = (kind: MadeKey["kind"]) =>
    Object.fromEntries(
      keys.filter((key) => key.kind === kind).map(({ name, publicKey }) => [name, publicKey]),
    );
  return {
    people: { ...before?.people, ...pick("person") },
    workers: { ...before?.workers, ...pick("worker") },
  };
}

/** What an earlier run wrote; undefined where there was none. */
function readPlan(folder: string): ServerPlan | undefined {
  const file = join(folder, planName);
  if (!existsSync(file)) return undefined;
  try {
    const plan = JSON.parse(readFileSync(file, "utf8")) as ServerPlan;
    if (plan.nodes.length > 0 && plan.projects && plan.admin) return plan;
  } catch {
    // Told below.
  }
  throw new Failure("server.bad-plan", `${file} is not what pairflow server init wrote.`, {
    hint: "Take it from a back-up; without it, name another folder and give everybody a new key.",
  });
}

/** For its owner alone: keys, and a configuration that names who may do what. */
