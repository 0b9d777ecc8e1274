// What must be the same however often a bubble was killed on its way: judged from the record, from git and from the
// process table, against a run in which nobody was killed.
import type { Envelope } from "../../src/core/model/envelope.ts";
import { gitLocks, leftProcesses } from "./leftovers.ts";
import { bubble, type Played } from "./whole-bubble.ts";

/** What a bubble came to. Two runs of one script are equal in all of it. */
export interface Outcome {
  readonly protocol: readonly string[];
  readonly tree: string;
  readonly message: string;
  readonly commits: string;
}

const protocolTypes = [
  "TASK",
  "PASS",
  "HUMAN_QUESTION",
  "HUMAN_REPLY",
  "CONVERGENCE",
  "DONE_PACKAGE",
  "APPROVAL_REQUEST",
  "APPROVAL_DECISION",
];

export function outcomeOf({ tool }: Played): Outcome {
  return {
    protocol: counting(tool.log(bubble))
      .filter(({ type }) => protocolTypes.includes(type))
      .map(({ type, sender, recipient, round }) => `${type} ${sender} → ${recipient}, round ${round}`),
    tree: tool.git("rev-parse", `bubble/${bubble}^{tree}`).trim(),
    message: tool.git("log", "-1", "--format=%B", `bubble/${bubble}`).trim(),
    commits: tool.git("rev-list", "--count", `main..bubble/${bubble}`).trim(),
  };
}

/** Everything that is wrong with a run, in sentences; an empty list is what is asked for. */
export async function problemsOf(played: Played, expected: Outcome): Promise<string[]> {
  const { tool, troubles } = played;
  const log = counting(tool.log(bubble));
  const verified = await tool.run("verify", "--id", bubble);
  const left = await leftProcesses(tool);
  return [
    ...troubles,
    ...differences(outcomeOf(played), expected),
    ...(log.every(({ seq }, index) => seq === index + 1) ? [] : ["the log is not dense"]),
    ...(verified.code === 0
      ? []
      : [`verify ended with ${verified.code}: ${verified.stdout}${verified.stderr}`]),
    ...turnProblems(log),
    ...left.map(({ pid, work }) => `process ${pid} (${work}) is left`),
    ...gitLocks(tool).map((lock) => `git lock ${lock} is left`),
  ];
}

/** The lines that count: the dense chain from seq 1 on; what a killed writer's rival wrote again does not. */
function counting(lines: readonly Envelope[]): Envelope[] {
  const chain: Envelope[] = [];
  for (const line of lines) if (line.seq === chain.length + 1) chain.push(line);
  return chain;
}

function differences(found: Outcome, expected: Outcome): string[] {
  const keys = Object.keys(expected) as (keyof Outcome)[];
  return keys
    .filter((key) => String(found[key]) !== String(expected[key]))
    .map((key) => `${key} is ${show(found[key])}, not ${show(expected[key])}`);
}

const show = (value: unknown) => JSON.stringify(value, null, 1);

/** One accepted claim a turn, no attempt after it, and attempts counted up one by one. */
function turnProblems(log: readonly Envelope[]): string[] {
  const turns = new Set(log.flatMap((line) => (line.type === "TURN_STARTED" ? [line.payload.turn] : [])));
  return [...turns].flatMap((turn) => {
    const story = log.flatMap((line) => {
      if (line.type === "TURN_STARTED" && line.payload.turn === turn)
        return [`attempt ${line.payload.attempt}`];
      const claims = line.type === "PASS" || line.type === "CONVERGENCE";
      return claims && line.payload.turn === turn ? ["claim"] : [];
    });
    const right = [...story.slice(0, -1).map((_, index) => `attempt ${index + 1}`), "claim"];
    return String(story) === String(right) ? [] : [`turn ${turn} went: ${story.join(", ")}`];
  });
}
