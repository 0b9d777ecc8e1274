// Turns with the real ACP agent of these tests: built once, each turn in a folder of its own.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { createAcpAgent } from "../../src/adapters/agent/acp/adapter.ts";
import type { TurnRequest } from "../../src/ports/agent/adapter.ts";
import { buildTurnRequestFor } from "../../src/testing/agent/play.ts";
import { removeAtExit } from "../helpers/commands.ts";
import type { Orders } from "./acp-agent.ts";
import { type Held, hold, type Listener } from "./live-agent.ts";

export const acp = createAcpAgent();

const folder = mkdtempSync(join(tmpdir(), "pf-acp-"));
removeAtExit(folder);

let built: Promise<string> | undefined;

/** The agent as one file that Node runs; its argument is a file with orders. */
export async function program(): Promise<string> {
  built ??= build({
    entryPoints: [join(import.meta.dirname, "acp-agent.ts")],
    outfile: join(folder, "agent.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  }).then(() => join(folder, "agent.mjs"));
  return built;
}

export interface Scene {
  readonly folder: string;
  /** A turn of an agent that has these orders. */
  turn(
    orders: Omit<Orders, "folder">,
    more?: Partial<Omit<TurnRequest, "settings">> & { settings?: Record<string, unknown> },
  ): Promise<TurnRequest>;
  /** What the agent was told, in order. */
  learned(): unknown[];
}

let scenes = 0;

/** A worktree and a place for the agent's sessions. */
export function scene(): Scene {
  scenes += 1;
  const here = join(folder, `scene-${scenes}`);
  const worktree = join(here, "tree");
  const out = join(here, "out");
  for (const one of [worktree, out]) mkdirSync(one, { recursive: true });
  let turns = 0;
  return {
    folder: here,
    async turn(orders, { settings = {}, ...more } = {}) {
      turns += 1;
      const file = join(here, `orders-${turns}.json`);
      writeFileSync(file, JSON.stringify({ folder: here, ...orders }));
      const command = `'${process.execPath}' '${await program()}' '${file}'`;
      return buildTurnRequestFor({ adapter: "acp", command, ...settings }, { worktree, out, ...more });
    },
    learned: () =>
      readFileSync(join(here, "learned.ndjson"), "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}

/** Holds a turn for real; a human's words are the answer to every question. */
export function converse(turn: TurnRequest, humanSays?: string): Promise<Held> {
  return hold(acp, turn, humanSays === undefined ? undefined : answering(() => humanSays));
}

export function answering(words: (question: string) => string): Listener {
  return {
    heard(event, conversation) {
      if (event.type !== "asked") return;
      const answers = event.questions.map(({ id }) => [id, words(id)]);
      conversation.answer(event.id, Object.fromEntries(answers));
    },
  };
}
