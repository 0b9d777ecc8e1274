// A request and its answer as plain values, so that every answer can be tested without a port.

export interface PageRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** The process at the other end, asked only where it matters. */
  readonly peer: () => number | undefined;
}

export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** A stream of events; `open` gets a way to send and returns what ends it. */
export interface StreamAnswer {
  readonly status: 200;
  readonly headers: Readonly<Record<string, string>>;
  readonly open: (send: (text: string) => void) => () => void;
}

export type PageAnswer = WholeAnswer | StreamAnswer;

export const isStream = (answer: PageAnswer): answer is StreamAnswer => "open" in answer;
