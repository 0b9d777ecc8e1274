// What an agent tells while it works: the text of its newest message, its tools, and how full its context is.
import type { SessionNotification } from "@agentclientprotocol/sdk";
import type { PromptResponse } from "@agentclientprotocol/sdk/unstable";
import * as v from "valibot";
import { getToolName, ToolCall } from "./permission.ts";
import { ContextWindow } from "./usage.ts";
import { defineReader } from "./wire.ts";

const Notification = defineReader<SessionNotification>()(
  v.looseObject({ sessionId: v.string(), update: v.looseObject({ sessionUpdate: v.string() }) }),
);
const Chunk = v.looseObject({
  messageId: v.nullish(v.string()),
  content: v.looseObject({ type: v.literal("text"), text: v.string() }),
});
const Plan = v.looseObject({
  entries: v.array(v.looseObject({ content: v.string(), status: v.string() })),
});
/** How codex-acp announces that it asks its model once more; the protocol has no word of its own for it. */
const Retry = v.looseObject({
  _meta: v.looseObject({
    codex: v.looseObject({
      error: v.looseObject({
        message: v.string(),
        additionalDetails: v.nullish(v.string()),
        willRetry: v.literal(true),
      }),
    }),
  }),
});
export const Prompted = defineReader<PromptResponse>()(
  v.looseObject({ stopReason: v.string(), usage: v.optional(v.unknown()), _meta: v.optional(v.unknown()) }),
);

/** Updates that only a model which answers brings about. */
const answering = new Set(["agent_message_chunk", "agent_thought_chunk", "tool_call", "plan"]);

export interface Updates {
  heard(params: unknown): void;
  /** From now on what is heard counts; before, an agent that loads a session repeats its history. */
  beginTurn(): void;
  /** How many were heard, whether they count or not. */
  heardSoFar(): number;
  /** The newest message of the agent. */
  message(): string;
  /** Everything told so far about a tool call. */
  toolCall(newest: ToolCall): ToolCall;
  /** What its figures are to be measured by. */
  seen(): { readonly usedTools: boolean; readonly window: ContextWindow | undefined };
}

/** `retries`: the agent could not get an answer from its model and tries again, for these reasons in a row. */
export function createUpdates(
  doing: (text: string) => void,
  retries: (reasons: readonly string[]) => void,
): Updates {
  let reasons: readonly string[] = [];
  const tools = new Map<string, ToolCall>();
  let counts = false;
  let heardSoFar = 0;
  let message = { id: undefined as string | undefined, text: "", isWhole: true };
  let window: ContextWindow | undefined;

  // Without message ids, something else in between is what tells two messages apart.
  const endMessage = () => {
    message = { ...message, isWhole: true };
  };

  const toolCall = (newest: ToolCall): ToolCall => {
    endMessage();
    const before = tools.get(newest.toolCallId);
    const told = Object.entries(newest).filter(([, value]) => value !== undefined && value !== null);
    const known = { ...before, ...Object.fromEntries(told) } as ToolCall;
    tools.set(newest.toolCallId, known);
    if (!before) doing(getToolName(known));
    return known;
  };

  const hearOfTool = (update: unknown) => {
    const tool = v.safeParse(ToolCall, update);
    if (tool.success) toolCall(tool.output);
  };

  const say = (update: unknown) => {
    const chunk = v.safeParse(Chunk, update);
    if (!chunk.success) return;
    const id = chunk.output.messageId ?? undefined;
    const isContinued = message.id === id && (id !== undefined || !message.isWhole);
    message = { id, text: `${isContinued ? message.text : ""}${chunk.output.content.text}`, isWhole: false };
  };

  const hearOfRetry = (update: unknown) => {
    const retry = v.safeParse(Retry, update);
    if (!retry.success) return;
    const { message: words, additionalDetails } = retry.output._meta.codex.error;
    reasons = [...reasons, additionalDetails || words];
    doing(`tries again: ${reasons.at(-1)}`);
    retries(reasons);
  };

  const readers = new Map<string, (update: unknown) => void>([
    ["agent_message_chunk", say],
    ["agent_thought_chunk", endMessage],
    ["tool_call", hearOfTool],
    ["tool_call_update", hearOfTool],
    ["session_info_update", hearOfRetry],
    [
      "plan",
      (update) => {
        endMessage();
        const plan = v.safeParse(Plan, update);
        const now = plan.success && plan.output.entries.find(({ status }) => status === "in_progress");
        if (now) doing(now.content);
      },
    ],
    [
      "usage_update",
      (update) => {
        const given = v.safeParse(ContextWindow, update);
        if (given.success) window = given.output;
      },
    ],
  ]);

  return {
    heard(params) {
      heardSoFar += 1;
      const told = v.safeParse(Notification, params);
      if (!counts || !told.success) return;
      const { update } = told.output;
      if (answering.has(update.sessionUpdate)) reasons = [];
      readers.get(update.sessionUpdate)?.(update);
    },
    beginTurn() {
      counts = true;
    },
    heardSoFar: () => heardSoFar,
    message: () => message.text,
    toolCall,
    seen: () => ({ usedTools: tools.size > 0, window }),
  };
}
