// `store:` in .pairflow/config.yaml: the server that keeps the records of a project whose work is done on several machines.
import * as path from "node:path";
import { suggestWord } from "../../core/text/nearest.ts";
import type { FileProblem, ValuePath } from "../files/problems.ts";
import { show, spell } from "../files/problems.ts";
import { isTable } from "../files/schema-keys.ts";

/** The server, and how this project is kept there. */
export interface StoreSettings {
  /** nats://host:port, or several with commas between them. */
  readonly url: string;
  /** Joins the clones of one project. */
  readonly project: string;
  /** On how many servers everything is kept. */
  readonly replicas: 1 | 3;
  /** A file with the key of this machine or person; by its usual name if left out. */
  readonly credentials?: string;
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** How commits get to other machines: as bundles on the server, or by a git remote. */
  readonly travel: "bundles" | "remote";
  /** That remote: one of the clone by its name, or an address. */
  readonly remote: string;
  /** How long a driver keeps its bubble without a word to the server. */
  readonly leaseMs: number;
}

const at: ValuePath = ["store"];
const musts: Readonly<Record<string, string>> = {
  store: "be an address such as nats://nats.example.org:4222/shop, or a table with url and project",
  url: "be an address such as nats://nats.example.org:4222, or several with commas between them",
  project: "be 1–63 letters, digits, - or _, the same in every clone",
  replicas: "be 1, or 3 for a cluster",
  credentials: "be the path of a file with a key",
  tls: "be a table with ca, cert and key, each the path of a file",
  ca: "be the path of a file",
  cert: "be the path of a file",
  key: "be the path of a file",
  travel: "be bundles or remote",
  remote: "be the name of a git remote of every clone, or its address",
  lease_seconds: "be a whole number of seconds from 2 to 600",
};
const keys = ["url", "project", "replicas", "credentials", "tls", "travel", "remote", "lease_seconds"];
const tlsKeys = ["ca", "cert", "key"];
const usualLease = 30;
const usualRemote = "origin";

const isServer = (value: unknown): value is string =>
  typeof value === "string" && value.split(",").every((one) => /^(nats|tls):\/\/[^\s/]+$/.test(one));
const isProject = (value: unknown): value is string =>
  typeof value === "string" && /^[a-z0-9][a-z0-9_-]{0,62}$/i.test(value);
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const forms: Readonly<Record<string, (value: unknown) => boolean>> = {
  url: isServer,
  project: isProject,
  replicas: (value) => value === 1 || value === 3,
  credentials: isText,
  tls: isTable,
  travel: (value) => value === "bundles" || value === "remote",
  // Git would take a dash for an option.
  remote: (value) => isText(value) && /^[^\s-]\S*$/.test(value),
  lease_seconds: (value) => Number.isInteger(value) && Number(value) >= 2 && Number(value) <= 600,
};

/** Every problem of the value under `store:`. */
export function checkStoreValue(value: unknown): FileProblem[] {
  if (typeof value === "string") return splitAddress(value) ? [] : [reportWrong([], value)];
  if (!isTable(value)) return [reportWrong([], value)];
  const table = value as Readonly<Record<string, unknown>>;
  const lacking = ["url", "project"].filter((key) => table[key] === undefined);
  return [
    ...lacking.map((key) => ({
      ...reportWrong([], value),
      message: `store.${key} is missing: it must ${musts[key]}`,
    })),
    ...checkTable(table, [], keys, (key, one) => forms[key]?.(one) ?? false),
    ...(isTable(table.tls) ? checkTable(table.tls, ["tls"], tlsKeys, (_, one) => isText(one)) : []),
  ];
}

function checkTable(
  table: object,
  inside: ValuePath,
  known: readonly string[],
  isGood: (key: string, value: unknown) => boolean,
): FileProblem[] {
  return Object.entries(table).flatMap(([key, value]): FileProblem[] => {
    if (!known.includes(key))
      return [
        {
          code: "config.unknown-key",
          message: `there is no key ${spell([...at, ...inside, key])}${suggestWord(key, known)}`,
          path: [...at, ...inside, key],
          part: "key",
        },
      ];
    return isGood(key, value) ? [] : [reportWrong([...inside, key], value)];
  });
}

const reportWrong = (inside: ValuePath, value: unknown): FileProblem => ({
  code: "config.bad-value",
  message: `${spell([...at, ...inside])} must ${musts[String(inside.at(-1) ?? "store")]}, not ${show(value)}`,
  path: [...at, ...inside],
  part: "value",
});

/** `nats://host:4222/shop`: the project stands behind the server. */
function splitAddress(address: string): { readonly url: string; readonly project: string } | undefined {
  const end = address.lastIndexOf("/");
  const [url, project] = [address.slice(0, end), address.slice(end + 1)];
  return isServer(url) && isProject(project) ? { url, project } : undefined;
}

type WrittenStore = Pick<StoreSettings, "url" | "project" | "credentials" | "tls"> & {
  readonly replicas?: 1 | 3;
  readonly travel?: "bundles" | "remote";
  readonly remote?: string;
  readonly lease_seconds?: number;
};

/** The settings, from a value without problems. Paths are those of the repository, unless they begin with / or ~/. */
export function parseStoreValue(value: unknown): StoreSettings {
  const told = (typeof value === "string" ? splitAddress(value) : value) as WrittenStore;
  const { url, project, replicas = 1, credentials, tls, lease_seconds: seconds = usualLease } = told;
  const { travel = "bundles", remote = usualRemote } = told;
  return {
    ...{ url, project, replicas, travel, remote, leaseMs: seconds * 1000 },
    ...(credentials === undefined ? {} : { credentials }),
    ...(tls === undefined ? {} : { tls }),
  };
}

/** Where a file of the settings is. */
export function resolveStoreFile(repo: string, file: string, home: string): string {
  return file.startsWith("~/") ? path.join(home, file.slice(2)) : path.resolve(repo, file);
}
