// A bundle as esbuild wrote it, read for what lazy-modules.mjs changes: its modules, and which name means what.
import { createRequire } from "node:module";

// Not by import, which would look through nine megabytes for the names that they export.
export const ts = createRequire(import.meta.url)("typescript");

/** The comment that esbuild puts before the first statement of a module. */
const marker = /^\/\/ ((?:src|node_modules)\/\S+|[\w-]+:\S+)$/m;

/** The parsed bundle: its file, the statements of each module in order, and the symbol of a name. */
export function readBundle(code) {
  const name = "/bundle.js";
  const file = ts.createSourceFile(name, code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const host = {
    getSourceFile: (path) => (path === name ? file : undefined),
    fileExists: (path) => path === name,
    readFile: () => undefined,
    writeFile() {},
    getDefaultLibFileName: () => "lib.d.ts",
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
  };
  const options = { allowJs: true, noLib: true, noResolve: true, target: ts.ScriptTarget.ESNext };
  const checker = ts.createProgram([name], options, host).getTypeChecker();
  return {
    code,
    file,
    modules: modulesOf(file, code),
    symbolOf: (node) => checker.getSymbolAtLocation(node),
    checker,
  };
}

function modulesOf(file, code) {
  const modules = [];
  for (const statement of file.statements) {
    const before = marker.exec(code.slice(statement.getFullStart(), statement.getStart(file)));
    if (before || modules.length === 0) modules.push({ path: before?.[1] ?? "", statements: [] });
    modules.at(-1).statements.push(statement);
  }
  return modules;
}

/** The identifiers that a statement declares at the top level. */
export function listDeclaredNames(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  return isNamed && statement.name ? [statement.name] : [];
}

function boundNames(name) {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) =>
    ts.isOmittedExpression(element) ? [] : boundNames(element.name),
  );
}

/** Calls `found` with each identifier below a node that reads or changes a variable, and with its symbol. */
export function visitUses({ checker }, node, names, found) {
  if (ts.isIdentifier(node) && names.has(node.escapedText)) {
    if (isShorthand(node)) found(node, checker.getShorthandAssignmentValueSymbol(node.parent));
    else if (!isOnlyAName(node)) found(node, checker.getSymbolAtLocation(node));
  }
  ts.forEachChild(node, (child) => visitUses({ checker }, child, names, found));
}

/** `{ name }`, which is both the name of a property and a use of a variable. */
export function isShorthand(node) {
  return ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node;
}

/** The name of a property, of a label or of something declared: no use of a variable. */
function isOnlyAName(node) {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.name === node || parent.propertyName === node;
  if (ts.isBreakOrContinueStatement(parent) || ts.isLabeledStatement(parent)) return true;
  return parent.name === node;
}

/** Whether a use gives its variable another value. */
export function isAssigned(node) {
  const { parent } = node;
  const { PlusPlusToken, MinusMinusToken, FirstAssignment, LastAssignment } = ts.SyntaxKind;
  if (ts.isPostfixUnaryExpression(parent)) return true;
  if (ts.isPrefixUnaryExpression(parent)) return [PlusPlusToken, MinusMinusToken].includes(parent.operator);
  if (!ts.isBinaryExpression(parent) || parent.left !== node) return false;
  return parent.operatorToken.kind >= FirstAssignment && parent.operatorToken.kind <= LastAssignment;
}
