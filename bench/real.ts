// The real Claude Code and Codex against the scripted model, for benches: a whole bubble without a terminal, and
// answers put into living screens. Every moment of theirs is told by themselves: a wrapper notes when the process
// starts, its output file when it said its last word, a hook when it took a message in.
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Envelope } from "../src/core/model/record/envelope.ts";
import {
  claudeSays,
  codexRuns,
  codexSays,
  handoff,
  type Line,
  type Play,
  playing,
  type RealRig,
  realRig,
  review,
  wrongTotal,
} from "../tests/agent-clis/bubble-rig.ts";
import { cliProgram } from "../tests/agent-clis/home.ts";
import type { Said } from "../tests/models/model.ts";

const id = "bench";

export interface Gap {
  /** The turns before and after it, and the role of the one before. */
  readonly from: string;
  readonly to: string;
  readonly role: string;
  readonly endedAt: number;
  readonly beganAt: number;
}

/** Codex writes and Claude Code finds one defect each round, until the rounds are used up. */
function rounds(count: number): Play {
  const turns = Array.from({ length: count }, (_, n): [string, Line[]][] => {
    const prior_findings = n === 0 ? [] : [{ id: `F${n}`, status: "fixed", reason: null }];
    const findings = [{ ...wrongTotal, title: `Defect ${n}`, quote: `total: ${n + 10}` }];
    return [
      [
        `implementer ${n + 1}`,
        [codexRuns(`echo 'total: ${n + 10}' > src/cart.txt`), codexSays(handoff(`Total ${n}`))],
      ],
      [`reviewer ${n + 1}`, [claudeSays(review(`Look ${n}`, { findings, prior_findings, checked: [] }))]],
    ];
  });
  return Object.fromEntries(turns.flat());
}

/** From the last word of each turn to the start of the next process, and the record of it all. */
export async function gaps(count: number): Promise<{ gaps: Gap[]; log: Envelope[] }> {
  await using real = await realRig(playing(rounds(count)));
  const { tool } = real;
  const times = noteStarts(real);
  tool.write(".pairflow/config.yaml", `defaults:\n  max_rounds: ${count}\n`);
  tool.git("commit", "-q", "-am", "as many rounds as are measured");
  await tool.ok("bubble", "create", "--id", id, "--task", "Make the total right", "--test", "true");
  await tool.ok("bubble", "start", "--id", id, "--headless");
  const log = tool.log(id);
  const began = new Map(
    readFileSync(times, "utf8")
      .split("\n")
      .map((line) => line.split(" "))
      .map(([turn = "", at]) => [turn, Number(at) * 1000]),
  );
  const turns = log.flatMap((line) => (line.type === "TURN_STARTED" ? [line.payload] : []));
  if (turns.length !== 2 * count)
    throw new Error(
      `${turns.length} attempts instead of ${2 * count}:\n${await tool.ok("log", "--id", id, "--all")}`,
    );
  const found = turns.slice(0, -1).map(({ turn: from, role, output }, nr) => {
    const to = turns[nr + 1]?.turn ?? "";
    return { from, to, role, endedAt: statSync(output).mtimeMs, beganAt: began.get(to) ?? Number.NaN };
  });
  return { gaps: found, log };
}

/** Puts a wrapper before each program that notes when it was started for which turn. */
function noteStarts({ tool }: RealRig): string {
  const times = join(tool.folder, "times");
  for (const name of ["claude", "codex"] as const) {
    const program = join(tool.folder, "bin", name);
    rmSync(program);
    writeFileSync(
      program,
      `#!/bin/bash\necho "$PAIRFLOW_TURN_ID $EPOCHREALTIME" >> ${times}\nexec ${cliProgram(name)} "$@"\n`,
    );
    chmodSync(program, 0o755);
  }
  return times;
}

