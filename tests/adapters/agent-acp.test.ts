// The Agent Client Protocol with a real agent on the other end: another process, built on the protocol's own SDK.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TurnEnd } from "../../src/core/model/turn-end.ts";
import { Failure } from "../../src/ports/failure.ts";
import { buildTurnRequestFor, play } from "../../src/testing/agent/play.ts";
import type { Step } from "./acp-agent.ts";
import { acp, answering, converse, scene } from "./acp-rig.ts";
import { type Held, hold } from "./live-agent.ts";

const endOf = ({ events }: Held): TurnEnd | undefined =>
  events.flatMap((event) => (event.type === "over" ? [event.end] : []))[0];
const kinds = ({ events }: Held) => events.map(({ type }) => type);
const answered = (answer: unknown) => expect.objectContaining({ outcome: "answered", answer });
const done: Step = { answer: { status: "completed" } };

const options = [
  { optionId: "always", name: "Always allow", kind: "allow_always" },
  { optionId: "once", name: "Allow", kind: "allow_once" },
  { optionId: "never", name: "Reject", kind: "reject_once" },
] as const;
function leave(kind: "edit" | "execute" | "read", more: object = {}): Step {
  const toolCall = { toolCallId: "c1", title: `some ${kind}`, kind, ...more };
  return { leave: { toolCall, options: [...options] } };
}
const chosen = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });

describe("a turn with an ACP agent", () => {
  test("is opened, prompted with the whole prompt and the form of the answer, and answered", async () => {
    const here = scene();
    const turn = await here.turn({
      steps: [
        { say: "I begin." },
        { update: { sessionUpdate: "tool_call", toolCallId: "c1", title: "reads the cart", kind: "read" } },
        { print: "a line of log that is no message" },
        { answer: { status: "completed", summary: "$PROMPT" } },
      ],
    });
    const held = await converse(turn);
    const { answer } = endOf(held) as { answer: { summary: string } };
    expect(answer.summary).toContain(turn.prompt);
    expect(answer.summary).toContain(JSON.stringify(turn.answerSchema));
    expect(kinds(held)).toEqual(["session", "doing", "over"]);
    expect(here.learned()).toEqual([
      {
        client: {
          ...{
            fs: { readTextFile: false, writeTextFile: false },
            terminal: false,
            elicitation: { form: {} },
          },
          auth: expect.anything(),
        },
      },
      { cwd: turn.worktree },
    ]);
  });

  test("has exactly one JSON object as its last message, alone or fenced at the end; all else is garbage", async () => {
    const here = scene();
    const said = async (...steps: Step[]) => endOf(await converse(await here.turn({ steps })));
    const thought: Step = {
      update: { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } },
    };
    expect(await said({ say: 'Done:\n\n```json\n{"status":"a"}\n```\n' })).toEqual(answered({ status: "a" }));
    expect(await said({ say: '{"status":"a"}' }, thought, { say: '{"status":"b"}' })).toEqual(
      answered({ status: "b" }),
    );
    expect(
      await said({ say: '{"status":"a"}', messageId: "m1" }, { say: '{"status":"b"}', messageId: "m2" }),
    ).toEqual(answered({ status: "b" }));
    expect(await said({ say: 'Here it is: {"status":"a"}' })).toMatchObject({
      outcome: "garbage",
      detail: expect.stringContaining('it said last: Here it is: {"status":"a"}'),
    });
    expect(await said({ say: '```json\n{"status":"a"}\n```\nAnything else?' })).toMatchObject({
      outcome: "garbage",
    });
    expect(await said({ say: "[1]" })).toMatchObject({ outcome: "garbage" });
    expect(await said()).toMatchObject({ outcome: "garbage" });
  });

  test("may use the disk by itself, and is offered no files of ours", async () => {
    const here = scene();
    const file = join(here.folder, "tree", "a.txt");
    const held = await converse(
      await here.turn({ steps: [{ write: file, text: "by itself" }, { readFile: file }, done] }),
    );
    expect(endOf(held)).toEqual(answered({ status: "completed" }));
    expect(readFileSync(file, "utf8")).toBe("by itself");
    expect(here.learned().at(-1)).toBe(-32601);
  });
});

