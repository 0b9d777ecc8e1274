// What every agent adapter must keep: the promises C1 to C3 are the sentences of ports/agent/adapter.ts, A1 to A8 are what its
// types cannot say. What an adapter cannot do it declares in `can`, with a reason; what it says it can do is shown by a
// conversation with the real program.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Abilities, Ability, Launch, TurnRequest } from "../../ports/agent/adapter.ts";
import { assertFailsWith, defineContract } from "../contracts/contract.ts";
import { conversationScenarios } from "./conversation.ts";
import { buildTurnRequestFor, type PlayedTurn, type Recording } from "./play.ts";
import { type AgentRig, getTurnAnswer, playAll, playOn } from "./rig.ts";

const A1 =
  "A1 good settings are accepted; an unknown word is refused with the nearest known one, a wrong form too";
const A2 = "A2 nothing of the person's environment and no capability is put into arguments or variables";
const A3 =
  "A3 a pane's agent is told where its prompt is, or is refused; without a terminal the prompt is no argument";
const A4 =
  "A4 a turn that may only read is started otherwise than one that may write, or the adapter says why not";
const A5 = "A5 a session that continues is named to the agent, or the adapter says why not";
const A6 =
  "A6 what an adapter can do is shown by a conversation; what it cannot do, or only partly, has a reason";
const A7 =
  "A7 an adapter that answers in JSON can give a structured answer, and one that uses the verbs does not claim it";
const A8 = "A8 variables are names or prefixes, and a probe says what to install";

/** The cases for one adapter. */
export const buildAgentContract = defineContract<AgentRig>([
  [A1, "words", checkSettingsAreChecked],
  [A2, "whatever stands in the environment of the caller", checkNothingLeaks],
  [A3, "in a pane", checkPaneIsTold],
  [A3, "without a terminal", checkPromptIsNoArgument],
  [A4, "in a pane and without", checkReadingIsTold],
  [A5, "in arguments or in what is sent", checkSessionIsNamed],
  [A6, "every ability", checkAbilitiesAreShown],
  [A7, "in its declaration", checkVoiceFits],
  [A8, "in its declaration", checkDeclarationIsSound],
  ...conversationScenarios,
]);

const names = Object.keys as (can: Abilities) => (keyof Abilities)[];
const isYes = (one: Ability) => one === "yes";
const isNo = (one: Ability) => typeof one === "object" && "no" in one;
const listWords = ({ argv, env }: Launch) => [...argv, ...Object.values(env)];

async function checkSettingsAreChecked({ adapter, settings }: AgentRig): Promise<void> {
  assert.equal(adapter.check(settings), undefined);
  const words = Object.keys(settings).filter((word) => word !== "adapter");
  for (const word of words) {
    const { [word]: value, ...others } = settings;
    const misspelt = `${word[0]}${word}`;
    const problem = adapter.check({ ...others, adapter: settings.adapter, [misspelt]: value });
    assert.match(problem ?? "", new RegExp(`${misspelt}.*did you mean ${word}\\?`));
    const wrong = typeof value === "number" ? "seven" : 7;
    assert.notEqual(adapter.check({ ...settings, [word]: wrong }), undefined, `${word} = ${wrong}`);
    assert.notEqual(adapter.check({ ...settings, [word]: "" }), undefined, `an empty ${word}`);
  }
  assert.notEqual(adapter.check({ ...settings, zzzzzzzzzz: "x" }), undefined);
}

