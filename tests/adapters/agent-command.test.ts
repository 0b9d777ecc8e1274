// Any command line as an agent: words stay words whatever a placeholder holds, and bad settings are named.
import { describe, expect, test } from "vitest";
import { commandAgent } from "../../src/adapters/agent/command.ts";
import { agentAdapters } from "../../src/adapters/agent/index.ts";
import { splitWords } from "../../src/adapters/agent/template.ts";
import type { TurnRequest } from "../../src/ports/agent.ts";

const agent = commandAgent();

function turn(settings: Record<string, string>, more: Partial<TurnRequest> = {}): TurnRequest {
  return {
    settings: { adapter: "command", ...settings },
    agent: "mine",
    role: "implementer",
    session: "s-1",
    fresh: true,
    notice: "It's your turn; read 'prompt.md' $(id)",
    promptFile: "/p/prompt.md",
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

  test("a session that goes on uses resume where it is given", () => {
    const settings = { command: "mytool {{notice}}", resume: "mytool -r {{session}} {{notice}}" };
    expect(agent.launch(turn(settings, { fresh: false })).argv.slice(0, 3)).toEqual(["mytool", "-r", "s-1"]);
    expect(agent.launch(turn({ command: "mytool" }, { fresh: false })).argv).toHaveLength(2);
  });

  test.each([
    [{}, "needs the setting command"],
    [{ command: " " }, "must be a text that is not empty"],
    [{ command: "tool", comand: "x" }, "no setting comand; did you mean command?"],
    [{ command: "tool 'open" }, "command: an open ' at the end"],
    [{ command: "tool {{promt_file}}" }, "there is no {{promt_file}}; did you mean prompt_file?"],
    [{ command: "tool {{ notice }}" }, "there is no {{ notice }}; did you mean notice?"],
    [{ command: "tool", resume: 'tool "' }, 'resume: an open " at the end'],
  ])("%o is refused", (settings, problem) => {
    expect(agent.check({ adapter: "command", ...settings })).toContain(problem);
  });

  test("good settings are accepted", () => {
    expect(agent.check({ adapter: "command", command: "tool {{notice}}", resume: "tool" })).toBeUndefined();
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
  expect(Object.keys(agentAdapters({ command: ["pairflow"] }))).toEqual(["command", "scripted"]);
});
