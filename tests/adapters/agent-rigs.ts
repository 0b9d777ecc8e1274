// What the agents' contract runs on: each adapter with conversations held with its real program. They are held once
// for a test file and played many times.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { createCommandAgent } from "../../src/adapters/agent/command/adapter.ts";
import { createScriptedAgent } from "../../src/adapters/agent/scripted/adapter.ts";
import type { Abilities, AgentAdapter, TurnRequest } from "../../src/ports/agent/adapter.ts";
import { buildTurnRequestFor, type Recording } from "../../src/testing/agent/play.ts";
import type { AgentRig } from "../../src/testing/agent/rig.ts";
import { removeAtExit } from "../helpers/commands.ts";
import type { Step } from "./acp-agent.ts";
import { acp, answering, scene } from "./acp-rig.ts";
import { hold, type Listener } from "./live-agent.ts";

const folder = mkdtempSync(join(tmpdir(), "pf-agents-"));
removeAtExit(folder);

const places = { worktree: join(folder, "tree"), out: join(folder, "out", "t1") };
for (const place of Object.values(places)) mkdirSync(place, { recursive: true });

/** Holds a turn and keeps it as a recording. */
async function record(
  adapter: AgentAdapter,
  turn: TurnRequest,
  what: Pick<Recording, "name" | "shows" | "answers">,
  listener?: Listener,
): Promise<Recording> {
  const { lines, exit } = await hold(adapter, turn, listener);
  return { ...what, turn, lines, exit };
}

/** What is made once, however often it is asked for. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const command = createCommandAgent();
const commandSettings = {
  adapter: "command",
  command: "/bin/sh -c 'exit 1' {{notice}}",
  resume: "/bin/sh -c 'exit 1' {{session}} {{notice}}",
  headless: '/bin/sh -c \'cat >/dev/null; echo I looked.; echo "{\\"status\\":\\"completed\\"}"\'',
  headless_resume:
    '/bin/sh -c \'cat >/dev/null; echo I looked.; echo "{\\"status\\":\\"completed\\",\\"in\\":\\"$1\\"}"\' sh {{session}}',
};
const commandTurn = (more: Partial<TurnRequest> = {}) =>
  buildTurnRequestFor(commandSettings, { ...places, ...more });
const commandLine = (headless: string) => ({ settings: { ...commandSettings, headless } });

const commandRecordings = once(() => {
  const held = (name: string, shows: readonly (keyof Abilities)[], more: Partial<TurnRequest>) =>
    record(command, commandTurn(more), { name, shows });
  return Promise.all([
    held("an answer after some talk", ["structuredAnswer"], {}),
    held("a session that continues", ["structuredAnswer", "resume"], { fresh: false }),
    held("talk without an answer", [], commandLine("echo ready")),
    held("a crash", [], commandLine("/bin/sh -c 'echo half; echo broken >&2; exit 3'")),
  ]);
});

/** Any program as an agent. */
export async function commandRig(): Promise<AgentRig> {
  return {
    adapter: command,
    settings: commandSettings,
    recordings: commandRecordings,
    answering: (answer) =>
      record(command, commandTurn({ prompt: JSON.stringify(answer), ...commandLine("head -n 1") }), {
        ...{ name: "an echo", shows: ["structuredAnswer"] },
      }),
    close: async () => {},
  };
}

const scripted = createScriptedAgent({ command: [process.execPath, join(folder, "main.cjs")] });
const script = join(folder, "script.yaml");
const scriptedSettings = { adapter: "scripted", script };

const scriptedRecordings = once(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, "scripted-main.ts")],
    outfile: join(folder, "main.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "warning",
  });
  const turn = buildTurnRequestFor(scriptedSettings, places);
  return [
    await record(scripted, turn, { name: "a crash", shows: [] }),
    await record(scripted, turn, { name: "a handover", shows: [] }),
  ];
});

