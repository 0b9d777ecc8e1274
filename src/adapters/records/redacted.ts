// Records that keep secrets out of artifacts: every text is redacted before it is stored, from any caller.
import { isUtf8 } from "node:buffer";
import type { Records } from "../../ports/record/records.ts";

/** The same records; artifacts hold no secret. Files that are no text are stored as they are. */
export function createRedactedRecords(records: Records, redact: (text: string) => string): Records {
  return {
    ...records,
    put: (bubble, name, content) => records.put(bubble, redact(name), redactContent(content, redact)),
  };
}

function redactContent(content: string | Uint8Array, redact: (text: string) => string): string | Uint8Array {
  if (typeof content === "string") return redact(content);
  if (content.includes(0)) return content;
  // Text in some other alphabet survives as single bytes: what is not redacted stays as it was.
  const encoding = isUtf8(content) ? "utf8" : "latin1";
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString(encoding);
  const clean = redact(text);
  return clean === text ? content : Buffer.from(clean, encoding);
}
