// What of a gate's output goes into prompts: its head and its tail within a budget, whole lines, colours removed. The
// first error is at the head, the sum at the tail.
import { keepEnd, keepFirstBytes, keepLastBytes, keepStart } from "../../model/value/sizes.ts";

const budget = 6000;
// A title that is set and a byte that moves the cursor are as unwelcome as a colour.
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is removed
  /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** Output without colours and control characters. */
export function stripControlCharacters(output: string): string {
  return output.replaceAll("\r\n", "\n").replace(escapes, "").trimEnd();
}

/** The part of an output that a prompt has room for. */
export function excerptOutput(output: string): string {
  const plain = stripControlCharacters(output);
  if (plain.length <= budget) return plain;
  return cut(plain, keepStart(plain, budget / 3), keepEnd(plain, (budget * 2) / 3));
}

/** Head and tail of an excerpt that must become shorter still, at most so many bytes of it. */
export function keepHeadAndTail(text: string, bytes: number): string {
  if (keepFirstBytes(text, bytes) === text) return text;
  const room = Math.max(0, bytes - 60);
  return cut(
    text,
    keepFirstBytes(text, Math.floor(room / 3)),
    keepLastBytes(text, Math.floor((room * 2) / 3)),
  );
}

/** Both ends with whole lines, as far as there are any, and a word about what is missing. */
function cut(text: string, head: string, end: string): string {
  const left = text.length - head.length - end.length;
  const first = head.slice(0, head.lastIndexOf("\n") + 1 || head.length);
  return `${first}\n[… ${left} characters left out …]\n${end.slice(end.indexOf("\n") + 1) || end}`;
}
