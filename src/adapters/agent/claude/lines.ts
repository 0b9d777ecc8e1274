// What Claude Code prints as JSON lines, as far as anything depends on it. Other lines and fields come with every
// version; what is not described here is passed over.

import * as v from "valibot";
import { parseJson } from "../../../core/text/json.ts";

/** A figure that cannot be one is left out, and the line it stands in still counts. */
const amount = v.pipe(v.number(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));
const count = v.fallback(v.optional(amount, 0), 0);
const text = v.nullish(v.string());

const Tokens = v.looseObject({
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens: count,
});

const ModelUsage = v.looseObject({
  inputTokens: count,
  outputTokens: count,
  cacheReadInputTokens: count,
  cacheCreationInputTokens: count,
  contextWindow: v.fallback(v.optional(amount), undefined),
});

const Block = v.looseObject({
  type: v.string(),
  text: v.optional(v.string()),
  name: v.optional(v.string()),
  input: v.optional(v.unknown()),
});

const System = v.looseObject({
  type: v.literal("system"),
  subtype: v.string(),
  session_id: v.optional(v.string()),
  model: v.optional(v.string()),
  tool_name: v.optional(v.string()),
  message: v.optional(v.unknown()),
  attempt: v.optional(v.number()),
  max_retries: v.optional(v.number()),
  error: text,
});

const Assistant = v.looseObject({
  type: v.literal("assistant"),
  /** Not null inside a subagent. */
  parent_tool_use_id: text,
  /** A word for what went wrong with the API; the message is then not the model's. */
  error: text,
  message: v.looseObject({
    id: v.optional(v.string(), ""),
    content: v.array(Block),
    usage: v.optional(Tokens),
  }),
});
export type Assistant = v.InferOutput<typeof Assistant>;

const RateLimit = v.looseObject({
  type: v.literal("rate_limit_event"),
  rate_limit_info: v.looseObject({ status: v.optional(v.string()), resetsAt: v.nullish(v.number()) }),
});

const ControlRequest = v.looseObject({
  type: v.literal("control_request"),
  request_id: v.string(),
  request: v.looseObject({
    subtype: v.string(),
    tool_name: v.optional(v.string(), "a tool"),
    input: v.optional(v.looseObject({}), {}),
    description: text,
    decision_reason: text,
  }),
});
export type ControlRequest = v.InferOutput<typeof ControlRequest>;

const Cancelled = v.looseObject({ type: v.literal("control_cancel_request"), request_id: v.string() });

const ClaudeResult = v.looseObject({
  type: v.literal("result"),
  subtype: v.string(),
  is_error: v.optional(v.boolean(), false),
  api_error_status: v.nullish(v.number()),
  result: text,
  structured_output: v.optional(v.unknown()),
  terminal_reason: text,
  total_cost_usd: v.fallback(v.optional(amount), undefined),
  usage: v.optional(Tokens),
  modelUsage: v.optional(v.record(v.string(), ModelUsage)),
  permission_denials: v.optional(v.array(v.looseObject({ tool_name: v.string() })), []),
  errors: v.optional(v.array(v.string()), []),
});
export type ClaudeResult = v.InferOutput<typeof ClaudeResult>;

const ClaudeLine = v.variant("type", [System, Assistant, RateLimit, ControlRequest, Cancelled, ClaudeResult]);
export type ClaudeLine = v.InferOutput<typeof ClaudeLine>;

/** The questions of the tool AskUserQuestion. */
export const Questions = v.looseObject({
  questions: v.pipe(
    v.array(
      v.looseObject({
        question: v.pipe(v.string(), v.minLength(1)),
        header: v.optional(v.string()),
        multiSelect: v.optional(v.boolean(), false),
        options: v.optional(
          v.array(v.looseObject({ label: v.string(), description: v.optional(v.string()) })),
          [],
        ),
      }),
    ),
    v.minLength(1),
  ),
});

/** One line understood, or undefined: no JSON, cut off, or of a kind that nobody needs. */
export function readClaudeLine(line: string): ClaudeLine | undefined {
  let given: unknown;
  try {
    given = parseJson(line);
  } catch {
    return undefined;
  }
  const read = v.safeParse(ClaudeLine, given);
  return read.success ? read.output : undefined;
}
