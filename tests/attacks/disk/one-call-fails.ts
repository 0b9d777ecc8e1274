// One call of one command to the disk fails: which calls there are is learned from a run in which none does. What the
// command says then must be true, and the same command typed again must find a good record and count once.
import { cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordWorld } from "../../../src/app/record/world.ts";
import { verifyBubble } from "../../../src/app/verify/record.ts";
import { createScripted, type Ran, type Rig, rig, shortest } from "../../acceptance/rig.ts";
import { processesOf } from "../../faults/leftovers.ts";
import { hangingTurn, passFlags, waitingQuestion } from "../../faults/scene.ts";
import { type Watch, watched } from "./journaled.ts";

export const codes = ["EMFILE", "ENFILE", "ENOSPC", "EDQUOT", "EIO", "SHORT"] as const;
export type Code = (typeof codes)[number];

const id = "b1";
const key = (tool: Rig) => ["--operator-key", tool.key];

interface Kind {
  readonly scene: "nothing" | "turn" | "question" | "ready" | "approved";
  readonly words: (tool: Rig) => readonly string[];
  /** The line that it puts on the record. */
  readonly line: string;
}

/** Every kind of command that is acknowledged by a line. */
export const kinds: Readonly<Record<string, Kind>> = {
  create: {
    scene: "nothing",
    words: () => ["bubble", "create", "--id", id, "--task", "Make the total right", "--test", "true"],
    line: "BUBBLE_CREATED",
  },
  pass: { scene: "turn", words: () => passFlags, line: "PASS" },
  "ask-human": {
    scene: "turn",
    words: () => ["ask-human", "--question", "Which total?"],
    line: "HUMAN_QUESTION",
  },
  reply: {
    scene: "question",
    words: () => ["bubble", "reply", "--id", id, "--message", "Two"],
    line: "HUMAN_REPLY",
  },
  stop: { scene: "question", words: () => ["bubble", "stop", "--id", id], line: "CANCELLED" },
  "request-rework": {
    scene: "ready",
    words: () => ["bubble", "request-rework", "--id", id, "--message", "In words"],
    line: "APPROVAL_DECISION",
  },
  approve: {
    scene: "ready",
    words: (tool) => ["bubble", "approve", "--id", id, "--yes", ...key(tool)],
    line: "APPROVAL_DECISION",
  },
  commit: {
    scene: "approved",
    words: (tool) => ["bubble", "commit", "--id", id, ...key(tool)],
    line: "COMMITTED",
  },
};

/** Everything but the sockets of drivers, which cannot be copied and are made anew. */
const whole = {
  ...{ recursive: true, verbatimSymlinks: true, preserveTimestamps: true },
  filter: (path: string) => !lstatSync(path).isSocket(),
};

/** A repository in which a command can be typed again and again, as if it were the first time. */
export interface Stage {
  readonly tool: Rig;
  readonly kind: Kind;
  readonly verb: string;
  restore(): void;
  /** Types the command; `nth` of its calls fails. */
  type(fault?: { readonly nth: number; readonly code: Code }): Promise<Ran & { readonly calls: string[] }>;
  close(): Promise<void>;
}

export async function stageOf(verb: string): Promise<Stage> {
  const kind = kinds[verb];
  if (!kind) throw new Error(`no kind ${verb}`);
  const tool = rig();
  const actor = await prepare(tool, kind.scene);
  const kept = mkdtempSync(join(tmpdir(), "pairflow-stage-"));
  cpSync(tool.folder, kept, whole);
  let typed = 0;
  return {
    tool,
    kind,
    verb,
    restore() {
      rmSync(tool.folder, { recursive: true, force: true });
      cpSync(kept, tool.folder, whole);
    },
    async type(fault = { nth: 0, code: "EIO" }) {
      typed += 1;
      const calls = join(tmpdir(), `pairflow-calls-${process.pid}-${typed}`);
      const watch: Watch = { calls, fault: { verb, ...fault }, withoutDrivers: true };
      const done = await watched(actor, watch).run(...kind.words(tool));
      const made = existsSync(calls) ? readFileSync(calls, "utf8").split("\n").slice(0, -1) : [];
      rmSync(calls, { force: true });
      return { ...done, calls: made };
    },
    async close() {
      rmSync(kept, { recursive: true, force: true });
      await tool.close();
    },
  };
}

/** Nobody drives when it is ready; the rig that it returns speaks for whoever types the command. */
async function prepare(tool: Rig, scene: Kind["scene"]): Promise<Rig> {
  if (scene === "nothing") return tool;
  if (scene === "turn") {
    const { agent } = await hangingTurn(tool);
    const { driver } = await tool.status(id);
    for (const pid of [...processesOf(tool).map((one) => one.pid), driver.pid]) end(pid);
    return agent;
  }
  if (scene === "question") {
    await waitingQuestion(tool);
    return tool;
  }
  await createScripted(tool, id, shortest);
  await tool.ok("bubble", "start", "--id", id, "--headless");
  await tool.until(id, ({ driver }) => !driver.alive, "nobody drives");
  if (scene === "approved") await tool.ok("bubble", "approve", "--id", id, "--yes", ...key(tool));
  return tool;
}

function end(pid: number | undefined): void {
  try {
    if (pid) process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** What was wrong with one failing call; empty when every word was true and nothing was lost or doubled. */
export async function problemsOf(stage: Stage, fault: { nth: number; code: Code }): Promise<string[]> {
  stage.restore();
  const first = await stage.type(fault);
  const found = [...sayings(first, linesOf(stage)), ...(await complaints(stage))];
  // What says that it counted is not typed again; its hint is.
  const counted = /The command counted \(line \d+\)/.test(first.stderr);
  if (first.code !== 0 && !counted) {
    const second = await stage.type();
    if (second.code !== 0) found.push(`typed again: ${second.code} ${second.stderr}`);
    found.push(...(await complaints(stage)));
  }
  if (linesOf(stage) !== 1) found.push(`${linesOf(stage)} lines ${stage.kind.line}`);
  return found.map(
    (text) => `${stage.verb}, call ${fault.nth} (${first.calls.at(-1)}) ${fault.code}: ${text}`,
  );
}

/** What it printed against what is on the record. */
function sayings({ code, stderr, stdout }: Ran, lines: number): string[] {
  if (code === 0) return lines === 1 ? [] : [`exit code 0 and ${lines} lines: ${stdout}`];
  const isCoded = /\([a-z]+(?:\.[a-z-]+)+\)/.test(stderr) && !/This is a bug/.test(stderr);
  return [
    ...(isCoded ? [] : [`no code: ${stderr}`]),
    ...(/did not happen/.test(stderr) && lines > 0 ? [`it says that it did not happen: ${stderr}`] : []),
  ];
}

function linesOf({ tool, kind }: Stage): number {
  const path = tool.transcript(id);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const lines = text
    .split("\n")
    .slice(0, -1)
    .filter((line) => line.includes(`"type":"${kind.line}"`));
  const whole = lines.filter((line) => line.startsWith("{") && line.endsWith("}"));
  return kind.line === "HUMAN_QUESTION"
    ? whole.filter((line) => line.includes("Which total?")).length
    : whole.length;
}

async function complaints({ tool }: Stage): Promise<string[]> {
  if (!existsSync(tool.transcript(id))) return [];
  const { errors } = await verifyBubble(createRecordWorld(tool.repo), tool.repo, id);
  // A folder whose creation failed has no line yet; the same command makes it.
  return errors.map(({ message }) => `verify: ${message}`).filter((text) => !text.endsWith("has no line"));
}