/** The agent that follows a script. */
export async function scriptedRig(): Promise<AgentRig> {
  const steps = "[{say: hello}, {crash: 3, once: true}, {pass: {summary: done}}]";
  writeFileSync(script, `turns: [{steps: ${steps}}]\nthen: repeat-last\n`);
  return {
    adapter: scripted,
    settings: scriptedSettings,
    recordings: scriptedRecordings,
    close: async () => {},
  };
}

const acpSettings = {
  ...{ adapter: "acp", command: "an-agent --acp", pane: "an-agent {{notice}}", model: "m", mode: "code" },
  ...{ read_only_mode: "plan", permission: "ask" },
};
const usage = { totalTokens: 30, inputTokens: 10, outputTokens: 20 };
const done: Step = { answer: { status: "completed", summary: "$PROMPT" } };
const options = [
  { optionId: "yes", name: "Allow", kind: "allow_once" as const },
  { optionId: "no", name: "Reject", kind: "reject_once" as const },
];
const leave = (kind: "edit" | "execute"): Step => ({
  leave: { toolCall: { toolCallId: "c1", title: "do it", kind }, options },
});
const form: Step = {
  form: {
    ...{ mode: "form", message: "Which?", requestedSchema: { properties: { colour: { type: "string" } } } },
  },
};

const acpRecordings = once(async () => {
  const here = scene();
  const pane = { settings: { pane: "an-agent {{notice}}" } };
  const turn = (orders: Parameters<typeof here.turn>[0], more: Parameters<typeof here.turn>[1] = {}) =>
    here.turn(orders, { ...pane, ...more });
  const plan: Step = {
    update: { sessionUpdate: "plan", entries: [{ content: "look", priority: "low", status: "in_progress" }] },
  };
  const whole = await turn({
    steps: [{ say: "I begin." }, plan, { print: "log" }, done],
    usage,
    can: ["load"],
  });
  const first = await hold(acp, whole);
  const session = first.events.flatMap((event) => (event.type === "session" ? [event.id] : []))[0] ?? "";
  const human = answering(() => "Allow");
  const interrupted = await turn({ steps: [{ say: "slowly" }, plan, { wait: true }] });
  const stopped = await hold(acp, interrupted, {
    heard: (event, conversation) => event.type === "doing" && conversation.interrupt(),
  });
  // The line that reports the plan was the last one heard before the interruption.
  const after = stopped.lines.findIndex((line) => line.includes('"plan"')) + 1;
  return [
    { ...{ name: "a whole turn", shows: ["structuredAnswer", "usage"], turn: whole }, ...first },
    await record(
      acp,
      await turn({ steps: [leave("execute"), form, done] }),
      {
        ...{ name: "questions", shows: ["ask", "structuredAnswer"], answers: { "*": "Allow" } },
      },
      human,
    ),
    await record(acp, await turn({ steps: [leave("edit"), done] }, { readOnly: true, role: "reviewer" }), {
      ...{ name: "a critic that wants to write", shows: ["readOnly"] },
    }),
    await record(acp, await turn({ steps: [done], can: ["load"] }, { session, fresh: false }), {
      ...{ name: "a session that continues", shows: ["resume"] },
    }),
    {
      ...{ name: "an interruption", shows: ["interrupt"], turn: interrupted, interruptAfter: after },
      ...{ lines: stopped.lines, exit: stopped.exit },
    },
    await record(acp, await turn({ steps: [{ say: "{" }, { die: 1 }] }), { name: "a death", shows: [] }),
    await record(acp, await turn({ refuse: { code: -32000, message: "Log in" } }), {
      name: "no login",
      shows: [],
    }),
  ] satisfies readonly Recording[];
});

/** An agent of the Agent Client Protocol. */
export async function acpRig(): Promise<AgentRig> {
  const here = scene();
  return {
    adapter: acp,
    settings: acpSettings,
    recordings: acpRecordings,
    answering: async (answer) =>
      record(acp, await here.turn({ steps: [{ say: JSON.stringify(answer) }] }), {
        ...{ name: "an answer", shows: ["structuredAnswer"] },
      }),
    close: async () => {},
  };
}
