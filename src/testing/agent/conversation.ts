// The part of the agents' contract that is about conversations: replay, exactly one end, answers as they are.
import assert from "node:assert/strict";
import { turnOutcomes } from "../../core/model/turn-end.ts";
import type { AgentAdapter, ProcessExit, TurnEvent } from "../../ports/agent/adapter.ts";
import { type ContractScenario, requireAbility } from "../contracts/contract.ts";
import { buildTurnRequestFor, damageLines, play, type Recording } from "./play.ts";
import { type AgentRig, getTurnAnswer, playAll, playOn } from "./rig.ts";

const C1 =
  "C1 `heard` called again with the same lines from the start leads to the same events and the same sent lines: a driver that takes over reads the output file from its beginning";
const C2 = "C2 after `closed` there has been exactly one `over`";
const C3 = "C3 an answer is passed on as the agent gave it; judging it is the referee's business";

/** The scenarios of C1 to C3. */
export const conversationScenarios: readonly ContractScenario<AgentRig>[] = [
  [C1, "the whole again", saysTheSameAgain],
  [C1, "a driver that takes over after every line", takesOver],
  [C2, "however the process ended, and whatever follows", checkEndsOnce],
  [C2, "whatever was damaged on the way", checkEndsOnceDamaged],
  [C3, "odd ones too", checkAnswersStayAsTheyAre],
];

async function saysTheSameAgain(rig: AgentRig): Promise<void> {
  for (const { recording, played } of await playAll(rig, () => true))
    assert.deepEqual(playOn(rig, recording), played, recording.name);
}

async function takesOver(rig: AgentRig): Promise<void> {
  for (const { recording, played } of await playAll(rig, () => true)) {
    for (let heard = 0; heard <= recording.lines.length; heard += 1) {
      const before = playOn(rig, recording, heard);
      assert.deepEqual(
        played.sent.slice(0, before.sent.length),
        before.sent,
        `${recording.name}, line ${heard}`,
      );
      assert.deepEqual(played.events.slice(0, before.events.length), before.events);
    }
  }
}

const exits: readonly ProcessExit[] = [
  { stderr: "" },
  { code: 0, stderr: "" },
  { code: 1, stderr: "Error: it broke\n" },
  { code: 127, stderr: "sh: agent: not found" },
  { code: 137, stderr: "\u001b[31mkilled\u001b[0m" },
];

async function checkEndsOnce(rig: AgentRig): Promise<void> {
  const silent: Recording = { name: "silence", shows: [], lines: [], exit: { stderr: "" } };
  for (const recording of [silent, ...(await rig.recordings())])
    for (const exit of exits) assertEndsOnce(rig, { ...recording, exit });
}

const attempts = 400;

async function checkEndsOnceDamaged(rig: AgentRig): Promise<void> {
  for (const recording of await rig.recordings()) {
    for (let number = 0; number < attempts; number += 1) {
      const lines = damageLines(recording.lines, number);
      const exit = exits[number % exits.length] as ProcessExit;
      assertEndsOnce(rig, { ...recording, name: `${recording.name}, damage ${number}`, lines, exit });
    }
  }
}

function assertEndsOnce(rig: AgentRig, recording: Recording): void {
  const turn = buildTurnRequestFor(rig.settings, recording.turn);
  const { events, sent } = play(runTwice(rig.adapter), turn, recording);
  const ends = events.filter(({ type }) => type === "over");
  assert.equal(ends.length, 1, `${recording.name}: ${ends.length} ends`);
  for (const event of events) assertSound(event, recording.name);
  for (const line of sent) assert.ok(!line.includes("\n"), "one line is one line");
}

/** The same adapter, whose process ends twice and prints after its end: neither may matter. */
function runTwice(adapter: AgentAdapter): AgentAdapter {
  return {
    ...adapter,
    headless(turn) {
      const headless = adapter.headless(turn);
      return {
        ...headless,
        converse(host) {
          const inner = headless.converse(host);
          const heard: string[] = [];
          return {
            begin: () => inner.begin(),
            answer: (id, answers) => inner.answer(id, answers),
            interrupt: () => inner.interrupt(),
            heard(line) {
              heard.push(line);
              inner.heard(line);
            },
            closed(exit) {
              inner.closed(exit);
              for (const line of heard.slice(-20)) inner.heard(line);
              inner.interrupt();
              inner.closed(exit);
            },
          };
        },
      };
    },
  };
}

function assertSound(event: TurnEvent, name: string): void {
  if (event.type === "over") {
    assert.ok(turnOutcomes.includes(event.end.outcome), name);
    if (event.end.outcome !== "answered")
      assert.ok(event.end.detail.trim() !== "", `${name}: an end without a word`);
    else assert.notEqual(event.end.answer, undefined, name);
  }
  if (event.type === "session") assert.ok(typeof event.id === "string" && event.id !== "", name);
  if (event.type === "doing") assert.equal(typeof event.text, "string", name);
  if (event.type === "asked") {
    assert.ok(event.questions.length > 0, `${name}: asked nothing`);
    for (const { id, question } of event.questions) assert.ok(id !== "" && question !== "", name);
  }
  if (event.type === "usage")
    for (const [word, amount] of Object.entries(event.usage))
      assert.ok(Number.isFinite(amount) && Number(amount) >= 0, `${name}: ${word} ${amount}`);
}

async function checkAnswersStayAsTheyAre(rig: AgentRig): Promise<void> {
  const odd: readonly Record<string, unknown>[] = [
    { status: "completed", summary: 'ünï → \u2028 "quoted" ```json\n{}\n```', nothing: null },
    { status: "no such word", deep: { list: [1, [2, { three: 3 }]], empty: {}, none: [] } },
    JSON.parse(
      '{"__proto__": {"polluted": true}, "constructor": 1, "type": "result", "id": 1, "error": "x"}',
    ),
    {},
  ];
  for (const answer of odd) {
    const { events } = playOn(rig, await requireAbility(rig.answering)(answer));
    assert.deepEqual(getTurnAnswer(events), answer);
  }
}
