// The few kinds of answers there are: a payload, a refusal, bytes of a file.
import { createHash } from "node:crypto";
import type { Refusal } from "../../core/model/refusal.ts";
import type { PageRequest, WholeAnswer } from "./request.ts";

const json = "application/json; charset=utf-8";

/** A refusal in the words of the terminal. */
export function answerRefusal(status: number, refusal: Refusal): WholeAnswer {
  return { status, headers: { "content-type": json }, body: JSON.stringify({ ok: false, ...refusal }) };
}

/** A payload; 304 when the page has the same one already, whenever it was made. */
export function answerPayload(request: PageRequest, at: string, value: object): WholeAnswer {
  const text = JSON.stringify(value);
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  if (request.headers["if-none-match"] === etag) return { status: 304, headers: { etag }, body: "" };
  const body = `{"ok":true,"at":${JSON.stringify(at)},${text.slice(1)}`;
  return { status: 200, headers: { "content-type": json, etag }, body };
}

/** The result of a command; not compared with anything. */
export function answerResult(value: object): WholeAnswer {
  return { status: 200, headers: { "content-type": json }, body: JSON.stringify({ ok: true, ...value }) };
}
