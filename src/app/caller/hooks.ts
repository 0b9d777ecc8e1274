// What hooks inside an agent's session tell: that it lives, under which id its CLI keeps the session, that a dialog
// waits in its pane, and that it is idle. An agent that rests without having handed over is reminded, twice; then
// its attempt is over. Hooks are sensors: what follows is the referee's business.
import { nodeHash } from "../../adapters/clock/node.ts";
import type { Actor } from "../../core/model/command.ts";
import type { Turn } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import { keepStart } from "../../core/model/value/sizes.ts";
import { handle, loadGood } from "../../engine/front/command.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { locateBubble } from "../host/locate.ts";
import { createRecordWorld } from "../record/world.ts";

type AgentActor = Extract<Actor, { kind: "agent" }>;

/** The part of a hook's input that is understood; both big CLIs use these words. */
export interface HookInput {
  readonly hook_event_name?: unknown;
  readonly session_id?: unknown;
  readonly transcript_path?: unknown;
  readonly tool_name?: unknown;
  readonly tool_input?: unknown;
  readonly message?: unknown;
  readonly notification_type?: unknown;
}

const maxReminders = 2;

const reminder =
  "You have not handed over yet. Finish what is missing, then end your turn with exactly one tool of the MCP server pairflow " +
  "(pass, submit_review, converged or ask_human), or the same verb of the pairflow command.";

/** Takes in one event; returns what the hook prints for the CLI, or nothing. */
export async function takeHook(
  world: RecordWorld,
  bubble: string,
  actor: AgentActor | undefined,
  input: HookInput,
  awaitsTools = false,
): Promise<string> {
  await world.runtime.sign(bubble);
  if (!atWork.includes(input.hook_event_name)) await world.runtime.note(bubble, "read", world.clock.now());
  const { state } = await loadGood(world, bubble);
  const turn = state?.turn;
  if (!actor || !state || !turn || turn.capability !== actor.capability || turn.attempt !== actor.attempt)
    return "";
  const say = <T extends object>(command: T) =>
    handle(world, bubble, { actor, turn: turn.id, attempt: turn.attempt, ...command } as never);
  await keepSession(world, bubble, turn, input, say);
  await keepRest(world, bubble, turn, input.hook_event_name);
  switch (input.hook_event_name) {
    case "SessionStart":
      if (awaitsTools) await waitUntilToolsKnown(world, bubble, `tools.${turn.id}.${turn.attempt}`);
      return "";
    case "PermissionRequest":
      await say({ type: "turn-waiting", what: describeTool(input) });
      return "";
    case "Notification":
      if (input.notification_type === "permission_prompt" && !turn.waitsFor)
        await say({ type: "turn-waiting", what: String(input.message ?? "a dialog waits") });
      return "";
    case "Stop":
      if (turn.waitsFor) await say({ type: "turn-waiting", what: null });
      return rest(world, state, turn, say);
    default:
      if (turn.waitsFor) await say({ type: "turn-waiting", what: null });
      return "";
  }
}

/** Events that say nothing about whether words that were put into the pane have been read. */
const atWork: readonly unknown[] = [
  "SessionStart",
  "PreToolUse",
  "PostToolUse",
  "PermissionRequest",
  "Notification",
  "Stop",
];

/** Whether it rests now, and when it last took words in. */
async function keepRest(world: RecordWorld, bubble: string, turn: Turn, event: unknown): Promise<void> {
  if (event === "Notification" || event === "SessionStart") return;
  await world.runtime.note(bubble, "rests", event === "Stop" ? `${turn.id}.${turn.attempt}` : "");
}

const toolsMs = 10_000;

/** Some screens send their first request before the MCP server is connected: the model would not know how to answer. */
async function waitUntilToolsKnown(world: RecordWorld, bubble: string, note: string): Promise<void> {
  for (let waited = 0; waited < toolsMs && !(await world.runtime.noted(bubble, note)); waited += 25)
    await world.clock.sleep(25);
}

type Say = (command: object) => Promise<unknown>;

/** The CLI's own id of the session, and where it keeps its figures. */
async function keepSession(
  world: RecordWorld,
  bubble: string,
  turn: Turn,
  { session_id: session, transcript_path: transcript }: HookInput,
  say: Say,
): Promise<void> {
  if (typeof session === "string" && session !== turn.session && /^[\w-]{1,100}$/.test(session))
    await say({ type: "turn-session", session });
  if (typeof transcript === "string")
    await world.runtime.note(bubble, `transcript.${turn.id}.${turn.attempt}`, transcript);
}

function describeTool({ tool_name: tool, tool_input: given }: HookInput): string {
  const input = typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
  const words = input.command ?? input.file_path ?? input.url ?? input.description ?? "";
  return `${String(tool ?? "a tool")}${words ? `: ${keepStart(String(words), 300)}` : ""}`;
}

/** It is idle. Waiting for an answer or having handed over is fine; anything else is not. */
async function rest(world: RecordWorld, state: State, turn: Turn, say: Say): Promise<string> {
  const attempt = `${turn.id}.${turn.attempt}`;
  // Its question is open, or the answer is on its way to it.
  const hasAsked = [...state.questions, ...state.deliveries].some((one) => one.turn === turn.id);
  if (turn.status !== "running" || hasAsked || state.lifecycle !== "RUNNING") return "";
  const key = `reminded.${attempt}`;
  const reminded = Number((await world.runtime.noted(state.bubbleId, key)) ?? 0);
  if (reminded < maxReminders) {
    await world.runtime.note(state.bubbleId, key, String(reminded + 1));
    return JSON.stringify({ decision: "block", reason: reminder });
  }
  await say({
    type: "turn-ended",
    outcome: "garbage",
    detail: `it came to rest without handing over, although it was reminded ${maxReminders} times`,
  });
  return "";
}

/** Takes in an event of the session that this process belongs to: here, or by the driver where the record is out of reach. */
export async function tellHook(
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
  input: HookInput,
  awaitsTools: boolean,
): Promise<string> {
  const [, bubble = "", turn = "", attempt = "0", secret = ""] =
    /^([^:]+):(t\d+)\.(\d+):([\w-]+)$/.exec(env.PAIRFLOW_TURN ?? "") ?? [];
  const speaker = { kind: "agent", turn, attempt: Number(attempt) } as const;
  if (bubble && env.PAIRFLOW_VERBS) {
    const { tellDriver } = await import("./sandbox-client.ts");
    const question = { bubble, actor: { ...speaker, secret }, hook: { ...input }, awaitsTools };
    return tellDriver(env.PAIRFLOW_VERBS, question);
  }
  const located = locateBubble({}, cwd, env);
  const actor = bubble ? { ...speaker, capability: nodeHash.sha256(secret) } : undefined;
  return takeHook(createRecordWorld(located.repo), located.bubble, actor, input, awaitsTools);
}
