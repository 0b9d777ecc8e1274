// Bodies of requests about keys, and the two spellings of bytes: base64url from browsers, hexadecimal on the record.
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import { check } from "../../core/model/value/validate.ts";
import { tryParseJson } from "../../core/text/json.ts";
import type { PageRequest } from "../http/request.ts";

export const decodeBase64ToHex = (text: string): string => Buffer.from(text, "base64url").toString("hex");
export const encodeHexToBase64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64url");

export function parseBody<T>(
  schema: Parameters<typeof check<T>>[0],
  request: PageRequest,
): { readonly value: T } | { readonly refusal: Refusal } {
  const read = check(schema, tryParseJson(request.body));
  if (read.ok) return { value: read.value };
  const [issue] = read.issues;
  return { refusal: refuse("page.body", `${issue?.path.join(".") || "the body"} ${issue?.message}`) };
}
