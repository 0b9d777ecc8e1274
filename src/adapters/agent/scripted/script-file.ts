// Script files on disk: YAML (and so JSON too), with every problem at its line and column.
import { readFileSync } from "node:fs";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { describeYamlProblem } from "../../../core/text/yaml-problems.ts";
import { checkScript, type Script, type ScriptProblem } from "./script.ts";

export type ReadScript =
  | { readonly ok: true; readonly script: Script }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads and checks a script. Problems are whole lines: file, line, column, what is wrong. */
export function readScript(file: string): ReadScript {
  try {
    return parseScript(readFileSync(file, "utf8"), file);
  } catch (error) {
    return { ok: false, problems: [`${file}: ${explainReadError(error as NodeJS.ErrnoException)}`] };
  }
}

/** What the parser throws at an alias without an anchor has no place; what the system says has a code. */
const explainReadError = (error: NodeJS.ErrnoException): string =>
  error.syscall ? error.message : describeYamlProblem(error);

/** As `readScript`, for a text that `file` names. */
export function parseScript(text: string, file: string): ReadScript {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0)
    return {
      ok: false,
      problems: document.errors.map((error) => `${place(error.pos[0])}: ${describeYamlProblem(error)}`),
    };
  const checked = checkScript(document.toJS());
  if (checked.ok) return { ok: true, script: checked.value };
  return { ok: false, problems: checked.problems.map((problem) => describe(problem, document, place)) };
}

function describe(
  { path, message }: ScriptProblem,
  document: Document,
  place: (offset: number) => string,
): string {
  const where = path.map((key) => (typeof key === "number" ? `[${key + 1}]` : `.${key}`)).join("");
  return `${place(getOffset(document, path))}: ${where.replace(/^\./, "")}${where ? ": " : ""}${message}`;
}

/** Where the value of a path stands; for a value that is missing, the nearest thing around it. */
function getOffset(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