describe("leave to use a tool", () => {
  test("is given for reading and for changes inside the worktree, once and not for ever", async () => {
    const here = scene();
    const turn = await here.turn({
      steps: [
        leave("read"),
        leave("edit", { locations: [{ path: join(here.folder, "tree", "a.ts") }] }),
        leave("edit", { toolCallId: "c2", content: [{ type: "diff", path: "src/b.ts", newText: "x" }] }),
        done,
      ],
    });
    const held = await converse(turn);
    expect(endOf(held)).toEqual(answered({ status: "completed" }));
    expect(kinds(held)).toEqual(["session", "doing", "doing", "over"]);
    expect(here.learned().slice(2)).toEqual([chosen("once"), chosen("once"), chosen("once")]);
  });

  test("is asked of a human for everything else, with the agent's own options", async () => {
    const here = scene();
    const outside = leave("edit", { locations: [{ path: `${here.folder}/tree-2/a.ts` }] });
    const unknown = leave("edit", { toolCallId: "c3" });
    const shell = leave("execute", { toolCallId: "c2", rawInput: { command: "npm test" } });
    const turn = await here.turn({ steps: [outside, unknown, shell, done] });
    const held = await converse(turn, "Always allow");
    const asked = held.events.flatMap((event) => (event.type === "asked" ? event.questions : []));
    expect(asked[2]).toEqual({
      id: "permission",
      question: "May it do this: some execute (execute)?",
      options: ["Always allow", "Allow", "Reject"],
      context: '{"command":"npm test"}',
    });
    expect(here.learned().slice(2)).toEqual([chosen("always"), chosen("always"), chosen("always")]);
  });

  test("is refused when the human says anything but one of the options that grant", async () => {
    const here = scene();
    const turn = await here.turn({ steps: [leave("execute"), done] });
    const held = await converse(turn, "no, use the gate");
    expect(here.learned().at(-1)).toEqual(chosen("never"));
    expect(held.events).toContainEqual({
      ...{ type: "refused-tool", tool: "some execute" },
      why: "a human said: no, use the gate",
    });
  });

  test("follows the setting permission", async () => {
    for (const [permission, optionId] of [
      ["allow", "once"],
      ["deny", "never"],
    ] as const) {
      const here = scene();
      const held = await converse(
        await here.turn({ steps: [leave("execute"), done] }, { settings: { permission } }),
      );
      expect(here.learned().at(-1)).toEqual(chosen(optionId));
      expect(kinds(held)).toEqual(
        permission === "deny" ? ["session", "doing", "refused-tool", "over"] : ["session", "doing", "over"],
      );
    }
  });

  test("is given for commands where a sandbox of ours is around them, to a critic too, unless a human is to be asked", async () => {
    const told = async (more: Parameters<ReturnType<typeof scene>["turn"]>[1]) => {
      const here = scene();
      const held = await converse(await here.turn({ steps: [leave("execute"), done] }, more), "Reject");
      return [here.learned().at(-1), kinds(held).includes("asked")];
    };
    expect(await told({ confined: true })).toEqual([chosen("once"), false]);
    expect(await told({ confined: true, readOnly: true, role: "reviewer" })).toEqual([chosen("once"), false]);
    expect(await told({ confined: true, settings: { permission: "ask" } })).toEqual([chosen("never"), true]);
    expect(await told({ confined: true, settings: { permission: "deny" } })).toEqual([
      chosen("never"),
      false,
    ]);
  });

  test("that a critic cannot get is named before the turn and at its end", async () => {
    const here = scene();
    const steps = [{ say: "I look." }, leave("execute", { title: "ls -la" }), { say: "Well." }];
    const critic = { readOnly: true, role: "reviewer" };
    const held = await converse(await here.turn({ steps }, critic));
    expect(held.sent.join()).toContain(
      "every command is refused, because no sandbox protects the files here",
    );
    expect(endOf(held)).toEqual({
      outcome: "refused-tool",
      detail:
        "it was refused ls -la (a reviewer may run commands only in a sandbox, and there is none here), and ended without an answer; it said last: Well.",
    });
    const silent = await converse(await here.turn({ steps: [leave("edit")] }, critic));
    expect(endOf(silent)).toMatchObject({
      detail: "it was refused some edit (a reviewer may only read), and ended without an answer",
    });
    const confined = await converse(await here.turn({ steps: [done] }, { ...critic, confined: true }));
    expect(confined.sent.join()).not.toContain("every command is refused");
  });

  test("is refused to a critic for anything but reading, whatever the settings say", async () => {
    const here = scene();
    const steps = [
      leave("read"),
      leave("edit", { toolCallId: "c2" }),
      leave("execute", { toolCallId: "c3" }),
      done,
    ];
    const critic = { readOnly: true, role: "reviewer", settings: { permission: "allow" } };
    const held = await converse(await here.turn({ steps }, critic));
    expect(here.learned().slice(2)).toEqual([chosen("once"), chosen("never"), chosen("never")]);
    expect(held.events.filter(({ type }) => type === "refused-tool")).toHaveLength(2);
  });

  test("remembers what the agent told about the call before it asked", async () => {
    const here = scene();
    const told: Step = {
      update: {
        ...{ sessionUpdate: "tool_call", toolCallId: "c1", title: "edit it", kind: "edit" },
        locations: [{ path: "src/a.ts" }],
      },
    };
    const ask: Step = { leave: { toolCall: { toolCallId: "c1" }, options: [...options] } };
    await converse(await here.turn({ steps: [told, ask, done] }));
    expect(here.learned().at(-1)).toEqual(chosen("once"));
  });

  test("that ends the turn when it is refused is a refused tool, not an interruption", async () => {
    const here = scene();
    const orders = { steps: [leave("execute")], stop: "cancelled" } as const;
    const held = await converse(await here.turn(orders, { settings: { permission: "deny" } }));
    expect(endOf(held)).toMatchObject({ outcome: "refused-tool" });
  });
});

