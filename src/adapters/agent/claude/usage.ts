// What a turn of Claude Code used. The figures while it works are the model's input alone, for the output stands only
// in the result; the result counts everything its process did, subagents and side requests included.
import type { Usage } from "../../../core/model/record/usage.ts";
import type { Assistant, ClaudeResult } from "./lines.ts";

/** Adds up the lines of one process. */
export class UsageCount {
  private readonly seen = new Set<string>();
  private input = 0;
  private cached = 0;
  private output = 0;
  private lastInput = 0;

  /** The sum with one more message; undefined where the message was counted before or is none of the model's. */
  add({ message, parent_tool_use_id, error }: Assistant): Usage | undefined {
    const { usage, id } = message;
    if (!usage || error || this.seen.has(id)) return undefined;
    this.seen.add(id);
    const read = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
    this.input += read;
    this.cached += usage.cache_read_input_tokens;
    this.output += usage.output_tokens;
    if (parent_tool_use_id == null) this.lastInput = read;
    return { input: this.input, cached: this.cached, output: this.output };
  }

  /** The figures of the result, which are the right ones; `model` is the one that the session began with. */
  total(result: ClaudeResult, model: string | undefined): Usage {
    const models = Object.values(result.modelUsage ?? {});
    const money = result.total_cost_usd === undefined ? {} : { usd: result.total_cost_usd };
    if (models.length === 0) return { ...this.turnAlone(result), ...money };
    const sum = (amount: (one: (typeof models)[number]) => number) =>
      models.reduce((all, one) => all + amount(one), 0);
    const window = result.modelUsage?.[model ?? ""]?.contextWindow ?? models[0]?.contextWindow;
    return {
      input: sum((one) => one.inputTokens + one.cacheCreationInputTokens + one.cacheReadInputTokens),
      cached: sum((one) => one.cacheReadInputTokens),
      output: sum((one) => one.outputTokens),
      ...money,
      ...(window && this.lastInput > 0 ? { context: Math.min(1, this.lastInput / window) } : {}),
    };
  }

  private turnAlone({ usage }: ClaudeResult): Usage {
    if (!usage) return { input: this.input, cached: this.cached, output: this.output };
    const read = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
    return { input: read, cached: usage.cache_read_input_tokens, output: usage.output_tokens };
  }
}