export interface Delivered {
  /** The human's answer is on the record. */
  readonly repliedAt: number;
  /** It was put into the pane and submitted. */
  readonly sentAt: number;
  /** The CLI took it in and its hook has told so. */
  readonly signAt: number;
  /** That sign is on the record. */
  readonly acknowledgedAt: number;
}

/** Asks as often as wanted, and rests after each question until the answer comes. */
function asking(count: number): Play {
  const ask = (nr: number): Said => ({
    calls: [{ tool: "mcp__pairflow__ask_human", input: { question: `Before or after tax (${nr})?` } }],
    // Nothing else that could be taken for a sign happens until the first one has been seen.
    delayMs: 1_500,
  });
  const rests: Said = { text: "I wait." };
  return { "implementer 1": Array.from({ length: count + 1 }, (_, nr) => [ask(nr), rests]).flat() };
}

/** Answers put into the living screen of one CLI, one after the other, and what the command that its hook runs takes. */
export async function deliveries(
  agent: "claude" | "codex",
  count: number,
): Promise<{ delivered: Delivered[]; hookTimes: number[] }> {
  await using real = await realRig(playing(asking(count)));
  const { tool } = real;
  const other = agent === "claude" ? "codex" : "claude";
  const roles = ["--implementer", agent, "--reviewer", other];
  await tool.ok("bubble", "create", "--id", id, "--task", "Make the total right", "--test", "true", ...roles);
  await tool.ok("bubble", "start", "--id", id);
  const delivered: Delivered[] = [];
  for (let nr = 1; nr <= count; nr++) {
    await resting(real, nr);
    await tool.ok("bubble", "reply", "--id", id, "--message", `after tax (${nr})`);
    delivered.push(await taken(real));
  }
  return { delivered, hookTimes: await hookTimes(real, count) };
}

/** In milliseconds, once for each answer. */
async function hookTimes({ tool }: RealRig, count: number): Promise<number[]> {
  const inside = tool.with({ PAIRFLOW_REPO: tool.repo, PAIRFLOW_BUBBLE: id });
  const times: number[] = [];
  for (let nr = 0; nr < count; nr++) {
    const startedAt = performance.now();
    await inside.ok("hook", "UserPromptSubmit");
    times.push(performance.now() - startedAt);
  }
  return times;
}

const runtimeOf = ({ tool }: RealRig, ...names: string[]) =>
  join(tool.repo, ".pairflow", "runtime", ...names);

/** The question stands, and the screen has come to rest after it. */
function resting(real: RealRig, nr: number): Promise<true> {
  return until(real, `question ${nr}`, (log) => {
    const asked = log.filter(({ type }) => type === "HUMAN_QUESTION");
    const rested = statSync(runtimeOf(real, id, "notes", "rests"), { throwIfNoEntry: false });
    return asked.length === nr && (rested?.mtimeMs ?? 0) > Date.parse(asked.at(-1)?.ts ?? "")
      ? true
      : undefined;
  });
}

function taken(real: RealRig): Promise<Delivered> {
  return until(real, "an acknowledged answer", (log) => {
    const reply = log.findLastIndex(({ type }) => type === "HUMAN_REPLY");
    const after = log.slice(reply).flatMap((line) => (line.type === "DELIVERY" ? [line] : []));
    const at = (status: string) =>
      Date.parse(after.find(({ payload }) => payload.status === status)?.ts ?? "");
    if (Number.isNaN(at("acknowledged"))) return undefined;
    return {
      repliedAt: Date.parse(log[reply]?.ts ?? ""),
      sentAt: at("sent"),
      signAt: statSync(runtimeOf(real, `${id}.sign`)).mtimeMs,
      acknowledgedAt: at("acknowledged"),
    };
  });
}

async function until<T>(
  { tool }: RealRig,
  what: string,
  look: (log: Envelope[]) => T | undefined,
): Promise<T> {
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(20)) {
    const found = look(tool.log(id));
    if (found !== undefined) return found;
  }
  throw new Error(`never: ${what}\n${await tool.ok("log", "--id", id, "--all")}`);
}
