// One turn held for real with an agent's process: what a driver does, without its files. What was said can be played
// again afterwards.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type {
  AgentAdapter,
  Conversation,
  ProcessExit,
  TurnEvent,
  TurnRequest,
} from "../../src/ports/agent/adapter.ts";

export interface Held {
  /** What the process printed, line by line. */
  readonly lines: readonly string[];
  readonly sent: readonly string[];
  readonly events: readonly TurnEvent[];
  readonly exit: ProcessExit;
}

export interface Listener {
  /** Something happened; the conversation and the process are there to be used. */
  heard(event: TurnEvent, conversation: Conversation, kill: (signal: NodeJS.Signals) => void): void;
}

/** Runs the turn to its end. The process ends with its standard input, or by the listener's hand. */
export async function hold(adapter: AgentAdapter, turn: TurnRequest, listener?: Listener): Promise<Held> {
  const { argv, env, stdin, input = turn.prompt, converse } = adapter.headless(turn);
  const [program = "", ...args] = argv;
  const child = spawn(program, args, {
    cwd: turn.worktree,
    env: { PATH: process.env.PATH ?? "", HOME: turn.out, ...env },
  });
  const held = { lines: [] as string[], sent: [] as string[], events: [] as TurnEvent[] };
  let stderr = "";
  child.stderr.on("data", (piece) => {
    stderr = `${stderr}${piece}`.slice(-4000);
  });
  // A process that is gone already does not read; its end tells all.
  child.stdin.on("error", () => {});
  const conversation = converse({
    send(line) {
      held.sent.push(line);
      child.stdin.write(`${line}\n`);
    },
    happened(event) {
      held.events.push(event);
      if (event.type === "over") child.stdin.end();
      listener?.heard(event, conversation, (signal) => child.kill(signal));
    },
  });
  conversation.begin();
  if (stdin !== "channel") child.stdin.end(stdin === "prompt" ? input : "");
  createInterface({ input: child.stdout }).on("line", (line) => {
    held.lines.push(line);
    conversation.heard(line);
  });
  const [code] = await once(child, "close");
  const exit = { ...(code === null ? {} : { code }), stderr };
  conversation.closed(exit);
  return { ...held, exit };
}