test("a form becomes questions, and the human's words become its values", async () => {
  const here = scene();
  const requestedSchema = {
    type: "object",
    properties: {
      rounding: { type: "string", title: "Which rounding?", oneOf: [{ const: "bank", title: "Banker's" }] },
      places: { type: "integer", description: "Decimal places" },
      keep: { type: "boolean", title: "Keep the old totals?" },
      files: { type: "array", items: { type: "string", enum: ["a.ts", "b.ts"] } },
    },
    required: ["rounding"],
  };
  const form = { mode: "form", message: "Before I continue", requestedSchema } as const;
  const answers: Record<string, string> = {
    rounding: "banker's",
    keep: "yes",
    files: "a.ts, b.ts",
  };
  const held = await hold(
    acp,
    await here.turn({ steps: [{ form }, done] }),
    answering((id) => answers[id] ?? ""),
  );
  const asked = held.events.find((event) => event.type === "asked");
  expect(asked).toMatchObject({
    questions: [
      { id: "rounding", question: "Which rounding?", options: ["Banker's"], context: "Before I continue" },
      { id: "keep", question: "Keep the old totals?", options: ["yes", "no", "skip"] },
      { id: "files", question: "files", options: ["a.ts", "b.ts", "skip"] },
    ],
  });
  expect(here.learned().at(-1)).toEqual({
    action: "accept",
    content: { rounding: "bank", keep: true, files: ["a.ts", "b.ts"] },
  });
  const declined = await hold(
    acp,
    await here.turn({ steps: [{ form }, done] }),
    answering(() => ""),
  );
  expect(endOf(declined)).toEqual(answered({ status: "completed" }));
  expect(here.learned().at(-1)).toEqual({ action: "decline" });
  const plain = { mode: "form", message: "Shall I?", requestedSchema: { type: "object" } } as const;
  await converse(await here.turn({ steps: [{ form: plain }, done] }), "yes");
  expect(here.learned().at(-1)).toEqual({ action: "accept", content: {} });
});

test("a form may be handed in without what may be left out; own words go into the box below a choice", async () => {
  // As Claude Agent asks: a choice, and a box for other words below it. Nothing is required.
  const requestedSchema = {
    type: "object",
    properties: {
      question_0: { type: "string", title: "Rounding", oneOf: [{ const: "Bank", title: "Bank — to even" }] },
      question_0_custom: { type: "string", title: "Other", description: "Type your own answer." },
    },
  };
  const form = { mode: "form", message: "Which rounding shall I use?", requestedSchema } as const;
  const filled = async (words: string) => {
    const here = scene();
    const held = await converse(await here.turn({ steps: [{ form }, done] }), words);
    expect(held.events.find((event) => event.type === "asked")).toMatchObject({
      questions: [{ id: "question_0", question: form.message, options: ["Bank — to even", "skip"] }],
    });
    return here.learned().at(-1);
  };
  expect(await filled("Bank")).toEqual({ action: "accept", content: { question_0: "Bank" } });
  expect(await filled("half up")).toEqual({ action: "accept", content: { question_0_custom: "half up" } });
  expect(await filled("skip")).toEqual({ action: "decline" });
});

