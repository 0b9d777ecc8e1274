// A real agent of the Agent Client Protocol, built on the protocol's own SDK: it does what its orders say. Sessions are
// files, so that another process can continue in them.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  type AgentContext,
  agent,
  type CreateElicitationRequest,
  ndJsonStream,
  type PromptResponse,
  RequestError,
  type RequestPermissionRequest,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
  type StopReason,
} from "@agentclientprotocol/sdk/unstable";

export interface Orders {
  /** Where sessions and what the agent learned are kept. */
  readonly folder: string;
  readonly can?: readonly ("load" | "resume")[];
  /** The history of a loaded session comes after the word that it is loaded. */
  readonly historyIsLate?: boolean;
  readonly version?: number;
  /** How opening a session fails. */
  readonly refuse?: { readonly code: number; readonly message: string };
  readonly modes?: SessionModeState;
  readonly options?: SessionConfigOption[];
  readonly steps?: readonly Step[];
  /** Other steps for prompts in which these words stand; the first that fits counts. */
  readonly when?: Readonly<Record<string, readonly Step[]>>;
  readonly usage?: PromptResponse["usage"];
  readonly meta?: Record<string, unknown>;
  readonly stop?: StopReason;
}

export type Step =
  | { readonly say: string; readonly messageId?: string }
  /** The last message; `$PROMPT` and `$HISTORY` stand for what the session was asked. */
  | { readonly answer: unknown }
  | { readonly update: SessionUpdate }
  | { readonly leave: Omit<RequestPermissionRequest, "sessionId"> }
  | { readonly form: Omit<CreateElicitationRequest, "sessionId"> & Record<string, unknown> }
  | { readonly print: string }
  | { readonly readFile: string }
  | { readonly write: string; readonly text: string }
  | { readonly wait: true }
  | { readonly die: number }
  | { readonly fail: { readonly code: number; readonly message: string; readonly data?: unknown } };

const orders: Orders = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const can = orders.can ?? [];
const offers = {
  ...(orders.modes ? { modes: orders.modes } : {}),
  ...(orders.options ? { configOptions: orders.options } : {}),
};
let cancelled = () => {};
const isCancelled = new Promise<void>((resolve) => {
  cancelled = resolve;
});

const sessionFile = (id: string) => join(orders.folder, `${id}.session`);
const prompts = (id: string): string[] => JSON.parse(readFileSync(sessionFile(id), "utf8"));

/** Writes down what the agent was told, one line each. */
function learn(what: unknown): void {
  writeFileSync(join(orders.folder, "learned.ndjson"), `${JSON.stringify(what)}\n`, { flag: "a" });
}

function mayOpen(): void {
  if (orders.refuse) throw new RequestError(orders.refuse.code, orders.refuse.message);
}

function known(id: string): void {
  mayOpen();
  if (!existsSync(sessionFile(id))) throw RequestError.resourceNotFound(id);
}

const text = (words: string) => ({ type: "text", text: words }) as const;

async function take(step: Step, client: AgentContext, sessionId: string): Promise<StopReason | undefined> {
  const update = (one: SessionUpdate) => client.notify("session/update", { sessionId, update: one });
  const say = async (words: string, messageId?: string) => {
    // In two pieces, as models speak.
    const half = Math.ceil(words.length / 2);
    for (const piece of [words.slice(0, half), words.slice(half)])
      await update({
        sessionUpdate: "agent_message_chunk",
        content: text(piece),
        ...(messageId ? { messageId } : {}),
      });
  };
  if ("say" in step) await say(step.say, step.messageId);
  if ("answer" in step) await say(filled(step.answer, sessionId));
  if ("update" in step) await update(step.update);
  if ("leave" in step)
    learn(await client.request("session/request_permission", { ...step.leave, sessionId }));
  if ("form" in step) learn(await client.request("elicitation/create", { ...step.form, sessionId } as never));
  if ("print" in step) process.stdout.write(`${step.print}\n`);
  if ("write" in step) writeFileSync(step.write, step.text);
  if ("readFile" in step)
    await client
      .request("fs/read_text_file", { sessionId, path: step.readFile })
      .catch((error) => learn(error.code));
  if ("wait" in step) {
    await isCancelled;
    return "cancelled";
  }
  if ("die" in step) {
    process.stderr.write("the agent fell over\n");
    process.exit(step.die);
  }
  if ("fail" in step) throw new RequestError(step.fail.code, step.fail.message, step.fail.data);
  return undefined;
}

/** The history of a session, with an answer to every prompt. */
async function repeat(sessionId: string, client: AgentContext): Promise<void> {
  for (const asked of prompts(sessionId)) {
    const updates: SessionUpdate[] = [
      { sessionUpdate: "user_message_chunk", content: text(asked) },
      { sessionUpdate: "agent_message_chunk", content: text('{"status":"old"}') },
    ];
    for (const update of updates) {
      await client.notify("session/update", { sessionId, update });
      if (orders.historyIsLate) await new Promise(setImmediate);
    }
  }
}

function filled(answer: unknown, sessionId: string): string {
  const asked = prompts(sessionId);
  const inside = (words: string) => JSON.stringify(words).slice(1, -1);
  return JSON.stringify(answer)
    .replaceAll("$PROMPT", () => inside(asked.at(-1) ?? ""))
    .replaceAll("$HISTORY", () => inside(asked.slice(0, -1).join("|")));
}

agent({ name: "orders" })
  .onRequest("initialize", ({ params }) => {
    learn({ client: params.clientCapabilities });
    return {
      protocolVersion: orders.version ?? 1,
      agentCapabilities: {
        loadSession: can.includes("load"),
        sessionCapabilities: can.includes("resume") ? { resume: {} } : {},
      },
    };
  })
  .onRequest("session/new", ({ params }) => {
    mayOpen();
    const sessionId = `of-${process.pid}`;
    writeFileSync(sessionFile(sessionId), "[]");
    learn({ cwd: params.cwd });
    return { sessionId, ...offers };
  })
  .onRequest("session/resume", ({ params }) => {
    known(params.sessionId);
    learn({ resumed: params.sessionId });
    return offers;
  })
  .onRequest("session/load", async ({ params, client }) => {
    known(params.sessionId);
    learn({ loaded: params.sessionId });
    if (orders.historyIsLate) setImmediate(() => void repeat(params.sessionId, client));
    else await repeat(params.sessionId, client);
    return offers;
  })
  .onRequest("session/set_mode", ({ params }) => {
    learn({ mode: params.modeId });
    return {};
  })
  .onRequest("session/set_config_option", ({ params }) => {
    learn({ option: params.configId, value: params.value });
    return { configOptions: orders.options ?? [] };
  })
  .onRequest("session/prompt", async ({ params, client }) => {
    const words = params.prompt.map((block) => (block.type === "text" ? block.text : "")).join("");
    const { sessionId } = params;
    writeFileSync(sessionFile(sessionId), JSON.stringify([...prompts(sessionId), words]));
    const fitting = Object.entries(orders.when ?? {}).find(([part]) => words.includes(part))?.[1];
    for (const step of fitting ?? orders.steps ?? []) {
      const stopReason = await take(step, client, sessionId);
      if (stopReason) return { stopReason };
    }
    return {
      stopReason: orders.stop ?? "end_turn",
      ...(orders.usage === undefined ? {} : { usage: orders.usage }),
      ...(orders.meta ? { _meta: orders.meta } : {}),
    };
  })
  .onNotification("session/cancel", () => cancelled())
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
