// A pipeline on the real CLIs in a project that has configured nothing: Claude Code with the models of the usual table, and
// Codex as the final gate. What Claude Code was started with is kept.
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EnvelopeOf, EnvelopeType } from "../../src/core/model/record/envelope.ts";
import type { StatusView } from "../../src/core/views/bubble/status.ts";
import type { Asked, Model, Said } from "../models/model.ts";
import { treeMark } from "../models/tree.ts";
import { claudeSays, codexSays, type Line, type RealRig, realRig } from "./bubble-rig.ts";
import { cliProgram } from "./home.ts";

/** Generous: the machine may be busy with everything else. */
const limitMs = 120_000;

export type Started = EnvelopeOf<"TURN_STARTED">["payload"];

export interface PipelineRig extends RealRig {
  all<T extends EnvelopeType>(type: T): EnvelopeOf<T>["payload"][];
  /** The turns of `<agent> <role>`, in order. */
  turns(part: string): Started[];
  /** Every turn as `claude planner resumed`. */
  cast(): string[];
  /** What the model was asked by `<agent> <role>`. */
  asked(part: string): Asked[];
  /** The prompt of a turn, as it was written. */
  prompt(turn: Started | undefined): string;
  /** The words that Claude Code was started with for this attempt. */
  words(turn: Started | undefined): string[];
  reply(...words: string[]): Promise<string>;
  /** Waits until a human is wanted. */
  rests(what: string): Promise<StatusView>;
  story(): Promise<string>;
}

/** What the model says to each agent in each role, request by request: `claude planner`, `codex plan-reviewer` … */
export type Parts = Readonly<Record<string, readonly Line[]>>;

export const id = "pipeline";

export async function pipelineRig(parts: Parts): Promise<PipelineRig> {
  const real = await realRig(speaking(parts));
  const { tool, server } = real;
  const words = join(tool.folder, "claude-words");
  keepWords(join(tool.folder, "bin", "claude"), words);
  const all = <T extends EnvelopeType>(type: T) =>
    tool
      .log(id)
      .flatMap((envelope) => (envelope.type === type ? [envelope.payload as EnvelopeOf<T>["payload"]] : []));
  return {
    ...{ tool, server, all },
    turns: (part) => all("TURN_STARTED").filter(({ agent, role }) => `${agent} ${role}` === part),
    cast: () =>
      all("TURN_STARTED").map(({ agent, role, fresh }) => `${agent} ${role} ${fresh ? "fresh" : "resumed"}`),
    asked: (part) => server.asked.filter((one) => partOf(one) === part),
    prompt: (turn) =>
      readFileSync(join(tool.repo, ".pairflow", "bubbles", id, "artifacts", turn?.prompt ?? ""), "utf8"),
    words: (turn) => kept(words).find((line) => line.includes(turn?.session ?? "") && isOf(line, turn)) ?? [],
    reply: (...words) => tool.ok("bubble", "reply", "--id", id, ...words),
    rests: (what) => tool.until(id, isResting, what, limitMs),
    story: () => tool.ok("log", "--id", id, "--all"),
    [Symbol.asyncDispose]: () => real[Symbol.asyncDispose](),
  };
}

/** Of two attempts in one session the first is the one that names it. */
const isOf = (line: readonly string[], turn: Started | undefined) =>
  line.includes(turn?.fresh ? "--session-id" : "--resume");

const isResting = ({ driver, state }: StatusView) =>
  !driver.alive && ["WAITING_HUMAN", "READY_FOR_APPROVAL", "DONE", "CANCELLED", "FAILED"].includes(state);

/** Whose turn it is stands in the title of the newest prompt. */
function partOf({ texts }: Asked): string {
  const title = /^# \S+ · round \d+ · (\S+) is (?:still )?the ([\w-]+)/m;
  const found = [...texts].reverse().flatMap((text) => title.exec(text) ?? []);
  return `${found[1]} ${found[2]}`;
}

function speaking(parts: Parts): Model {
  const said = new Map<string, number>();
  return (asked) => {
    const part = partOf(asked);
    const nr = said.get(part) ?? 0;
    said.set(part, nr + 1);
    const line = parts[part]?.[nr];
    if (line === undefined)
      throw new Error(`no line ${nr + 1} for ${part}; last result: ${asked.results.at(-1)?.text}`);
    return typeof line === "function" ? line(asked) : line;
  };
}

/** The real program behind one that writes down what it was started with: a line of JSON texts for each start. */
function keepWords(program: string, file: string): void {
  rmSync(program);
  const each = `for word in "$@"; do printf '%s' "$word" | base64 | tr -d '\\n'; printf ' '; done`;
  writeFileSync(program, `#!/bin/sh\n{ ${each}; echo; } >> '${file}'\nexec '${cliProgram("claude")}' "$@"\n`);
  chmodSync(program, 0o755);
}

function kept(file: string): string[][] {
  if (!existsSync(file)) return [];
  const plain = (word: string) => Buffer.from(word, "base64").toString("utf8");
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.trim().split(" ").map(plain));
}

/** A paper or a review, as the CLI of this agent hands it over. */
export const says = (agent: string, answer: object): Said =>
  agent === "codex" ? codexSays(answer) : claudeSays(answer);

const scores = { security: null, quality: 9, overall: 9 };

/** The final answer of a critic in the dialect of the pipeline. */
export const judges = (status: "approved" | "needs_changes", summary: string, more: object = {}) => ({
  ...{ status, summary, tree: treeMark, checked: [], prior_findings: [], sop_review: [], confidence: null },
  ...{ patterns: [], findings: [], scores, blockers: [], questions: [], message: null, rejection_type: null },
  ...more,
});

/** The final answer of a critic that only a human can help. */
export const needsClarification = (question: string) => ({
  ...judges("approved", "Only a human can say this"),
  status: "needs_clarification",
  questions: [{ id: "q1", question, options: [], context: null }],
});

/** Evidence for an approval of this file. */
export const saw = (file: string, line: number, why: string) => ({
  ...{ for: ["C1"], file, line, end_line: null, quote: null, why },
});
