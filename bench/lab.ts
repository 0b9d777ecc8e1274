// Fixtures for benches, made with the product's own parts: a bubble with as many messages as asked for, ready for a
// `pass`, and envelopes in memory for folding.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parse } from "yaml";
import { decide } from "../src/core/bubble/decide.ts";
import { evolve } from "../src/core/bubble/evolve.ts";
import type { Command } from "../src/core/model/command.ts";
import type { BubbleConfig } from "../src/core/model/config.ts";
import { BubbleConfig as Schema } from "../src/core/model/config.ts";
import { type Envelope, parseEnvelope, placeDrafts } from "../src/core/model/record/envelope.ts";
import type { State } from "../src/core/model/state.ts";
import { check } from "../src/core/model/value/validate.ts";
import { loadWorkflow } from "../src/core/workflow/load.ts";
import { writeRecord } from "../tests/helpers/record-files.ts";

const secret = "benchmark-secret";
const at = "2026-01-01T00:00:00.000Z";

export interface Lab {
  readonly repo: string;
  readonly workflow: string;
}

/** A log in memory, grown by commands. */
class Log {
  state: State | undefined;
  readonly envelopes: Envelope[] = [];
  private readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  put(command: Command): void {
    const { drafts, refusal } = decide(this.state, command, at);
    if (refusal) throw new Error(`${command.type}: ${refusal.code} ${refusal.message}`);
    const placed = placeDrafts(drafts, {
      seq: this.envelopes.length,
      bubbleId: this.id,
      at,
      commandId: `c${this.envelopes.length}`,
    });
    for (const draft of placed) {
      const envelope = { ...draft, prev: "" } as Envelope;
      this.envelopes.push(envelope);
      this.state = evolve(this.state, envelope);
    }
  }
}

/** A bubble whose implementer has the turn, after `messages` lines of questions and answers. */
export function grow(
  { repo, workflow }: Lab,
  id: string,
  messages: number,
  isOver = false,
): { log: Envelope[]; state: State } {
  const config = configFor(repo, id);
  const program = loadWorkflow(parse(workflow), config);
  if (!program.ok) throw new Error(JSON.stringify(program.problems));
  const log = new Log(id);
  const driver = { kind: "driver", id: "bench" } as const;
  const operator = { kind: "operator", via: "cli" } as const;
  log.put({
    type: "create",
    actor: operator,
    config,
    program: program.program,
    profile: {
      gates: [{ name: "test", command: "true", required: true, timeout_seconds: 60 }],
      source: "bench",
      confirmed: true,
    },
    base_commit: "0".repeat(40),
    task: { title: "Bench", criteria: ["fast"], artifact: "task.md", excerpt: "Bench" },
    workflow_artifact: "workflow-pair.yaml",
  });
  log.put({ type: "start", actor: operator, seat: "process" });
  log.put({
    type: "workspace-ready",
    actor: driver,
    path: join(repo, "none"),
    branch: `bubble/${id}`,
    tree: "1".repeat(40),
    notes: [],
  });
  log.put({ type: "claim-driver", actor: driver, pid: 1, host: "bench", seat: "process" });
  log.put({
    type: "turn-started",
    actor: driver,
    turn: "t1",
    attempt: 1,
    capability: createHash("sha256").update(secret).digest("hex"),
    session: "s",
    fresh: true,
    tree: "1".repeat(40),
    prompt: "p.md",
    output: "",
    seat: "process",
    sandboxed: false,
  });
  const agent = {
    kind: "agent",
    turn: "t1",
    attempt: 1,
    capability: createHash("sha256").update(secret).digest("hex"),
  } as const;
  for (let n = 0; log.envelopes.length < messages - 1; n++) {
    log.put({
      type: "ask-human",
      actor: agent,
      digest: `d${n}`,
      question: `Question number ${n}: is this the right way to do it, or is there a better one that we have not thought of?`,
    });
    log.put({
      type: "reply",
      actor: operator,
      message: `Answer number ${n}: yes, continue like this and keep the interface as it is for the time being.`,
    });
    log.put({
      type: "delivered",
      actor: driver,
      message: log.envelopes.length,
      turn: "t1",
      status: "acknowledged",
    });
  }
  if (isOver) log.put({ type: "stop", actor: operator, reason: "bench" });
  if (!log.state) throw new Error("no state");
  return { log: log.envelopes, state: log.state };
}

function configFor(repo: string, id: string): BubbleConfig {
  const made = check(Schema, {
    id,
    repo_path: repo,
    base_branch: "main",
    bubble_branch: `bubble/${id}`,
    agents: { implementer: "codex", reviewer: "claude" },
  });
  if (!made.ok) throw new Error(JSON.stringify(made.issues));
  return made.value;
}

/** Writes the bubble as files, with a fresh cache; returns what `pass` needs in its environment. */
export async function write(
  lab: Lab,
  id: string,
  messages: number,
  isOver = false,
): Promise<{
  transcript: string;
  state: string;
  messages: string;
  env: Record<string, string>;
  lines: number;
}> {
  const { log, state } = grow(lab, id, messages, isOver);
  const folder = await writeRecord(lab.repo, id, { log, state });
  return {
    transcript: join(folder, "transcript.ndjson"),
    state: join(folder, "state.json"),
    messages: join(folder, "artifacts", "messages"),
    env: { PAIRFLOW_TURN: `${id}:t1.1:${secret}`, PAIRFLOW_REPO: lab.repo, PAIRFLOW_BUBBLE: id },
    lines: log.length,
  };
}

/** Envelopes folded in a second of processor time, parsed ones, in core alone. */
export function foldSpeed(lab: Lab, count: number): number {
  const { log } = grow(lab, "fold", count);
  const parsed = log.map((envelope) => parseEnvelope(JSON.parse(JSON.stringify(envelope))) as Envelope);
  let best = 0;
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    let state: State | undefined;
    for (const envelope of parsed) state = evolve(state, envelope);
    const { user, system } = process.cpuUsage(before);
    best = Math.max(best, parsed.length / ((user + system) / 1_000_000));
  }
  return best;
}
