// What a program on a screen printed last, as lines that a person can read. A screen draws frames, spinners and the same
// lines again and again; none of that says why it ended.
import { clip } from "../model/value/sizes.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is replaced
const moves = /\u001b\[[0-9;?]*[ABEFGHJKSTdf]|\r\n?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the cursor goes over cells that are empty
const steps = /\u001b\[[0-9]*C/g;
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is removed
  /\u001b\[[0-9;?<>=]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[()*+][A-Za-z0-9]|\u001b.|[\u0000-\u0008\u000b-\u001f\u007f]/g;
/** Frames, blocks and the dots of spinners. */
const drawing = /[\u2500-\u259f\u2800-\u28ff]+/g;
/** Two letters or digits one after the other: less is a mark of a spinner or a frame. */
const saysSomething = /[\p{L}\p{N}]{2}/u;

const longestLine = 200;
const mostLines = 8;

const squeezeSpaces = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The last whole lines, oldest first and each once, at most `room` characters; what we put on the screen ourselves is left out. */
export function extractLastLines(output: string, room: number, own = ""): string {
  const ours = squeezeSpaces(own);
  const kept: string[] = [];
  let used = 0;
  for (const line of listReadableLines(output).reverse()) {
    if (kept.includes(line) || isOurs(line, ours)) continue;
    used += line.length + 1;
    if (used > room || kept.length >= mostLines) break;
    kept.push(line);
  }
  return kept.reverse().join("\n");
}

function listReadableLines(output: string): string[] {
  const plain = output.replace(moves, "\n").replace(steps, " ").replace(controls, "").replace(drawing, " ");
  return plain
    .split("\n")
    .map((line) => clip(squeezeSpaces(line), longestLine))
    .filter((line) => saysSomething.test(line));
}

/** A screen breaks the words it was started with into lines of its own width, behind a mark such as >. */
function isOurs(line: string, ours: string): boolean {
  const words = line.replace(/^[^\p{L}\p{N}[]+/u, "");
  return ours !== "" && words.length >= 3 && ours.includes(words);
}
