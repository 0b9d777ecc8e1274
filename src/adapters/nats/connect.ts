// The connection to the server that several machines share, and whether that server can keep what is promised.
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, credsAuthenticator, type NatsConnection, nkeyAuthenticator } from "@nats-io/transport-node";
import { Failure } from "../../ports/failure.ts";
import { toUnreachable } from "./patience.ts";
import { findPublicKey, nameInbox } from "./users.ts";

export interface ServerConnection {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
}

export interface ConnectOptions {
  /** nats://host:port, or several with commas between them. */
  readonly url: string;
  /** Who connects, for the server's own lists. */
  readonly name: string;
  /** What proves who connects: the seed of an nkey, or a file with a JWT and a seed. */
  readonly credentials?: Uint8Array;
  readonly tls?: TlsFiles;
}

export interface TlsFiles {
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}

/** Message TTL with markers and compare-and-set over several subjects came with it. */
const OLDEST = [2, 12] as const;
const ANSWER_MS = 2000;

export async function openConnection({ url, name, ...proof }: ConnectOptions): Promise<ServerConnection> {
  const { credentials } = proof;
  const tls = mustEncrypt(url) ? (proof.tls ?? {}) : proof.tls;
  const connection = await connect({
    ...{ servers: url.split(","), name, timeout: ANSWER_MS },
    ...(credentials ? toLogin(credentials) : {}),
    // Said here, the client goes no further with a server that does not offer it: else who sits between could take it away.
    ...(tls ? { tls: addIdentityCheck(url, tls) } : {}),
    ...{ maxReconnectAttempts: -1, reconnectTimeWait: 100, reconnectJitter: 100 },
  }).catch((cause) => {
    throw toRefused(url, cause) ?? toUntrusted(url, cause) ?? toUnreachable(url, cause);
  });
  try {
    checkServer(url, connection);
    const jsm = await jetstreamManager(connection, { timeout: ANSWER_MS });
    return { connection, js: jetstream(connection, { timeout: ANSWER_MS }), jsm };
  } catch (error) {
    await connection.close();
    if (error instanceof Failure) throw error;
    throw toUnreachable(url, error);
  }
}

/** Addresses that only this machine has. */
export const isLoopback = (host: string): boolean => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(host);

/** What goes over a network is encrypted; an address that leaves it open is refused before anything is sent. */
function mustEncrypt(url: string): boolean {
  const servers = url.split(",").map((one) => new URL(one));
  const open = servers.find(({ protocol, hostname }) => protocol !== "tls:" && !isLoopback(hostname));
  if (open)
    throw new Failure(
      "store.needs-tls",
      `${open.hostname} is not this machine, and ${open.protocol}// would send tasks, code and decisions unencrypted.`,
      {
        hint: `store: tls://${open.host}/… in .pairflow/config.yaml, and store.tls.ca if its authority is your own`,
      },
    );
  return servers.some(({ protocol }) => protocol === "tls:");
}

/** A file of `nsc` holds a JWT and a seed between lines of dashes; a seed alone is one line. */
function toLogin(credentials: Uint8Array) {
  const text = new TextDecoder().decode(credentials);
  if (text.includes("-----")) return { authenticator: credsAuthenticator(credentials) };
  const publicKey = findPublicKey(text);
  if (publicKey === undefined)
    throw new Failure(
      "store.no-key",
      "The file with the key of the store holds no key: one line that begins with SU.",
      { hint: "pairflow server init writes one for each person and worker, in its folder keys" },
    );
  const authenticator = nkeyAuthenticator(new TextEncoder().encode(text.trim()));
  return { authenticator, inboxPrefix: nameInbox(publicKey) };
}

/** The server is there and does not let this one in. */
function toRefused(url: string, cause: unknown): Failure | undefined {
  const { name, message } = cause as Error;
  if (name !== "AuthorizationError" && !/authorization violation|authentication/i.test(message))
    return undefined;
  return new Failure("store.forbidden", `The server ${url} does not let this machine in: ${message}`, {
    cause,
    hint: "Name the file with your key: store.credentials in .pairflow/config.yaml, or PAIRFLOW_STORE_CREDENTIALS",
  });
}

/** The client names no host that is a number: then the certificate is one of the addresses that the settings name. */
const addIdentityCheck = (url: string, tls: TlsFiles): TlsFiles =>
  // The client hands on what Node's own connection takes, which its type does not say.
  ({ ...tls, checkServerIdentity: checkIdentity(url) }) as TlsFiles;

const checkIdentity = (url: string) => (host: string, certificate: PeerCertificate) => {
  const named = url.split(",").map((one) => new URL(one).hostname);
  const numbers = named.filter((one) => isIP(one) !== 0);
  const matches = numbers.some((one) => checkServerIdentity(one, certificate) === undefined);
  return !named.includes(host) && matches ? undefined : checkServerIdentity(host, certificate);
};

/** The server is there, and its certificate does not prove that it is the one that is meant. */
function toUntrusted(url: string, cause: unknown): Failure | undefined {
  const words = listCauses(cause).map(({ code, message }) => `${code ?? ""} ${message}`);
  const said = words.find((one) =>
    /certificate|self.signed|altname|ERR_TLS|ERR_SSL|does not support 'tls'/i.test(one),
  );
  if (said === undefined) return undefined;
  return new Failure("store.untrusted", `The server ${url} does not prove who it is: ${said.trim()}`, {
    cause,
    hint: "Name its authority: store.tls.ca in .pairflow/config.yaml, a file beside it; and the host as its certificate does",
  });
}

function listCauses(error: unknown): (Error & { readonly code?: string })[] {
  if (!(error instanceof Error)) return [];
  return [error, ...listCauses(error.cause)];
}

function checkServer(url: string, { info }: NatsConnection): void {
  const version = info?.version ?? "";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isRecent = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (!isRecent)
    throw new Failure(
      "store.too-old",
      `The server ${url} is nats-server ${version}; ${OLDEST.join(".")} or newer is needed.`,
      { hint: "Update nats-server; its data stays." },
    );
  if (!info?.jetstream)
    throw new Failure("store.not-ready", `The server ${url} keeps nothing: JetStream is off.`, {
      hint: "Add to its configuration: jetstream { sync_interval: always }",
    });
}
