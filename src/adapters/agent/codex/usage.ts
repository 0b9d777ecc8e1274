// What a turn of Codex uses. Its figures grow with the thread, across processes; each sub-agent has a thread of its own.
import type { Usage } from "../../../core/model/record/usage.ts";
import { type Fields, toAmount, toFields, toText } from "./wire.ts";

interface Tokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

const none: Tokens = { input: 0, cached: 0, output: 0 };

export class Meter {
  private readonly before = new Map<string, Tokens>();
  private readonly now = new Map<string, Tokens>();
  private context: number | undefined;

  /** Takes in one report; undefined when it only tells what was there before. */
  read(params: Fields, thread: string, turn: string | undefined): Usage | undefined {
    const id = toText(params.threadId);
    const usage = toFields(params.tokenUsage);
    const total = readTokens(usage.total);
    // A thread that continues begins with the figures of its last turn.
    if (id === thread && params.turnId !== turn) {
      this.before.set(id, total);
      return undefined;
    }
    if (!this.before.has(id)) this.before.set(id, subtractTokens(total, readTokens(usage.last)));
    this.now.set(id, total);
    const window = toAmount(usage.modelContextWindow);
    if (id === thread && window > 0)
      this.context = Math.min(1, toAmount(toFields(usage.last).totalTokens) / window);
    return this.sum();
  }

  private sum(): Usage {
    const used = [...this.now].map(([id, total]) => subtractTokens(total, this.before.get(id) ?? none));
    const { input, cached, output } = used.reduce(addTokens, none);
    return { input, cached, output, ...(this.context === undefined ? {} : { context: this.context }) };
  }
}

function readTokens(value: unknown): Tokens {
  const { inputTokens, cachedInputTokens, outputTokens } = toFields(value);
  return {
    input: toAmount(inputTokens),
    cached: toAmount(cachedInputTokens),
    output: toAmount(outputTokens),
  };
}

const addTokens = (a: Tokens, b: Tokens): Tokens => ({
  input: a.input + b.input,
  cached: a.cached + b.cached,
  output: a.output + b.output,
});

const subtractTokens = (a: Tokens, b: Tokens): Tokens => ({
  input: Math.max(0, a.input - b.input),
  cached: Math.max(0, a.cached - b.cached),
  output: Math.max(0, a.output - b.output),
});
