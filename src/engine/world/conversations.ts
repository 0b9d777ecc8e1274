// The conversations of this driver with agents without a terminal, by the work they do: a human's answer finds the process that
// waits for it, and people who watch see what it is doing.
import type { Conversation } from "../../ports/agent/adapter.ts";

interface Held {
  readonly conversation: Conversation;
  doing?: string;
}

export class Conversations {
  private readonly held = new Map<string, Held>();
  private readonly waiting = new Map<string, ((conversation: Conversation) => void)[]>();

  hold(work: string, conversation: Conversation): void {
    this.held.set(work, { conversation });
    for (const tell of this.waiting.get(work) ?? []) tell(conversation);
    this.waiting.delete(work);
  }

  drop(work: string): void {
    this.held.delete(work);
  }

  does(work: string, doing: string): void {
    const held = this.held.get(work);
    if (held) held.doing = doing;
  }

  /** What the agents are doing, in their own words. */
  get doing(): string[] {
    return [...this.held.values()].flatMap(({ doing }) => (doing ? [doing] : []));
  }

  /** The conversation, as soon as somebody holds it; undefined at the signal. */
  find(work: string, signal: AbortSignal): Promise<Conversation | undefined> {
    const held = this.held.get(work);
    if (held || signal.aborted) return Promise.resolve(held?.conversation);
    return new Promise((resolve) => {
      this.waiting.set(work, [...(this.waiting.get(work) ?? []), resolve]);
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
  }
}
