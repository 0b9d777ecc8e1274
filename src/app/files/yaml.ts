// Reading a YAML file strictly: duplicate keys, odd tags and second documents are errors, and every value knows its
// line and column.
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { isDeepValue, tooDeep } from "../../core/text/json.ts";
import { describeYamlProblem } from "../../core/text/yaml-problems.ts";
import { buildUsageError } from "../host/usage.ts";
import { findBuiltValue } from "./from-build.ts";
import { formatFileSpot, type LocateProblem, type PathPart, type Spot, type ValuePath } from "./problems.ts";

export interface YamlFile {
  readonly value: unknown;
  readonly places: LocateProblem;
}

/** Files of settings are short; far longer ones are a mistake, and slow to read. */
const longest = 16 * 1024;
/** More of what is wrong than a person reads at once. */
const most = 20;

/** Throws a usage error with the given code and file:line:column when the text is not one clean document. */
export function readYaml(text: string, file: string, code: string, limit = longest): YamlFile {
  const value = findBuiltValue(text);
  if (value === undefined) return parseYaml(text, file, code, limit);
  return { value, places: (path, part) => parseYaml(text, file, code, limit).places(path, part) };
}

function parseYaml(text: string, file: string, code: string, limit: number): YamlFile {
  const lineCounter = new LineCounter();
  if (text.length > limit)
    throw buildUsageError(code, `${file}: it has ${text.length} characters, ${limit} are read at most`);
  const document = guardParser(() => parseYamlDocument(text, lineCounter), file, code);
  const spot = (offset: number): Spot => {
    const { line, col } = lineCounter.linePos(offset);
    return { line, column: col };
  };
  const wrong = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  const [message, ...details] = wrong.map(
    (error) => `${formatFileSpot(file, spot(error.pos[0]))}: ${describeYamlProblem(error)}`,
  );
  if (message) throw buildUsageError(code, message, undefined, details.slice(0, most));
  // Aliases that multiply beyond all measure are only noticed here.
  const value: unknown = guardParser(() => document.toJS(), file, code);
  if (isDeepValue(value)) throw buildUsageError(code, `${file}: ${tooDeep}`);
  return {
    value,
    places: (path, part) => {
      const offset = findOffset(document, path, part);
      return offset === undefined ? undefined : spot(offset);
    },
  };
}

/** What a key that is a list would be called is nobody's business: such a key is unknown anyway. */
const parseYamlDocument = (text: string, lineCounter: LineCounter) =>
  parseDocument(text, { lineCounter, merge: true, prettyErrors: false, logLevel: "error" });

/** What the parser throws itself, such as at what is nested without end, is a fault of the file. */
function guardParser<T>(read: () => T, file: string, code: string): T {
  try {
    return read();
  } catch (error) {
    throw buildUsageError(code, `${file}: ${describeYamlProblem(error as Error)}`);
  }
}

function findOffset(document: Document.Parsed, path: ValuePath, part: PathPart): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const word of path) {
    const step = findBelow(isAlias(node) ? node.resolve(document) : node, word);
    if (!step) break;
    const key = findStart(step.key);
    const value = findStart(step.value) ?? key;
    offset = part === "key" ? (key ?? value) : value;
    node = step.value;
  }
  return offset;
}

function findBelow(node: unknown, word: string | number): { key?: unknown; value: unknown } | undefined {
  if (isSeq(node))
    return typeof word === "number" && word < node.items.length ? { value: node.items[word] } : undefined;
  if (!isMap(node)) return undefined;
  return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(word));
}

const findStart = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0];