async function checkNothingLeaks(rig: AgentRig): Promise<void> {
  const { adapter, settings } = rig;
  const variables = adapter.variables.map((name) => name.replace(/\*$/, "CANARY"));
  const canaries = [...variables, "PAIRFLOW_TURN", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "CANARY"];
  const before = canaries.map((name) => [name, process.env[name]] as const);
  for (const name of canaries) process.env[name] = "the-canary-sings";
  try {
    for (const readOnly of [true, false])
      for (const launch of listLaunches(rig, { ...buildTurnRequestFor(settings), readOnly }))
        assert.ok(
          !listWords(launch).some((word) => word.includes("the-canary-sings")),
          "a secret was put in",
        );
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

function listLaunches({ adapter }: AgentRig, turn: TurnRequest): Launch[] {
  return [...(isNo(adapter.can.panes) ? [] : [adapter.launch(turn)]), adapter.headless(turn)];
}

async function checkPaneIsTold({ adapter, settings }: AgentRig): Promise<void> {
  const turn = buildTurnRequestFor(settings);
  if (isNo(adapter.can.panes)) {
    await assertFailsWith("agent.no-pane", async () => adapter.launch(turn));
    return;
  }
  const { argv } = adapter.launch(turn);
  assert.ok(argv.some((word) => word.includes(turn.notice) || word.includes(turn.promptFile)));
}

async function checkPromptIsNoArgument(rig: AgentRig): Promise<void> {
  const turn = buildTurnRequestFor(rig.settings);
  const headless = rig.adapter.headless(turn);
  assert.ok(!listWords(headless).some((word) => word.includes("line two")), "the prompt is no argument");
  if (headless.stdin !== "channel") return;
  const inside = JSON.stringify(turn.prompt).slice(1, -1);
  for (const { played } of await playAll(rig, ({ shows }) => shows.includes("structuredAnswer")))
    assert.ok(
      played.sent.some((line) => line.includes(inside)),
      "the prompt is sent",
    );
}

async function checkReadingIsTold(rig: AgentRig): Promise<void> {
  const { adapter, settings } = rig;
  if (!isYes(adapter.can.readOnly)) return assertReason(adapter.can.readOnly);
  const [example] = (await rig.recordings()).filter(({ shows }) => shows.includes("structuredAnswer"));
  assert.ok(example, "no recording shows a turn");
  const told = (readOnly: boolean) => {
    const turn = buildTurnRequestFor(settings, { ...example.turn, readOnly });
    const { sent } = playOn(rig, { ...example, turn });
    const [headless, ...pane] = listLaunches(rig, turn).reverse().map(listWords);
    return [[...(headless ?? []), ...sent], ...pane];
  };
  const reading = told(true);
  for (const [index, words] of told(false).entries())
    assert.ok(!isDeepStrictEqual(words, reading[index]), "reading and writing are started alike");
}

async function checkSessionIsNamed(rig: AgentRig): Promise<void> {
  const { adapter, settings } = rig;
  if (isNo(adapter.can.resume)) return assertReason(adapter.can.resume);
  const resumed = await playAll(rig, ({ shows }) => shows.includes("resume"));
  for (const { recording, played } of resumed) {
    const turn = buildTurnRequestFor(settings, recording.turn);
    const words = [...listWords(adapter.headless(turn)), ...played.sent];
    assert.equal(turn.fresh, false, "the recording continues in a session");
    assert.ok(
      words.some((word) => word.includes(turn.session)),
      "the session is named",
    );
  }
  assert.ok(resumed.length > 0, "no recording shows it");
}

type Shows = (played: PlayedTurn, recording: Recording, rig: AgentRig) => boolean;

const shown: Readonly<Record<keyof Abilities, Shows>> = {
  resume: ({ events }) => getTurnAnswer(events) !== undefined,
  structuredAnswer: ({ events }) => typeof getTurnAnswer(events) === "object",
  readOnly: ({ events }) => events.some(({ type }) => type === "refused-tool"),
  usage: ({ events }) => events.some((event) => event.type === "usage" && event.usage.output > 0),
  ask: ({ events, sent }, recording, rig) =>
    events.some(({ type }) => type === "asked") &&
    getTurnAnswer(events) !== undefined &&
    saysLess(rig, { ...recording, answers: { "*": "no such answer" } }, sent),
  interrupt: ({ events, sent }, { interruptAfter, ...recording }, rig) =>
    interruptAfter !== undefined && getTurnAnswer(events) === undefined && saysLess(rig, recording, sent),
  panes: () => true,
};

/** Whether some of the words are missing when a recording is played in this other way. */
function saysLess(rig: AgentRig, other: Recording, sent: readonly string[]): boolean {
  const less = playOn(rig, other).sent;
  return sent.some((line) => !less.includes(line));
}

/** These are seen in what is started, not in what is said. */
const seenElsewhere: readonly (keyof Abilities)[] = ["panes", "readOnly"];

async function checkAbilitiesAreShown(rig: AgentRig): Promise<void> {
  const { can } = rig.adapter;
  const all = await playAll(rig, () => true);
  for (const name of names(can)) {
    if (!isYes(can[name])) assertReason(can[name]);
    const showing = all.filter(({ recording }) => recording.shows.includes(name));
    if (isYes(can[name]) && !seenElsewhere.includes(name))
      assert.ok(showing.length > 0, `nothing shows ${name}`);
    assert.ok(showing.length === 0 || !isNo(can[name]), `${name} is shown and denied`);
    for (const { recording, played } of showing)
      assert.ok(shown[name](played, recording, rig), `${recording.name} does not show ${name}`);
  }
}

function assertReason(one: Ability): void {
  const reason = typeof one === "string" ? one : "no" in one ? one.no : one.partly;
  assert.match(reason, /^\S.{15,}[^.]$/, "a reason is a clause without a full stop");
}

async function checkVoiceFits({ adapter }: AgentRig): Promise<void> {
  assert.equal(adapter.voice.headless === "json", !isNo(adapter.can.structuredAnswer));
}

async function checkDeclarationIsSound({ adapter, settings }: AgentRig): Promise<void> {
  for (const name of adapter.variables) assert.match(name, /^[A-Za-z][A-Za-z0-9_]*\*?$/);
  for (const name of adapter.variables) assert.doesNotMatch(name, /^PAIRFLOW_/, "ours are not passed on");
  assert.match(adapter.about, /^\S.*[^.]$/);
  const probe = adapter.probe?.(settings);
  if (probe) assert.ok(probe.program !== "" && probe.install !== "");
}
