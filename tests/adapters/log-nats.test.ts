// The log on a real nats-server against the one contract.
import { spawn } from "node:child_process";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chainLines } from "../../src/adapters/log/line.ts";
import { createNatsLog } from "../../src/adapters/log/nats/log.ts";
import { parseStreamHead } from "../../src/adapters/log/nats/place.ts";
import { ensureLogStream, nameLogSubjects } from "../../src/adapters/log/nats/subjects.ts";
import { createPatience } from "../../src/adapters/nats/patience.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { CrashPoint } from "../../src/ports/crash-point.ts";
import { emptyHead } from "../../src/ports/record/log.ts";
import { assertFailsWith } from "../../src/testing/contracts/contract.ts";
import { logContract } from "../../src/testing/log/contract.ts";
import { append, type LogRig } from "../../src/testing/log/rig.ts";
import { buildMessages, getMessageText, readAll } from "../../src/testing/messages.ts";
import { natsMissing, type RunningServer, startNatsServer } from "../helpers/nats-server.ts";
import type { AppendOrders } from "./log-nats-worker.ts";
import { ended, workerFile } from "./rigs.ts";
import { runContract } from "./run-contract.ts";

let server: RunningServer;
let projects = 0;

async function natsLogRig(): Promise<LogRig> {
  const { connection, js, jsm } = server;
  projects += 1;
  const project = `p${projects}`;
  const { stream, of } = nameLogSubjects(project);
  await ensureLogStream(jsm, { project, replicas: 1 });
  const patiently = createPatience({ server: "the server", forMs: 2000 });
  const make = (crashPoint?: CrashPoint, patienceMs = 15_000) =>
    createNatsLog({
      connection,
      js,
      jsm,
      project,
      patiently,
      patienceMs,
      ...(crashPoint ? { crashPoint } : {}),
    });

  /** The stream as a restored back-up may have it: other messages under the same sequences. */
  const rewrite = async (change: (lines: string[]) => readonly string[]) => {
    const { state } = await jsm.streams.info(stream);
    const lines: string[] = [];
    for (let seq = 1; seq <= state.last_seq; seq += 1)
      lines.push((await jsm.streams.getMessage(stream, { seq }))?.string() ?? "");
    await jsm.streams.delete(stream);
    await ensureLogStream(jsm, { project, replicas: 1 });
    for (const line of change(lines)) await js.publish(of("b1", "w"), line);
  };
  return {
    log: make(),
    again: () => make(),
    forgetful: () =>
      make((point) => {
        if (point === "log.after-write") throw Object.assign(new Error("timeout"), { name: "TimeoutError" });
      }, 0),
    crashPoints: { "log.before-write": "no", "log.sent": "either", "log.after-write": "yes" },
    async appendAndDie(bubble, expected, envelopes, at) {
      const orders: AppendOrders = {
        url: server.url,
        project,
        bubble,
        expected,
        envelopes: [...envelopes],
        at,
      };
      const argv = [await workerFile("log-nats-worker"), JSON.stringify(orders)];
      await ended(spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] }));
    },
    async tear(bubble, expected, envelopes, missing) {
      const lines = chainLines([...envelopes], expected.seq, parseStreamHead(expected)?.hash ?? "");
      const text = lines.map(({ bytes }) => `${bytes}\n`).join("");
      await js.publish(of(bubble, "w"), Buffer.from(text).subarray(0, -missing));
    },
    loseLast: () => rewrite((lines) => lines.slice(0, -1)),
    edit: (_, change) =>
      rewrite((lines) => change(lines.map((line) => line.trimEnd())).map((line) => `${line}\n`)),
    close: async () => void (await jsm.streams.delete(stream)),
  };
}

