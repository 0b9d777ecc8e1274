// Scenes of docs/first-hour.md with a person at a real terminal: no flag answers for them, and each question that they are asked is a
// decision. Typing the characters of a digest belongs to the decision to sign.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { type Rig, rig, shortest } from "../acceptance/rig.ts";
import { openTerminal } from "../helpers/operator.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/first-hour.md"), "utf8");
const rows = [...page.matchAll(/^\| (\d+) \|.*\| (\d+) \| (\d+) \|$/gm)];
const promised = new Map(rows.map(([, scene, ...numbers]) => [Number(scene), numbers.map(Number)]));

let tool: Rig;
afterEach(() => tool.close());

/** A repository whose two agents follow scripts; nobody has confirmed anything, and no key is used. */
function openFresh(): void {
  tool = rig({
    files: { "package.json": '{"scripts":{"test":"grep -q total src/cart.txt"}}\n' },
    trusts: false,
  });
  const agents = Object.entries({ codex: shortest.implementer, claude: shortest.reviewer }).map(
    ([name, turns]) => `  ${name}: { adapter: scripted, script: ${tool.script(name, turns)} }\n`,
  );
  tool.write(".pairflow/config.yaml", `agents:\n${agents.join("")}`);
  tool.git("add", "-A");
  tool.git("commit", "-qm", "Agents");
}

const question = /(\[Y\/n\]|\[n\]o|\[q\]uit)$/;
const signature = /…(\S{4}): type its last four characters to sign:$/;

/** Types each line at a terminal; how many lines and decisions that took. */
async function play(...lines: readonly string[]): Promise<number[]> {
  let decisions = 0;
  for (const line of lines) decisions += await typeOne(line);
  return [lines.length, decisions];
}

/** Answers as the screen offers first; how often it asked. */
async function typeOne(line: string): Promise<number> {
  const desk = openTerminal(tool, line.split(" "), { columns: 100, rows: 50 });
  let [asked, answered] = [0, ""];
  try {
    for (let screen = ""; !/\[exit \d+\]$/.test(screen); await sleep(50)) {
      screen = desk.screen().trimEnd();
      const answer = screen === answered ? undefined : findAnswer(screen);
      if (answer === undefined) continue;
      if (question.test(screen)) asked += 1;
      desk.types(answer);
      answered = screen;
    }
    expect(await desk.ends(), line).toMatchObject({ code: 0 });
    return asked;
  } finally {
    desk.close();
  }
}

function findAnswer(screen: string): string | undefined {
  if (question.test(screen)) return screen.includes("[a]pprove") ? "a" : "";
  return signature.exec(screen)?.[1];
}

const committed = () => tool.git("log", "--format=%s", "-1", "bubble/make-the-total-right").trim();

it("scene 5: new, approve and commit take two decisions", { timeout: 120_000 }, async () => {
  openFresh();
  expect(await play("new Make the total right --headless", "approve", "commit")).toEqual(promised.get(5));
  expect(committed()).toBe("fix: the total is right");
});

it("scenes 4 and 6: prepared and step by step it is as many, one of them the screen of init", {
  timeout: 120_000,
}, async () => {
  openFresh();
  const [first = 0, asked = 0] = await play("init");
  expect([first, asked]).toEqual(promised.get(4));
  const [commands = 0, decisions = 0] = await play(
    "create Make the total right",
    "start --headless",
    "approve",
    "commit",
  );
  expect([first + commands, asked + decisions]).toEqual(promised.get(6));
  expect(committed()).toBe("fix: the total is right");
});
