// Which entries of a tree are texts, and how their bytes become one.
import type { FileText } from "../../ports/record/trees.ts";

/** Of a size that somebody may want to quote from. */
export const maxBytes = 2 * 1024 * 1024;

// Loaded when needed: most verbs of an agent get by without.
const loadCrypto = () => process.getBuiltinModule("node:crypto");

/** A link is a blob too, with a path as its text. */
export const isPlainFile = (mode: string): boolean => /^100/.test(mode);

export function buildText(id: string, text: string): FileText {
  if (text.includes("\0")) return { kind: "other" };
  // Bytes that are no UTF-8 were replaced on the way here, and then the id is that of another text.
  return text.includes("\uFFFD") && getId(text, id.length) !== id
    ? { kind: "other" }
    : { kind: "text", text };
}

/** The id git gives to a file with this text. */
function getId(text: string, length: number): string {
  const algorithm = length === 64 ? "sha256" : "sha1";
  const blob = `blob ${Buffer.byteLength(text)}\0${text}`;
  return loadCrypto().hash(algorithm, blob, "hex");
}
