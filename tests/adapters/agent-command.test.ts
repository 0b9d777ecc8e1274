// Any command line as an agent: words stay words whatever a placeholder holds, and bad settings are named.
import { describe, expect, test } from "vitest";
import { createCommandAgent } from "../../src/adapters/agent/command/adapter.ts";
import { createAgentAdapters } from "../../src/adapters/agent/index.ts";
import { checkWords, getListSetting } from "../../src/adapters/agent/settings.ts";
import { splitWords } from "../../src/adapters/agent/template.ts";
import type { TurnEvent, TurnRequest } from "../../src/ports/agent/adapter.ts";

const agent = createCommandAgent();

function turn(settings: Record<string, string>, more: Partial<TurnRequest> = {}): TurnRequest {
  return {
    settings: { adapter: "command", ...settings },
    agent: "mine",
    role: "implementer",
    session: "s-1",
    fresh: true,
    notice: "It's your turn; read 'prompt.md' $(id)",
    promptFile: "/p/prompt.md",
    prompt: "The whole prompt",
    answerSchema: { type: "object" },
    worktree: "/w/a b",
    out: "/o",
    readOnly: false,
    ...more,
  };
}

describe("adapter command", () => {
  test("placeholders are filled in after the split, so each stays within its word", () => {
    const command = "mytool --dir={{worktree}} '{{session}} {{out}}' {{prompt_file}} {{notice}}";
    expect(agent.launch(turn({ command }))).toEqual({
      argv: ["mytool", "--dir=/w/a b", "s-1 /o", "/p/prompt.md", "It's your turn; read 'prompt.md' $(id)"],
      env: {},
      sandboxed: false,
    });
  });

  test("without notice and prompt file the notice is the last argument", () => {
    const { argv } = agent.launch(turn({ command: "mytool {{session}}" }));
    expect(argv).toEqual(["mytool", "s-1", "It's your turn; read 'prompt.md' $(id)"]);
  });

  test("a session that continues uses resume where it is given", () => {
    const settings = { command: "mytool {{notice}}", resume: "mytool -r {{session}} {{notice}}" };
    expect(agent.launch(turn(settings, { fresh: false })).argv.slice(0, 3)).toEqual(["mytool", "-r", "s-1"]);
    expect(agent.launch(turn({ command: "mytool" }, { fresh: false })).argv).toHaveLength(2);
  });

  test("without a terminal the prompt is on standard input, and no notice is added to the line", () => {
    const { argv, stdin, sandboxed } = agent.headless(turn({ command: "mytool {{role}}" }));
    expect({ argv, stdin, sandboxed }).toEqual({
      ...{ argv: ["mytool", "implementer"], stdin: "prompt", sandboxed: false },
    });
    const { input } = agent.headless(turn({ command: "mytool" }));
    expect(input).toMatch(/^The whole prompt\n\n.*JSON Schema:\n\n{"type":"object"}\n$/s);
    const { argv: schema } = agent.headless(turn({ command: "mytool --schema={{answer_schema}}" }));
    expect(schema).toEqual(["mytool", '--schema={"type":"object"}']);
  });

  test.each([
    [{ command: "a" }, "a", "a"],
    [{ command: "a", resume: "b" }, "a", "b"],
    [{ command: "a", resume: "b", headless: "c" }, "c", "c"],
    [{ command: "a", resume: "b", headless: "c", headless_resume: "d" }, "c", "d"],
    [{ command: "a", headless_resume: "d" }, "a", "d"],
  ])("%o runs %s first and %s later when there is no terminal", (settings, first, later) => {
    expect(agent.headless(turn(settings)).argv).toEqual([first]);
    expect(agent.headless(turn(settings, { fresh: false })).argv).toEqual([later]);
    expect(agent.resumes?.({ adapter: "command", ...settings }, "headless")).toBe(first !== later);
    expect(agent.resumes?.({ adapter: "command", ...settings }, "pane")).toBe("resume" in settings);
  });

  test.each([
    [{}, "needs the setting command"],
    [{ command: " " }, "must be a text that is not empty"],
    [{ command: "tool", comand: "x" }, "no setting comand; did you mean command?"],
    [{ command: "tool 'open" }, "command: an open ' at the end"],
    [{ command: "tool {{promt_file}}" }, "there is no {{promt_file}}; did you mean prompt_file?"],
    [{ command: "tool {{ notice }}" }, "there is no {{ notice }}; did you mean notice?"],
    [{ command: "tool", resume: 'tool "' }, 'resume: an open " at the end'],
    [{ command: "tool", headless: "'" }, "headless: an open ' at the end"],
  ])("%o is refused", (settings, problem) => {
    expect(agent.check({ adapter: "command", ...settings })).toContain(problem);
  });

  test("good settings are accepted", () => {
    expect(agent.check({ adapter: "command", command: "tool {{notice}}", resume: "tool" })).toBeUndefined();
  });
});