describe.skipIf(natsMissing)(`on a nats-server${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.close());

  runContract(
    "the log on a server",
    logContract(natsLogRig, {
      exceptions: [
        {
          promise: "L5",
          scenario: "a line torn at its newline counts once the next writer comes",
          because: "a message is stored whole or not at all",
        },
      ],
    }),
  );

  test("a person's decision from the machines' side does not count, and blocks nobody", async () => {
    const { project, log } = await openLog();
    const head = await append(log, emptyHead, "c1", "a");
    const [forged] = chainLines([{ ...decision, seq: 2 }], 1, parseStreamHead(head)?.hash ?? "");
    await server.js.publish(nameLogSubjects(project).of("b1", "w"), `${forged?.bytes}\n`);
    expect(await readAll(log, "b1")).toMatchObject({
      envelopes: [{ seq: 1 }],
      skipped: [{ line: 2, reason: "a person's decision that did not come from a person" }],
    });
    const next = await append(log, head, "c2", "b");
    expect((await readAll(log, "b1")).head).toEqual(next);
    const signed = await log.append("b1", next, [{ ...decision, seq: 3 }]);
    expect(signed).toMatchObject({ ok: true, head: { seq: 3 } });
    expect((await readAll(log, "b1")).envelopes.at(-1)?.type).toBe("HUMAN_REPLY");
  });

  test("a record that is closed leaves its name to another one; who still holds the old one is told", async () => {
    const { log } = await openLog();
    const old = await append(log, emptyHead, "c1", "a", "b");
    await log.close("b1");
    await log.close("b1");
    expect((await readAll(log, "b1")).envelopes).toEqual([]);
    const late = () => log.append("b1", old, buildMessages("b1", old, "late", ["x"]));
    await assertFailsWith("log.head-lost", late);
    await append(log, emptyHead, "c2", "c");
    await assertFailsWith("log.head-lost", late);
    expect((await readAll(log, "b1")).envelopes.map(getMessageText)).toEqual(["c"]);
  });

  test("a server that is killed and comes back costs no line and no command", async () => {
    const { log } = await openLog();
    const first = await append(log, emptyHead, "c1", "a");
    await server.kill();
    const waiting = append(log, first, "c2", "b");
    await server.start();
    const second = await waiting;
    expect((await readAll(log, "b1")).envelopes.map(getMessageText)).toEqual(["a", "b"]);
    await append(log, second, "c3", "c");
  });

  test("a server that stays away is told as such, and nothing is said to have counted", async () => {
    const { log } = await openLog(300);
    const head = await append(log, emptyHead, "c1", "a");
    await server.kill();
    try {
      await assertFailsWith("log.write-failed", () =>
        log.append("b1", head, buildMessages("b1", head, "c2", ["b"])),
      );
      await assertFailsWith("store.unreachable", () => readAll(log, "b1"));
    } finally {
      await server.start();
    }
  }, 30_000);
});

/** What a machine's user may do: read everything of the project, and write through the machines' door alone. */
const workersOnly = `
authorization { users: [
  { user: admin, password: admin }
  { user: worker, password: worker, permissions: {
    publish: ["pf.log.*.*.w", "$JS.API.INFO", "$JS.API.STREAM.MSG.GET.*", "$JS.API.DIRECT.GET.>"]
    subscribe: ["_INBOX.>", "pf.bell.>"] } }
] }`;

test.skipIf(natsMissing)("the server itself refuses a person's decision from a machine's user", async () => {
  const guarded = await startNatsServer(workersOnly);
  try {
    await ensureLogStream(guarded.jsm, { project: "p", replicas: 1 });
    const connection = await guarded.connect({ user: "worker", pass: "worker" });
    const log = createNatsLog({
      ...{ connection, js: jetstream(connection), jsm: await jetstreamManager(connection), project: "p" },
      ...{ patiently: createPatience({ server: guarded.url }), patienceMs: 0 },
    });
    const head = await append(log, emptyHead, "c1", "a");
    await assertFailsWith("store.forbidden", () => log.append("b1", head, [{ ...decision, seq: 2 }]));
    await append(log, head, "c2", "b");
    expect((await readAll(log, "b1")).envelopes.map(getMessageText)).toEqual(["a", "b"]);
  } finally {
    await guarded.close();
  }
});

async function openLog(patienceMs = 15_000) {
  const { connection, js, jsm } = server;
  projects += 1;
  const project = `p${projects}`;
  await ensureLogStream(jsm, { project, replicas: 1 });
  const patiently = createPatience({ server: server.url, forMs: patienceMs });
  return { project, log: createNatsLog({ connection, js, jsm, project, patiently, patienceMs }) };
}

const decision = {
  ...{ v: 1, id: "msg_20260102_002", ts: "2026-01-02T03:04:05.678Z", bubble_id: "b1", round: 1 },
  ...{ sender: "human", recipient: "orchestrator", type: "HUMAN_REPLY", refs: [] },
  payload: { question: "q1", message: "yes", via: "cli" },
  batch: { id: "forged", i: 0, n: 1 },
} as unknown as Omit<Envelope, "prev">;
