// pairflow server init: everything a nats-server needs to keep the records of several machines, and what to type next.
import { join, resolve } from "node:path";
import { makeServer, type WrittenServer } from "../../../app/store/server.ts";
import { defineVerb } from "../../verb/declaration.ts";

const split = (text: string): string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);

export const serverInit = defineVerb({
  words: "server init",
  about: "Write the configuration and the keys of a server that several machines share",
  access: "operator",
  takes: "[folder]",
  example: "pairflow server init --project shop --people anna --workers host-a,host-b",
  flags: {
    project: { kind: "text", value: "name", about: "joins the clones of one project", required: true },
    people: { kind: "text", value: "a,b", about: "who decides: a key for each" },
    workers: { kind: "text", value: "a,b", about: "machines that take work: a key for each" },
    listen: {
      kind: "text",
      value: "host:port",
      about: "where it is reached, three with commas for a cluster; 127.0.0.1:4222 if left out",
    },
    cert: {
      kind: "text",
      value: "<file>",
      about: "certificate of the server, for every address but this machine's own",
    },
    key: { kind: "text", value: "<file>", about: "its key" },
    ca: { kind: "text", value: "<file>", about: "who signed it, where the system does not know" },
    "disk-gb": { kind: "number", value: "N", about: "the most that a project keeps; 20 if left out" },
  },
  notes: [
    "Typed again, it adds the people and workers that are new and leaves the others' keys as they are.",
    "A worker's key cannot approve: the server lets it write to the machines' side of the record alone.",
  ],
  async run({ cwd }, { flags, words }) {
    const { project, people = "", workers = "", listen = "", cert, key, ca, "disk-gb": diskGb } = flags;
    const file = (given: string) => resolve(cwd, given);
    const folder = resolve(cwd, words[0] ?? "pairflow-server");
    const written = await makeServer({
      ...{ folder, project, people: split(people), workers: split(workers), listen: split(listen) },
      ...(cert && key ? { tls: { cert: file(cert), key: file(key), ...(ca ? { ca: file(ca) } : {}) } } : {}),
      ...(diskGb === undefined ? {} : { diskGb }),
    });
    return { text: renderWritten(written, project, folder, ca && file(ca)), json: toAnswer(written) };
  },
});

const toAnswer = ({ hasTls, ...written }: WrittenServer) => ({ ...written, tls: hasTls });

/** What was written, and the lines that come next, in their order. */
function renderWritten(
  { confs, keys, url, replicas, hasTls }: WrittenServer,
  project: string,
  folder: string,
  ca: string | undefined,
): string {
  const store = `{ url: "${url}", project: ${project}${replicas === 3 ? ", replicas: 3" : ""}${hasTls && ca ? `, tls: { ca: "${ca}" }` : ""} }`;
  const simple = replicas === 1 && !hasTls ? `${url}/${project}` : store;
  const given = keys.filter(({ kind }) => kind !== "admin");
  return [
    `Written to ${folder}: ${confs.length === 1 ? "nats.conf" : `${confs.length} configurations`}, ${keys.length} new keys`,
    "Next:",
    ...confs.map((conf) => `  nats-server -c ${conf}`),
    `  nats-server --signal reload    # instead, where it runs already and users were added`,
    "in .pairflow/config.yaml of the project, in a commit that every clone pulls:",
    `  store: ${simple}`,
    ...(given.length > 0 ? ["on each machine, in the project, with its own key:"] : []),
    ...given.map(
      ({ name, kind, file }) =>
        `  pairflow server join ${kind === "worker" ? "--worker " : ""}${file}    # ${name}${kind === "worker" ? ", then: pairflow worker" : ""}`,
    ),
    `Keys are secrets: hand each to its owner and delete it here. ${join(folder, "keys", "admin.nk")} is for back-ups.`,
  ].join("\n");
}
