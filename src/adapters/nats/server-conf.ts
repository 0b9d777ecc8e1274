// The configuration of a server that several machines share, as text: one account a project, a key for each user, and what a
// machine's user may not do. Who may publish where is the proof of who decided, so it is said here and nowhere else.

export interface ServerPlan {
  /** The servers of the cluster, or the only one. */
  readonly nodes: readonly ServerNode[];
  readonly tls?: ServerTls;
  /** Public keys of the users, by project and name. */
  readonly projects: Readonly<Record<string, ProjectUsers>>;
  /** Who looks after the server itself, and may do everything in every account. */
  readonly admin: string;
  /** What the nodes of a cluster show one another. */
  readonly clusterPassword: string;
  /** The largest total of what a project keeps, in gigabytes. */
  readonly diskGb: number;
}

export interface ServerNode {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly clusterPort: number;
  /** The folder of its data. */
  readonly data: string;
}

export interface ServerTls {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

export interface ProjectUsers {
  readonly people: Readonly<Record<string, string>>;
  readonly workers: Readonly<Record<string, string>>;
}

/** What the server tells about how it keeps things, and what time it has. */
export const SERVER_STATE = "pf.server";
const JSZ = "$SYS.REQ.SERVER.PING.JSZ";

/** The configuration of one node. */
export function buildServerConf(plan: ServerPlan, node: ServerNode): string {
  const { tls, projects, admin } = plan;
  const accounts = Object.keys(projects).map(nameAccount);
  return [
    "# Written by pairflow server init, which writes it anew with every user that is added.",
    `server_name: ${quote(node.name)}`,
    `listen: ${quote(`${node.host}:${node.port}`)}`,
    // A command's lines are one message.
    "max_payload: 4MB",
    // Acknowledged is on disk: by its own default the server loses what came in the two minutes before a power cut.
    `jetstream { store_dir: ${quote(node.data)}, sync_interval: always }`,
    ...(tls ? [`tls { ${writeTls(tls)} }`] : []),
    ...writeCluster(plan, node),
    "system_account: SYS",
    "accounts {",
    "  SYS {",
    `    users: [ { nkey: ${admin} } ]`,
    `    exports: [ { service: ${quote(JSZ)}, response_type: stream, accounts: [${accounts.join(", ")}] } ]`,
    "  }",
    ...Object.entries(projects).flatMap(([project, users]) => writeAccount(project, users, plan.diskGb)),
    "}",
    "",
  ].join("\n");
}

function writeAccount(project: string, { people, workers }: ProjectUsers, diskGb: number): string[] {
  return [
    `  ${nameAccount(project)} {`,
    `    jetstream: { max_file: ${diskGb}GB, max_mem: 256MB }`,
    `    imports: [ { service: { account: SYS, subject: ${quote(JSZ)} }, to: ${SERVER_STATE} } ]`,
    "    users: [",
    ...Object.entries(people).map(([name, key]) => writeUser(name, key, listPersonsRights(project, key))),
    ...Object.entries(workers).map(([name, key]) => writeUser(name, key, listMachinesRights(project, key))),
    "    ]",
    "  }",
  ];
}

interface Rights {
  readonly publish: readonly string[];
  readonly notPublish?: readonly string[];
  readonly subscribe: readonly string[];
}

const buildInboxPattern = (key: string): string => `_INBOX_${key}.>`;

/**
 * A person writes to both doors and makes what is missing; nobody but the admin takes away what is on the record. Commits that were
 * sent and that no record names may go.
 */
const listPersonsRights = (project: string, key: string): Rights => ({
  publish: [">"],
  notPublish: [
    ...["DELETE", "UPDATE", "RESTORE", "MSG.DELETE"].map((verb) => `$JS.API.STREAM.${verb}.>`),
    ...listRecordStreams(project).map((stream) => `$JS.API.STREAM.PURGE.${stream}`),
  ],
  subscribe: [buildInboxPattern(key), "pf.>"],
});

/** Everything but the commits that travel. */
const listRecordStreams = (project: string): string[] => [
  ...["log", "place", "offer"].map((name) => `pf-${name}-${project}`),
  ...["records", "entries", "hosts"].map((name) => `KV_pf-${name}-${project}`),
  `OBJ_pf-blobs-${project}`,
];

/**
 * A machine writes lines through the machines' door alone. It makes no stream, since a stream can pass messages on to any subject;
 * consumers it needs, and what one of them passes on to people's subjects does not count for a reader.
 */
function listMachinesRights(project: string, key: string): Rights {
  const buckets = ["records", "entries", "hosts"].map((name) => `pf-${name}-${project}`);
  const stores = ["blobs", "travel"].map((name) => `pf-${name}-${project}`);
  const read = [
    ...[`pf-offer-${project}`, `pf-place-${project}`],
    ...buckets.map((name) => `KV_${name}`),
    ...stores.map((name) => `OBJ_${name}`),
  ];
  return {
    publish: [
      ...[`pf.log.${project}.*.w`, `pf.place.${project}.*`, `pf.offer.${project}.*.*`],
      ...buckets.map((name) => `$KV.${name}.>`),
      ...stores.map((name) => `$O.${name}.>`),
      ...["INFO", "STREAM.NAMES", "STREAM.INFO.*", "STREAM.MSG.GET.*", "DIRECT.GET.>"].map(
        (verb) => `$JS.API.${verb}`,
      ),
      ...read.flatMap((stream) => [
        ...["CREATE", "INFO", "DELETE"].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.>`),
        ...["CREATE", "DURABLE.CREATE", "MSG.NEXT"].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.*`),
        `$JS.API.CONSUMER.CREATE.${stream}`,
      ]),
      ...["$JS.ACK.>", "$JS.FC.>", SERVER_STATE],
    ],
    subscribe: [buildInboxPattern(key), `pf.bell.${project}.>`, `pf.offer.${project}.>`],
  };
}

function writeUser(name: string, key: string, { publish, notPublish, subscribe }: Rights): string {
  const list = (subjects: readonly string[]) => `[${subjects.map(quote).join(", ")}]`;
  const deny = notPublish ? `, deny: ${list(notPublish)}` : "";
  return [
    `      # ${name}`,
    `      { nkey: ${key}, permissions: {`,
    `        publish: { allow: ${list(publish)}${deny} }`,
    `        subscribe: { allow: ${list(subscribe)} } } }`,
  ].join("\n");
}

function writeCluster({ nodes, tls, clusterPassword }: ServerPlan, node: ServerNode): string[] {
  if (nodes.length === 1) return [];
  const scheme = tls ? "tls" : "nats-route";
  const routes = nodes.map(({ host, clusterPort }) =>
    quote(`${scheme}://cluster:${clusterPassword}@${host}:${clusterPort}`),
  );
  return [
    "cluster {",
    "  name: pairflow",
    `  listen: ${quote(`${node.host}:${node.clusterPort}`)}`,
    `  authorization { user: cluster, password: ${quote(clusterPassword)} }`,
    ...(tls ? [`  tls { ${writeTls(tls)} }`] : []),
    `  routes: [${routes.join(", ")}]`,
    "}",
  ];
}

const writeTls = ({ cert, key, ca }: ServerTls): string =>
  [`cert_file: ${quote(cert)}`, `key_file: ${quote(key)}`, ...(ca ? [`ca_file: ${quote(ca)}`] : [])].join(
    ", ",
  );

/** Projects may differ in a dash alone, which no name of an account has. */
const nameAccount = (project: string): string => quote(`project ${project}`);
const quote = (text: string): string => JSON.stringify(text);
