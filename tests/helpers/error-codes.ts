// Every error code of the sources, found where errors are made: refuse("…"), buildUsageError("…"), new Failure("…") and objects
// with a code. A code that is put together from parts becomes a pattern: `*.wrong-state`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** What makes an error, or is told the code to make one with; and which argument says it. */
const makers = new Map([
  ["refuse", 0],
  ["buildUsageError", 0],
  ["Failure", 0],
  ["refuseLearning", 0],
  ["toGitFailure", 0],
  ["buildUnclosedError", 0],
  ["readYaml", 2],
  ["runGitInOwn", 2],
  ["tellGit", 3],
]);
const shape = /^[a-z*][a-z0-9*-]*(\.[a-z0-9*][a-z0-9*-]*)+$/;
/** Not code that a user can meet, and sentences of packages, which docs/reviews.md lists. */
const outside = ["testing", "core/package/sentences"];

export interface Found {
  readonly code: string;
  readonly file: string;
}

/** The codes of the sources, of the page and of the library, each with the first file it is in. Throws when a maker is no longer called anywhere. */
export function findErrorCodes(folder: string): Found[] {
  const found = new Map<string, string>();
  const files = ["src", "web", "lib"].flatMap((room) => sources(folder, room));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  for (const maker of makers.keys())
    if (!texts.includes(`${maker}(`)) throw new Error(`nothing under ${folder} calls ${maker}`);
  for (const file of files) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(folder, file), "utf8"),
      ts.ScriptTarget.Latest,
      true,
    );
    for (const code of codesIn(source)) if (!found.has(code)) found.set(code, file);
  }
  return [...found].map(([code, file]) => ({ code, file })).sort((a, b) => (a.code < b.code ? -1 : 1));
}

function sources(root: string, folder: string): string[] {
  const all = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return all
    .filter((file) => /\.[jt]sx?$/.test(file) && !outside.some((room) => file.startsWith(`${room}/`)))
    .map((file) => `${folder}/${file}`)
    .sort();
}

function codesIn(source: ts.SourceFile): string[] {
  const codes: string[] = [];
  const visit = (node: ts.Node): void => {
    const given = codeOf(node);
    if (given) codes.push(...textsOf(given, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return codes.filter((code) => shape.test(code));
}

/** The expression that says the code, if this node makes an error or hands a code to what does. */
function codeOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const name = ts.isIdentifier(node.expression) ? node.expression.text : "";
    const at = makers.get(name);
    return at === undefined ? undefined : node.arguments?.[at];
  }
  const isCode = ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === "code";
  return isCode ? node.initializer : undefined;
}

/** What an expression can be, as far as it can be read off: literals, choices, templates, names of this file. */
function textsOf(node: ts.Expression, source: ts.SourceFile): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node))
    return [...textsOf(node.whenTrue, source), ...textsOf(node.whenFalse, source)];
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map((span) => `*${span.literal.text}`).join("")];
  if (ts.isBinaryExpression(node)) return [...textsOf(node.left, source), ...textsOf(node.right, source)];
  if (ts.isIdentifier(node)) return constantsOf(node.text, source);
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression))
    return returnsOf(node.expression.text, source);
  return [];
}

function constantsOf(name: string, source: ts.SourceFile): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    const isIt = ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === name;
    if (isIt && node.initializer) texts.push(...textsOf(node.initializer, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

function returnsOf(name: string, source: ts.SourceFile): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node, isInside: boolean): void => {
    const inside = isInside || (ts.isFunctionDeclaration(node) && node.name?.text === name);
    if (inside && ts.isReturnStatement(node) && node.expression)
      texts.push(...textsOf(node.expression, source));
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(source, false);
  return texts;
}
