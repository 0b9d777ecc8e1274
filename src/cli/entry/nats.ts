// The chunk with the client of a NATS server, loaded by whichever bundle finds that a repository's records are on one.

export { connectStore, openNatsStore, openRepositoryStore } from "../../app/store/nats-store.ts";
export { writeServer } from "../../app/store/server-init.ts";