describe("a session", () => {
  test.each(["resume", "load"] as const)("continues in another process by %s", async (way) => {
    const here = scene();
    const first = await converse(
      await here.turn({ steps: [done], can: [way] }, { prompt: "the first prompt" }),
    );
    const session = first.events.flatMap((event) => (event.type === "session" ? [event.id] : []))[0] ?? "";
    const steps = [{ answer: { status: "completed", history: "$HISTORY" } }];
    const later = await converse(await here.turn({ steps, can: [way] }, { session, fresh: false }));
    expect(later.events[0]).toEqual({ type: "session", id: session });
    expect((endOf(later) as { answer: { history: string } }).answer.history).toContain("the first prompt");
    expect(here.learned()).toContainEqual(way === "resume" ? { resumed: session } : { loaded: session });
  });

  test.each([false, true])("is not answered by its history (which comes late: %s)", async (historyIsLate) => {
    const here = scene();
    // Long enough to be still under way when a prompt would come.
    const prompts = Array.from({ length: 500 }, (_, i) => `prompt ${i}`);
    writeFileSync(join(here.folder, "long.session"), JSON.stringify(prompts));
    const later = (...steps: Step[]) =>
      here.turn({ steps, can: ["load"], historyIsLate }, { session: "long", fresh: false });
    const silent = await converse(await later());
    expect(silent.lines.filter((line) => line.includes("user_message_chunk"))).toHaveLength(500);
    expect(endOf(silent)).toEqual({ outcome: "garbage", detail: "it ended without a message" });
    expect(endOf(await converse(await later({ say: '{"status":"new"}' })))).toEqual(
      answered({ status: "new" }),
    );
  });

  test("that the agent does not know is told as such", async () => {
    const gone = { session: "of-nobody", fresh: false };
    expect(endOf(await converse(await scene().turn({ can: ["load"] }, gone)))).toMatchObject({
      outcome: "no-session",
      detail: expect.stringMatching(/^session\/load: /),
    });
  });

  test("is a new one, and said to be, when the agent can continue in none", async () => {
    const usage = { totalTokens: 3, inputTokens: 1, outputTokens: 2 };
    const turn = await scene().turn({ steps: [done], usage }, { session: "of-nobody", fresh: false });
    const held = await converse(turn);
    expect(held.events).toEqual([
      { type: "doing", text: "begins a new session: it cannot continue in an earlier one" },
      { type: "session", id: expect.stringMatching(/^of-\d+$/) },
      { type: "usage", usage: { input: 1, output: 2 } },
      { type: "over", end: answered({ status: "completed" }) },
    ]);
  });

  test("gets the model and the mode of the settings, a critic its own mode", async () => {
    const here = scene();
    const modes = {
      currentModeId: "code",
      availableModes: [
        { id: "code", name: "Code" },
        { id: "plan", name: "Plan" },
      ],
    };
    const models = [
      { group: "g", name: "Group", options: [{ value: "big-1", name: "Big" }] },
      { group: "h", name: "Other", options: [{ value: "small-1", name: "Small" }] },
    ];
    const options = [
      {
        id: "m",
        name: "Model",
        category: "model",
        type: "select" as const,
        currentValue: "big-1",
        options: models,
      },
    ];
    const settings = { model: "Small", mode: "code", read_only_mode: "plan" };
    const orders = { steps: [done], modes, options };
    await converse(await here.turn(orders, { settings }));
    expect(here.learned().slice(2)).toEqual([{ mode: "code" }, { option: "m", value: "small-1" }]);
    await converse(await here.turn(orders, { settings, readOnly: true }));
    expect(here.learned().slice(6)).toEqual([{ mode: "plan" }, { option: "m", value: "small-1" }]);
    expect(endOf(await converse(await here.turn(orders, { settings: { model: "smal-1" } })))).toEqual({
      outcome: "unknown-model",
      detail: "the agent has no model smal-1; did you mean small-1?",
    });
    expect(endOf(await converse(await here.turn(orders, { settings: { mode: "cde" } })))).toEqual({
      outcome: "misconfigured",
      detail: "the agent has no mode cde; did you mean code?",
    });
    expect(endOf(await converse(await here.turn({}, { settings: { model: "x" } })))).toMatchObject({
      outcome: "misconfigured",
      detail: expect.stringContaining("no choice of its model over the protocol; say x in its command line"),
    });
  });
});

