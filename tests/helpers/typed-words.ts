// Whether a test types a command: its words stand there as arguments, one behind the other.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

export function isTypedIn(test: string, words: readonly string[]): boolean {
  const path = resolve(root, test);
  if (!existsSync(path)) return false;
  const inside = words.map((word) => `["'\\s\`(]${quote(word)}["'\\s\`]`).join("[,\\s(]*");
  return new RegExp(inside).test(readFileSync(path, "utf8"));
}

const quote = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
