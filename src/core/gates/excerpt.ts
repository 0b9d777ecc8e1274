// What of a gate's output goes into prompts: its head and its tail within a budget, whole lines, colours removed.

const budget = 6000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is removed
const escapes = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007|[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

export function excerptOf(output: string): string {
  const plain = output.replaceAll("\r\n", "\n").replace(escapes, "").trimEnd();
  if (plain.length <= budget) return plain;
  const head = plain.slice(0, budget / 3);
  const tail = plain.slice(-(budget * 2) / 3);
  const cut = plain.length - head.length - tail.length;
  return `${head.slice(0, head.lastIndexOf("\n") + 1 || head.length)}\n[… ${cut} characters left out …]\n${tail.slice(tail.indexOf("\n") + 1)}`;
}
