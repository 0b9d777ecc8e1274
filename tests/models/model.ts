// A model that follows a script: what it is asked comes in the same shape whichever API the CLI speaks, and so does
// what it says. The servers translate.

/** One model request of a CLI, without the API's own dress. */
export interface Asked {
  readonly api: "messages" | "responses";
  /** Counts the requests this model has got, from 1; side requests (titles, summaries) are not counted. */
  readonly nr: number;
  readonly model: string;
  /** Every text of the conversation so far, oldest first, the newest user text or tool result last. */
  readonly texts: readonly string[];
  /** Names of the tools the CLI offers now. */
  readonly tools: readonly string[];
  /** Results of the tools called so far, oldest first. */
  readonly results: readonly { readonly tool: string; readonly text: string; readonly failed: boolean }[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
}

/** What the model answers: words and tool calls, or a failure of the API. */
export type Said =
  | {
      readonly text?: string;
      readonly calls?: readonly ToolCall[];
      readonly usage?: { readonly input: number; readonly output: number };
      /** Waits before the first byte, or between the first event and the rest. */
      readonly delayMs?: number;
      readonly stallMs?: number;
    }
  | {
      readonly error: number;
      readonly type?: string;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

export type Model = (asked: Asked) => Said | Promise<Said>;

/** One API: how its requests are understood and how its answers are written (streamed as server-sent events). */
export interface Dialect {
  /** The path it is served under, e.g. /v1/messages. */
  readonly path: string;
  /** Undefined: a side request (a title, a summary), answered with a few fixed words and not counted. */
  read(body: unknown, headers: Readonly<Record<string, string>>): Omit<Asked, "nr"> | undefined;
  write(
    response: import("node:http").ServerResponse,
    said: Said,
    asked: Omit<Asked, "nr"> | undefined,
  ): Promise<void>;
}
