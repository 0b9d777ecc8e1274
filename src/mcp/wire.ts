// What comes in on the wire, line by line, before the library sees it. The library drops what is no message of the
// protocol without a word, and a client that waits for an answer would wait for ever: here each such line is answered
// with a JSON-RPC error, and only messages go through.
import { type Readable, Transform } from "node:stream";
import { isObject } from "../core/schema/absent.ts";
import { isTooDeep, tooDeep } from "../core/text/json.ts";

export interface ErrorReply {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

const codes = { parse: -32700, request: -32600, params: -32602 };

/** Longer than any honest message; what does not end is not kept. */
export const longestLine = 8 * 1024 * 1024;

/** Remembers whether the client has introduced itself. */
export class LineFilter {
  #isOpen = false;

  /** What is wrong with a line, as the reply it gets; undefined when it may go through. */
  check(line: string): ErrorReply | undefined {
    if (line.length > longestLine)
      return reply(null, codes.request, `a message has at most ${longestLine} characters`);
    if (isTooDeep(line)) return reply(null, codes.request, `the message is refused: ${tooDeep}`);
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch (error) {
      return reply(null, codes.parse, `the line is no JSON: ${(error as Error).message}`);
    }
    return this.#checkMessage(message);
  }

  #checkMessage(message: unknown): ErrorReply | undefined {
    if (Array.isArray(message))
      return reply(null, codes.request, "batches are not taken: send one message a line");
    if (typeof message !== "object" || message === null)
      return reply(null, codes.request, "a message is a JSON object");
    const fields = message as Readonly<Record<string, unknown>>;
    // An answer to a question that the server asked; one that is malformed gets no answer in turn.
    if (!("method" in fields) && ("result" in fields || "error" in fields)) return undefined;
    const wrong = findFormProblem(fields);
    return wrong ? reply(buildId(fields), ...wrong) : this.#checkOrder(fields);
  }

  /** Up to version 2025-11-25 a client introduces itself first; later ones do so with each request. */
  #checkOrder(fields: Readonly<Record<string, unknown>>): ErrorReply | undefined {
    const { method } = fields;
    if (method === "initialize" || hasVersion(fields.params)) this.#isOpen = true;
    if (this.#isOpen || method === "ping" || !("id" in fields)) return undefined;
    return reply(
      buildId(fields),
      codes.request,
      `${String(method)} before initialize: send initialize first`,
    );
  }
}

const known = new Set(["jsonrpc", "id", "method", "params"]);

function findFormProblem(
  fields: Readonly<Record<string, unknown>>,
): [code: number, message: string] | undefined {
  const { jsonrpc, id, method, params = {} } = fields;
  if (jsonrpc !== "2.0") return [codes.request, 'jsonrpc must be "2.0"'];
  if (typeof method !== "string") return [codes.request, "method must be a text"];
  if ("id" in fields && typeof id !== "string" && !Number.isSafeInteger(id))
    return [codes.request, "id must be a text or a whole number"];
  const stranger = Object.keys(fields).find((key) => !known.has(key));
  if (stranger !== undefined) return [codes.request, `a request has no field ${stranger}`];
  if (!isObject(params)) return [codes.params, "params must be an object"];
  return "_meta" in params && !isObject(params._meta)
    ? [codes.params, "params._meta must be an object"]
    : undefined;
}

function hasVersion(params: unknown): boolean {
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) && Object.keys(meta).some((key) => key.startsWith("io.modelcontextprotocol/"));
}

function buildId({ id }: Readonly<Record<string, unknown>>): ErrorReply["id"] {
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}

const reply = (id: ErrorReply["id"], code: number, message: string): ErrorReply => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

/** The input without the lines that were answered here. */
export function filterInput(input: Readable, answer: (reply: ErrorReply) => void): Readable {
  const door = new LineFilter();
  const take = (line: string): string => {
    if (line.trim() === "") return "";
    const wrong = door.check(line);
    if (wrong) answer(wrong);
    return wrong ? "" : `${line}\n`;
  };
  return input.setEncoding("utf8").pipe(splitByLine(take));
}

/** A stream that takes text in pieces and passes on the result for each whole line; a line without end is taken once. */
function splitByLine(take: (line: string) => string): Transform {
  let rest = "";
  let isEndless = false;
  const whole = (line: string) => {
    const passed = isEndless ? "" : take(line.replace(/\r$/, ""));
    isEndless = false;
    return passed;
  };
  return new Transform({
    decodeStrings: false,
    transform(piece: string, _, done) {
      const [first = "", ...others] = piece.split("\n");
      rest += first;
      let passed = "";
      for (const next of others) {
        passed += whole(rest);
        rest = next;
      }
      if (rest.length > longestLine) {
        if (!isEndless) take(rest);
        isEndless = true;
        rest = "";
      }
      done(null, passed);
    },
  });
}
