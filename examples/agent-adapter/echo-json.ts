// A whole adapter, for the small program beside it. It would live in src/adapters/agent/; only the paths of its
// imports would be shorter there.

import { join } from "node:path";
import * as v from "valibot";
import { checkWords, getTextSetting } from "../../src/adapters/agent/settings.ts";
import type {
  AgentAdapter,
  Conversation,
  ConversationHost,
  TurnRequest,
} from "../../src/ports/agent/adapter.ts";
import { Failure } from "../../src/ports/failure.ts";

/** Adapter `echo-json`. Setting `program`: another program that speaks the same lines. */
export function echoJsonAgent(): AgentAdapter {
  return {
    name: "echo-json",
    about: "the program of examples/agent-adapter: it answers with its prompt",
    can: {
      resume: "yes",
      structuredAnswer: "yes",
      readOnly: "yes",
      usage: "yes",
      ask: "yes",
      interrupt: "yes",
      panes: { no: "the program has no screen" },
    },
    voice: { pane: "verbs", headless: "json" },
    variables: ["ECHO_JSON_*"],

    check: (settings) => checkWords(settings, { optional: ["program"] }),

    probe: (settings) => ({
      program: programOf(settings),
      versionArgs: ["--version"],
      install: "it comes with Pairflow",
    }),

    launch(turn) {
      throw new Failure("agent.no-pane", `agent ${turn.agent} has no screen`, {
        hint: "start the bubble with --headless",
      });
    },

    headless: (turn) => ({
      argv: [
        programOf(turn.settings),
        ...[turn.fresh ? "--session" : "--resume", turn.session],
        ...["--schema", JSON.stringify(turn.answerSchema)],
        ...(turn.readOnly ? ["--read-only"] : []),
      ],
      env: {},
      sandboxed: false,
      stdin: "channel",
      converse: (host) => echoConversation(host, turn),
    }),
  };
}

function programOf(settings: TurnRequest["settings"]): string {
  return getTextSetting(settings, "program") ?? join(import.meta.dirname, "echo-json.mjs");
}

const amount = v.pipe(v.number(), v.minValue(0), v.finite());

/** Everything the program may say; a line that is none of these is passed over. */
const Said = v.union([
  v.strictObject({ session: v.pipe(v.string(), v.minLength(1)) }),
  v.strictObject({ doing: v.string() }),
  v.strictObject({ question: v.pipe(v.string(), v.minLength(1)) }),
  v.strictObject({ used: v.strictObject({ read: amount, written: amount }) }),
  v.strictObject({ answer: v.unknown() }),
  v.strictObject({ stopped: v.literal(true) }),
  v.strictObject({ error: v.string() }),
]);
type Said = v.InferOutput<typeof Said>;

function echoConversation(host: ConversationHost, { prompt }: TurnRequest): Conversation {
  const send = (message: object) => host.send(JSON.stringify(message));
  let isOver = false;
  const over = (end: Extract<Parameters<ConversationHost["happened"]>[0], { type: "over" }>["end"]) => {
    if (!isOver) host.happened({ type: "over", end });
    isOver = true;
  };

  function understand(said: Said): void {
    if ("session" in said) host.happened({ type: "session", id: said.session });
    else if ("doing" in said) host.happened({ type: "doing", text: said.doing });
    else if ("question" in said)
      host.happened({
        type: "asked",
        id: "question",
        questions: [{ id: "reply", question: said.question }],
      });
    else if ("used" in said)
      host.happened({ type: "usage", usage: { input: said.used.read, output: said.used.written } });
    else if ("answer" in said) over({ outcome: "answered", answer: said.answer ?? null });
    else if ("stopped" in said) over({ outcome: "unfinished", detail: "it was interrupted" });
    else over({ outcome: "no-session", detail: said.error || "it gave no reason" });
  }

  return {
    begin: () => send({ prompt }),
    heard(line) {
      const said = isOver ? undefined : read(line);
      if (said) understand(said);
    },
    closed: ({ code, stderr }) =>
      over({
        outcome: "crashed",
        detail: `it ended with ${code ?? "an unknown code"}. ${stderr.slice(-400)}`,
      }),
    answer: (_, { reply = "" }) => send({ reply }),
    interrupt: () => send({ stop: true }),
  };
}

function read(line: string): Said | undefined {
  try {
    const said = v.safeParse(Said, JSON.parse(line));
    return said.success ? said.output : undefined;
  } catch {
    return undefined; // no JSON: a warning of the program, or a line that was cut off
  }
}