describe("what a program printed", () => {
  function end(output: string, code?: number, stderr = "") {
    const events: TurnEvent[] = [];
    const conversation = agent
      .headless(turn({ command: "tool" }))
      .converse({ send: () => {}, happened: (event) => events.push(event) });
    conversation.begin();
    for (const line of output.split("\n")) conversation.heard(line);
    conversation.closed({ ...(code === undefined ? {} : { code }), stderr });
    expect(events).toHaveLength(1);
    return events[0]?.type === "over" ? events[0].end : undefined;
  }

  test.each([
    ['{\n  "status": "completed"\n}\n', { status: "completed" }],
    ['thinking\n{"n":2}\n', { n: 2 }],
    ['\uFEFF{"n":2}\n', { n: 2 }],
    ['log\n{\n  "list": [\n    {"n": 1}\n  ]\n}', { list: [{ n: 1 }] }],
    ['Here:\n```json\n{\n  "n": 3\n}\n```\n', { n: 3 }],
    ['  {"n":4}  \n', { n: 4 }],
  ])("%j holds an answer, whatever the exit code", (output, answer) => {
    for (const code of [0, 1, undefined])
      expect(end(output, code)).toMatchObject({ outcome: "answered", answer });
  });

  test.each([
    ["[1, 2]"],
    ["[1]\n[2]"],
    ['thinking\n{"n":1}\n{"n":2}\nbye\n'],
    ['{"n":1}\nCorrection: I withdraw that.'],
    ['{"n":5}\n```json\n{"n":6}\n```'],
    ["```yaml\n{ }}\n```"],
    ['```json\n{\n  "n": 1\n}\n```\nAnything else?'],
    ["```"],
    ['{"n": 1'],
    ['say {"n": 1}'],
  ])("%j holds none", (output) => {
    expect(end(output, 0)).toEqual({
      outcome: "garbage",
      detail: expect.stringMatching(/^it ended without a JSON answer( \(.+\))?; it printed last: /),
    });
  });

  test("says how the program was lost when there is no answer", () => {
    const lost = "the process ended without handing over";
    expect(end("", 0)).toEqual({ outcome: "crashed", detail: lost });
    expect(end("half", 3, "\u001b[31mbroken\u001b[0m\n")).toEqual({
      outcome: "crashed",
      detail: `${lost} (exit code 3); it printed last: broken`,
    });
    expect(end("half", 137)).toMatchObject({
      detail: `${lost} (killed by SIGKILL, maybe out of memory); it printed last: half`,
    });
    expect(end("", 127, "tool: not found")).toMatchObject({
      detail: `${lost} (exit code 127: the program was not found); it printed last: tool: not found`,
    });
    expect(end("", 126)).toMatchObject({
      detail: `${lost} (exit code 126: the program may not be executed)`,
    });
    expect(end("half")).toEqual({ outcome: "crashed", detail: `${lost}; it printed last: half` });
  });

  test("is not kept for ever: of a flood the end counts", () => {
    const flood = `${"x".repeat(99_999)}\n`.repeat(30);
    expect(end(`{"n":1}\n${flood}`, 0)).toMatchObject({ outcome: "garbage" });
    expect(end(`${flood}{"n":2}`, 0)).toMatchObject({ outcome: "answered", answer: { n: 2 } });
  });

  test("is passed on with all that stands around it, and what stands behind it is named", () => {
    expect(end('thinking\n{"n":1}\n', 0)).toMatchObject({ text: expect.stringContaining("thinking") });
    expect(end('{"n":1}\nbye\n', 0)).toMatchObject({
      detail: expect.stringContaining("text stands after the JSON document"),
    });
  });
});

test.each([
  ["a  b\tc", ["a", "b", "c"]],
  [`'a b' "c \\" \\n d" e\\ f`, ["a b", 'c " \\n d', "e f"]],
  [`a'b'"c"`, ["abc"]],
  [`'' ""`, ["", ""]],
  ["", []],
])("%j is split into %j", (line, words) => {
  expect(splitWords(line)).toEqual({ ok: true, words });
});

test("the map of adapters is open: names, no list of technologies", () => {
  const adapters = createAgentAdapters({ command: ["pairflow"] });
  expect(Object.keys(adapters)).toEqual(["claude", "codex", "acp", "command", "scripted"]);
  for (const [name, adapter] of Object.entries(adapters)) expect(adapter.name).toBe(name);
});

describe("words that settings have in common", () => {
  const words = { optional: ["model"], choices: { sandbox: ["on", "off"] }, lists: ["args"] };
  test.each([
    [{ sandbox: "of" }, "the setting sandbox must be one of on, off; did you mean on?"],
    [{ sandbox: true }, "the setting sandbox must be one of on, off"],
    [{ args: "x" }, "the setting args must be a list of texts"],
    [{ args: [1] }, "the setting args must be a list of texts"],
    [{ variables: "KEY" }, "the setting variables must be a list of texts"],
    [{ variables: ["A B"] }, "the setting variables: must be the name of a variable: letters, digits and _"],
    [
      { variables: ["OK", "PAIRFLOW_TURN"] },
      "the setting variables: PAIRFLOW_TURN is Pairflow's own and is not handed on",
    ],
    [{ fallback: 1 }, "the setting fallback must be a text that is not empty"],
    [{ usd_per_million_input: "3" }, "the setting usd_per_million_input must be a number, 0 or more"],
    [{ usd_per_million_output: -1 }, "the setting usd_per_million_output must be a number, 0 or more"],
    [{ modle: "x" }, "adapter some has no setting modle; did you mean model?"],
  ])("%o is refused", (settings, problem) => {
    expect(checkWords({ adapter: "some", ...settings }, words)).toBe(problem);
  });

  test("good ones are accepted, and lists that are left out are empty", () => {
    const settings = {
      ...{ adapter: "some", model: "m", sandbox: "off", args: ["-v", ""], fallback: "codex" },
      ...{ variables: ["KEY"], usd_per_million_input: 0, usd_per_million_output: 1.5 },
    };
    expect(checkWords(settings, words)).toBeUndefined();
    expect(getListSetting(settings, "args")).toEqual(["-v", ""]);
    expect(getListSetting({ adapter: "some" }, "args")).toEqual([]);
  });
});
