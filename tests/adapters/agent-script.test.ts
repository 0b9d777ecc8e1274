// The language of scripted agents: what a script may say, what is said about a mistake, and whose turn takes which entry.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { actionNames, type Script } from "../../src/adapters/agent/scripted/script.ts";
import {
  movePlace,
  type ScriptPositions,
  takePlace,
} from "../../src/adapters/agent/scripted/script-cursor.ts";
import { parseScript } from "../../src/adapters/agent/scripted/script-file.ts";
import { passArguments } from "../../src/adapters/agent/scripted/steps.ts";

const problems = (text: string) => {
  const read = parseScript(text, "s.yaml");
  return read.ok ? [] : read.problems;
};

describe("a script", () => {
  test("in YAML and in JSON means the same", () => {
    const yaml = parseScript(
      "turns:\n  - steps:\n      - wait: 1.5s\n      - say: hello\n        once: true\n",
      "s",
    );
    const json = parseScript('{"turns":[{"steps":[{"wait":"1.5s"},{"say":"hello","once":true}]}]}', "s");
    expect(yaml).toEqual(json);
    expect(yaml).toMatchObject({
      script: {
        turns: [
          {
            steps: [
              { action: "wait", value: 1500 },
              { action: "say", value: "hello", once: true },
            ],
          },
        ],
        // biome-ignore lint/suspicious/noThenProperty: the word of the language.
        then: "end",
      },
    });
  });

  test.each([
    ["turns: []", "s.yaml:1:8: turns: must have a turn"],
    ["agent: codex", 's.yaml:1:1: turns: needs "turns"'],
    ["turns:\n  - stepps: []", "s.yaml:2:13: turns[1].stepps: stepps is not known here; did you mean steps?"],
    ["turns: [{steps: [{sya: x}]}]", "s.yaml:1:24: turns[1].steps[1].sya: sya is no step; did you mean say?"],
    ["turns: [{steps: [hello]}]", "s.yaml:1:18: turns[1].steps[1]: must be a step such as {say: hello}"],
    [
      "turns: [{steps: [{wait: soon}]}]",
      "s.yaml:1:25: turns[1].steps[1].wait: must be a time such as 300ms, 2s or 1m",
    ],
    [
      "turns: [{steps: [{pass: {summary: x, findngs: []}}]}]",
      "s.yaml:1:47: turns[1].steps[1].pass.findngs: findngs is not known here; did you mean findings?",
    ],
    ["turns: [{steps: [{say: x, on_refused: continue}]}]", "on_refused is not known here"],
    ["turns: [{steps: [{say: x, hang: true}]}]", "hang is not known here"],
    ["turns: [{steps: [{crash: often}]}]", 'must be an exit code or the word "kill"'],
    ["turns: [{steps: [{hang: true}]}]\nthen: stop", 's.yaml:2:7: then: must be "repeat-last" or "end"'],
    ["turns: [{steps: [{say: x}]}]\nturns: []", "s.yaml:2:1: this key is there twice"],
    ["turns: [", "s.yaml:1:9: a ] is missing"],
  ])("%j is refused at its place", (text, problem) => {
    expect(problems(text).join("\n")).toContain(problem);
  });

  test("a pass may name a checkpoint and give a score, which become the flags of the verb", () => {
    const read = parseScript(
      "turns: [{steps: [{pass: {summary: s, checkpoint: schema agreed, score: 0.8}}]}]",
      "s",
    );
    const step = read.ok ? read.script.turns[0]?.steps[0] : undefined;
    expect(step?.action === "pass" && passArguments(step.value)).toEqual([
      "pass",
      "--summary=s",
      "--checkpoint=schema agreed",
      "--score=0.8",
    ]);
    expect(problems("turns: [{steps: [{pass: {summary: s, score: high}}]}]")).toEqual([
      "s.yaml:1:45: turns[1].steps[1].pass.score: must be a number",
    ]);
    expect(problems("turns: [{steps: [{converge: {summary: s, score: 1}}]}]")).not.toEqual([]);
  });

  test("every problem is told, not only the first", () => {
    expect(problems("turns: [{steps: [{sya: x}, {wait: 3}]}, {steps: [{delete: ''}]}]")).toHaveLength(3);
  });

  test("a file that is not there is a problem too", () => {
    expect(parseScript("", "s").ok).toBe(false);
  });

  test("the example of the documentation is a script, and the page names every step", () => {
    const page = readFileSync(new URL("../../docs/scripted-agents.md", import.meta.url), "utf8");
    const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(problems(example)).toEqual([]);
    for (const name of actionNames) expect(page).toContain(`\`${name}: `);
  });
});

describe("the place in a script", () => {
  const turns = [{ steps: [] }, { steps: [] }];
  const script = (then: Script["then"] = "end"): Script => ({ turns, then });

  function take(places: ScriptPositions, turn: string, then?: Script["then"]) {
    const taken = takePlace(script(then), places, turn);
    if (!taken) throw new Error("no entry left");
    return taken;
  }

  test("a new turn takes the next entry, a further attempt the same one", () => {
    const first = take({}, "t1");
    expect(first.place).toEqual({ entry: 0, from: 0, isFirstAttempt: true });
    const again = take(first.places, "t1");
    expect(again.place).toEqual({ entry: 0, from: 0, isFirstAttempt: false });
    expect(take(again.places, "t4").place.entry).toBe(1);
  });

  test("an attempt after a question begins behind it", () => {
    const asked = movePlace(take({}, "t1").places, "t1", 3);
    expect(take(asked, "t1").place).toMatchObject({ entry: 0, from: 3 });
    expect(take(asked, "t2").place).toMatchObject({ entry: 1, from: 0 });
  });

  test("past the end the last entry is repeated where the script says so, and there is none otherwise", () => {
    const places = take(take({}, "t1").places, "t2").places;
    expect(takePlace(script(), places, "t3")).toBeUndefined();
    expect(take(places, "t3", "repeat-last").place.entry).toBe(1);
    expect(take(take(places, "t3", "repeat-last").places, "t9", "repeat-last").place.entry).toBe(1);
  });
});