describe("a turn that goes wrong", () => {
  test.each([
    [{ code: -32000, message: "Authentication required" }, "auth"],
    [{ code: -32603, message: "Internal error", data: { details: "401 invalid api key" } }, "auth"],
    [{ code: 429, message: "Try again later" }, "rate-limited"],
    [{ code: 429, message: "You exceeded your current quota" }, "quota"],
    [{ code: -32603, message: "Overloaded" }, "rate-limited"],
    [{ code: -32603, message: "prompt is too long: 210000 tokens > 200000" }, "context-overflow"],
    [{ code: -32603, message: "Internal error" }, "crashed"],
    // The words of real agents: Claude Agent, Codex and OpenCode.
    [
      {
        code: -32603,
        message: "Internal error: Invalid API key",
        data: { errorKind: "authentication_failed" },
      },
      "auth",
    ],
    [{ code: -32603, message: "Internal error: invalid x-api-key", data: { errorName: "APIError" } }, "auth"],
    [
      {
        code: -32603,
        message:
          "Internal error: API Error: Request rejected (429) · You have reached your specified API usage limits.",
        data: { errorKind: "rate_limit" },
      },
      "quota",
    ],
    [{ code: -32603, message: "Internal error", data: { codexErrorInfo: "usageLimitExceeded" } }, "quota"],
    [
      {
        code: -32603,
        message:
          "Internal error: There's an issue with the selected model (x). It may not exist or you may not have access.",
        data: { errorKind: "model_not_found" },
      },
      "unknown-model",
    ],
    [
      { code: -32603, message: "Internal error: model: nope-9", data: { errorName: "APIError" } },
      "unknown-model",
    ],
    [
      {
        code: -32603,
        message: "Internal error: API Error: Unable to connect to API (ConnectionRefused)",
        data: { errorKind: "server_error" },
      },
      "unreachable",
    ],
    [
      {
        code: -32603,
        message: "Internal error: Cannot connect to API: Unable to connect.",
        data: { errorName: "APIError" },
      },
      "unreachable",
    ],
  ])("is understood by its error: %j is %s", async (fail, outcome) => {
    const held = await converse(await scene().turn({ steps: [{ fail }] }));
    expect(endOf(held)).toMatchObject({ outcome, detail: expect.stringContaining(fail.message) });
    expect(kinds(held)).toEqual(["session", "over"]);
  });

  test("has a login missing when no session can be opened without one", async () => {
    const refuse = { code: -32000, message: "Authentication required" };
    const held = await converse(await scene().turn({ refuse }));
    expect(held.events).toEqual([
      { type: "over", end: { outcome: "auth", detail: "session/new: Authentication required" } },
    ]);
  });

  test.each([
    ["max_tokens", "unfinished"],
    ["max_turn_requests", "unfinished"],
    ["refusal", "garbage"],
  ] as const)("stops with %s, which is %s even with an answer", async (stop, outcome) => {
    const held = await converse(await scene().turn({ steps: [done], stop }));
    expect(endOf(held)).toMatchObject({ outcome });
  });

  test("tries again and again without a way to its model, which is told at once and ends at the third time", async () => {
    const error = {
      message: "Reconnecting",
      additionalDetails: "Connection failed: refused",
      willRetry: true,
    };
    const update = { sessionUpdate: "session_info_update", _meta: { codex: { error } } } as const;
    const again = { update };
    const held = await converse(await scene().turn({ steps: [again, again, again, { wait: true }] }));
    const tries = { type: "doing", text: "tries again: Connection failed: refused" };
    expect(held.events.slice(1)).toEqual([
      ...[tries, tries, tries],
      { type: "over", end: { outcome: "unreachable", detail: expect.stringContaining("Connection failed") } },
    ]);
    const thought = { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "so" } } as const;
    const thinks = { update: thought };
    const answered = await converse(await scene().turn({ steps: [again, again, thinks, again, done] }));
    expect(endOf(answered)).toMatchObject({ outcome: "answered" });
  });

  test("speaks another version of the protocol", async () => {
    const held = await converse(await scene().turn({ version: 2 }));
    expect(endOf(held)).toEqual({
      outcome: "misconfigured",
      detail: "it speaks version 2 of the protocol, not 1",
    });
  });

  test("loses its process in the middle: by itself, by a kill, or because there is no such program", async () => {
    const here = scene();
    expect(endOf(await converse(await here.turn({ steps: [{ say: "{" }, { die: 3 }] })))).toEqual({
      outcome: "crashed",
      detail: "the process ended without handing over (exit code 3); it printed last: the agent fell over",
    });
    const killed = await hold(acp, await here.turn({ steps: [{ wait: true }] }), {
      heard: (event, _, kill) => event.type === "session" && kill("SIGKILL"),
    });
    expect(killed.exit).toEqual({ stderr: "" });
    expect(endOf(killed)).toEqual({ outcome: "crashed", detail: "the process ended without handing over" });
    const turn = buildTurnRequestFor(
      { adapter: "acp", command: "/bin/sh -c 'no-such-agent --acp'" },
      { worktree: "/", out: "/" },
    );
    expect(endOf(await converse(turn))).toMatchObject({
      outcome: "crashed",
      detail: expect.stringMatching(
        /exit code 127: the program was not found\); it printed last: .*no-such-agent/,
      ),
    });
  });

  test("is interrupted by the protocol's own word, and the agent stops in good order", async () => {
    const here = scene();
    const steps: Step[] = [leave("execute"), { wait: true }];
    const held = await hold(acp, await here.turn({ steps }), {
      heard: (event, conversation) => event.type === "asked" && conversation.interrupt(),
    });
    expect(endOf(held)).toEqual({ outcome: "unfinished", detail: "it was interrupted" });
    expect(held.exit.code).toBe(0);
    // The question that was open is taken back, as the protocol asks.
    expect(here.learned().at(-1)).toEqual({ outcome: { outcome: "cancelled" } });
  });
});

