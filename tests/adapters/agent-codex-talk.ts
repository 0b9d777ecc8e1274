// Conversations with Codex without Codex: real lines in, events and sent lines out.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createCodexAgent } from "../../src/adapters/agent/codex/adapter.ts";
import type { Conversation, TurnEvent, TurnRequest } from "../../src/ports/agent/adapter.ts";

export interface Talk {
  readonly events: TurnEvent[];
  readonly sent: Record<string, unknown>[];
  readonly conversation: Conversation;
}

/** A conversation that has begun. */
export function talk(more: Partial<TurnRequest> = {}): Talk {
  const events: TurnEvent[] = [];
  const sent: Record<string, unknown>[] = [];
  const conversation = createCodexAgent({ command: ["pairflow"] })
    .headless({
      settings: { adapter: "codex" },
      ...{ agent: "codex", role: "implementer", session: "thread-1", fresh: true, readOnly: false },
      ...{ notice: "Read it.", prompt: "The whole prompt.", promptFile: "/bubble/prompt.md" },
      ...{ answerSchema: { type: "object" }, worktree: "/bubble/worktree", out: "/bubble/out" },
      ...more,
    })
    .converse({
      send: (line) => void sent.push(JSON.parse(line) as Record<string, unknown>),
      happened: (event) => void events.push(event),
    });
  conversation.begin();
  return { events, sent, conversation };
}

/** The lines of a real run. */
export function linesOf(name: string): string[] {
  const file = join(import.meta.dirname, "..", "fixtures", "cli", `codex-${name}.ndjson`);
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

/** A conversation that has heard all lines of a real run. */
export function heard(name: string, more: Partial<TurnRequest> = {}): Talk {
  const one = talk(more);
  for (const line of linesOf(name)) one.conversation.heard(line);
  return one;
}

export const over = ({ events }: Talk) => events.filter(({ type }) => type === "over");
export const methods = ({ sent }: Talk) => sent.map(({ method }) => method);
