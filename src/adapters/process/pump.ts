// A program of a few lines that stands between a command and the file of its output, so that the file stays small: the
// beginning and the end are kept, what was between them is counted. It outlives the driver, and ends with its last writer.

/** What one output takes on disk at most, what is kept of its beginning, and of its end whenever it is cut. */
export const outputLimits = { most: 4 * 1024 * 1024, head: 1024 * 1024, tail: 2 * 1024 * 1024 } as const;

/**
 * Run as `node -e`, with the file and the limits as arguments and the pipe as standard input. Cuts are made at line breaks
 * or, in a very long line, at blanks, and a text without either goes altogether: half a secret is not recognised later.
 */
export const pumpSource = `
const fs = require("node:fs");
const [file, ...limits] = process.argv.slice(1);
const [most, head, tail] = limits.map(Number);
const fd = fs.openSync(file, "a+", 0o600);
let size = fs.fstatSync(fd).size;
let headEnd = -1;
let markSize = 0;
let leftOut = 0;
let skipped = 0;
let isInside = false;

function put(bytes) {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at, bytes.length - at);
  size += bytes.length;
}
function part(from, length) {
  const bytes = Buffer.alloc(length);
  const got = fs.readSync(fd, bytes, 0, length, from);
  return bytes.subarray(0, got);
}
// The end of a key whose beginning is gone would not be known as one.
function withoutHalfKey(bytes) {
  const close = bytes.indexOf("-----END ");
  const open = bytes.indexOf("-----BEGIN ");
  if (close < 0 || (open >= 0 && open < close)) return bytes;
  const line = bytes.indexOf(10, close);
  return line < 0 ? Buffer.alloc(0) : bytes.subarray(line + 1);
}
// The text with the mark in the place of what is left out, and behind it these bytes.
function rewrite(last) {
  leftOut += size - headEnd - markSize - last.length;
  const mark = Buffer.from("\\n[\\u2026 " + leftOut + " bytes left out: of a long output the beginning and the end are kept \\u2026]\\n");
  markSize = mark.length;
  fs.ftruncateSync(fd, headEnd);
  size = headEnd;
  put(mark);
  put(last);
}
function shrink() {
  if (headEnd < 0) {
    const first = part(0, head);
    headEnd = first.lastIndexOf(10) + 1 || first.lastIndexOf(32) + 1;
  }
  const end = part(size - tail, tail);
  const line = end.indexOf(10);
  const cut = line >= 0 ? line : end.indexOf(32);
  isInside = cut < 0;
  rewrite(isInside ? Buffer.alloc(0) : withoutHalfKey(end.subarray(cut + 1)));
}
// What continues with a word whose beginning is gone.
function behindWord(bytes) {
  const ends = [bytes.indexOf(10), bytes.indexOf(32)].filter((at) => at >= 0);
  const end = ends.length > 0 ? Math.min(...ends) + 1 : bytes.length;
  isInside = ends.length === 0;
  skipped += end;
  return bytes.subarray(end);
}
process.stdin.on("data", (bytes) => {
  try {
    put(isInside ? behindWord(bytes) : bytes);
    if (size > most) shrink();
  } catch (error) {
    // A full disk loses output and not the command that prints it.
    if (error.code !== "ENOSPC" && error.code !== "EDQUOT") throw error;
  }
});
process.stdin.on("error", () => process.exit(0));
process.stdin.on("end", () => {
  if (skipped === 0) return;
  leftOut += skipped;
  rewrite(part(headEnd + markSize, size));
});
`;