test("a driver that takes over reads the lines again, says the same, and comes to the same end", async () => {
  const here = scene();
  const turn = await here.turn({ steps: [leave("execute"), { say: "Fine." }, done] });
  const held = await converse(turn, "Allow");
  const again = play(acp, turn, {
    ...{ name: "again", shows: [], lines: held.lines, exit: held.exit },
    answers: { permission: "Allow" },
  });
  expect(again).toEqual({ sent: held.sent, events: held.events });
});

describe("the settings of an ACP agent", () => {
  test("say how its screen is started; without one a pane is refused with what to do", () => {
    const settings = { adapter: "acp", command: "gemini --acp" };
    const launch = () => acp.launch(buildTurnRequestFor(settings));
    expect(launch).toThrow(Failure);
    try {
      launch();
    } catch (error) {
      expect(error).toMatchObject({ code: "agent.no-pane", hint: expect.stringContaining("--headless") });
    }
    const pane = "gemini -i {{notice}}";
    expect(acp.launch(buildTurnRequestFor({ ...settings, pane })).argv).toEqual([
      "gemini",
      "-i",
      buildTurnRequestFor(settings).notice,
    ]);
    expect(acp.headless(buildTurnRequestFor(settings)).argv).toEqual(["gemini", "--acp"]);
  });

  test.each([
    [{}, "needs the setting command"],
    [{ command: "x", permission: "alow" }, "permission must be one of ask, allow, deny; did you mean allow?"],
    [{ command: "x {{modle}}" }, "command: there is no {{modle}}"],
    [{ command: "x", pane: "'" }, "pane: an open '"],
    [{ command: "x", read_only_mod: "plan" }, "did you mean read_only_mode?"],
  ])("%o are refused", (settings, problem) => {
    expect(acp.check({ adapter: "acp", ...settings })).toContain(problem);
  });

  test("tell doctor what to look for", () => {
    expect(acp.probe?.({ adapter: "acp", command: "/opt/bin/gemini --acp" })).toMatchObject({
      ...{
        program: "/opt/bin/gemini",
        versionArgs: ["--version"],
        install: "npm install -g @google/gemini-cli",
      },
    });
    expect(acp.probe?.({ adapter: "acp", command: "own-agent" })).toMatchObject({
      install: "install own-agent",
    });
  });
});
