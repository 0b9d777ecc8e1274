// What must be the same however often a bubble was killed on its way: judged from the record, from git and from the
// process table, against a run in which nobody was killed.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fold } from "../../src/core/bubble/evolve.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import { gitLocks, leftProcesses } from "./leftovers.ts";
import { bubble, type Played } from "./whole-bubble.ts";

/** What a bubble came to. Two runs of one script are equal in all of it. */
export interface Outcome {
  readonly protocol: readonly string[];
  readonly tree: string;
  readonly message: string;
  readonly commits: string;
  /** What is locked at the end: path, hash, task and who decided. */
  readonly locks: readonly string[];
  /** Children with what they came to, in any order, and every bubble there is: none twice, none that nobody knows. */
  readonly children: readonly string[];
  readonly bubbles: readonly string[];
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
  "TASK_STARTED",
  "TASK_ENDED",
  "CONFIDENCE",
  "EVENT",
  "RUN_RESULT",
  "JOINED",
];

export function outcomeOf({ tool }: Played): Outcome {
  return {
    protocol: counting(tool.log(bubble))
      .filter(({ type }) => protocolTypes.includes(type))
      .map(({ type, sender, recipient, round }) => `${type} ${sender} → ${recipient}, round ${round}`),
    tree: treeOf(tool),
    message: tool.git("log", "-1", "--format=%B", `bubble/${bubble}`).trim(),
    commits: tool.git("rev-list", "--count", `main..bubble/${bubble}`).trim(),
    locks: (fold(counting(tool.log(bubble)))?.locks ?? []).map(
      ({ path, sha256, task, decidedBy }) => `${path} ${sha256} ${task} ${decidedBy}`,
    ),
    children: counting(tool.log(bubble)).flatMap(childLine).sort(),
    bubbles: readdirSync(join(tool.repo, ".pairflow", "bubbles")).sort(),
  };
}

function childLine({ type, payload }: Envelope): string[] {
  if (type === "CHILD_STARTED") return [`${payload.key} is ${payload.bubble}`];
  return type === "CHILD_REPORTED" ? [`${payload.key} came back ${payload.status}`] : [];
}

/** Every committed file with its mode and hash; the settings name the rig's own folder and are left out. */
const treeOf = (tool: Played["tool"]): string =>
  tool
    .git("ls-tree", "-r", `bubble/${bubble}`)
    .split("\n")
    .filter((line) => !line.endsWith("\t.pairflow/config.yaml"))
    .join("\n");

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
