// Constants of a bundle that are made when they are first used, by functions that keep their results: Node's own modules,
// of which crypto and child_process take longer to load than a short command runs, and schemas. A table of schemas builds
// each of its entries by itself: a command reads few types of lines.
import { listDeclaredNames, ts } from "./bundle-scope.mjs";

const library = "node_modules/valibot/";
const leastEntries = 10;

/** What runs in the bundle: an entry of a table becomes a plain value when it has been built. */
export const tableRuntime = `
function __keep(table, key, value) {
  Object.defineProperty(table, key, { value, enumerable: true });
  return value;
}
`;

/** The symbols of constants that have become functions, and the edits that make them so. */
export function makeConstantsLazy(bundle, lazyModules) {
  const builds = schemaFinder(bundle);
  const [symbols, edits] = [new Set(), []];
  for (const module of bundle.modules)
    for (const statement of module.statements) {
      const constant = soleConstant(statement);
      const isSchema = constant && lazyModules.includes(module) && builds(constant.initializer);
      if (isSchema && isTable(constant.initializer, builds))
        edits.push(...lazyEntries(bundle.file, constant.initializer));
      else if (isSchema || (constant && isBuiltin(constant.initializer))) {
        symbols.add(bundle.symbolOf(constant.name));
        edits.push(...lazyConstant(bundle.file, statement, constant));
      }
    }
  return { symbols, edits };
}

/** `require("node:…")`, as it is or in esbuild's wrapper for default imports. */
function isBuiltin(value) {
  if (!ts.isCallExpression(value) || !ts.isIdentifier(value.expression)) return false;
  const [first] = value.arguments;
  if (value.expression.text === "__toESM") return isBuiltin(first);
  return value.expression.text === "require" && ts.isStringLiteral(first) && first.text.startsWith("node:");
}

/** Whether a value calls the schema library when it is made; what functions do in it happens later. */
function schemaFinder({ modules, symbolOf }) {
  const own = modules.filter(({ path }) => path.startsWith(library)).flatMap(({ statements }) => statements);
  const symbols = new Set(own.flatMap(listDeclaredNames).map(symbolOf));
  const names = new Set([...symbols].map((symbol) => symbol.escapedName));
  const isCall = (node) =>
    ts.isCallExpression(node) &&
    names.has(node.expression.escapedText) &&
    symbols.has(symbolOf(node.expression));
  const builds = (node) =>
    isCall(node) ||
    (!ts.isFunctionLike(node) && ts.forEachChild(node, (child) => builds(child) || undefined) === true);
  return builds;
}

function soleConstant(statement) {
  if (!ts.isVariableStatement(statement)) return undefined;
  const [first, second] = statement.declarationList.declarations;
  return second === undefined && ts.isIdentifier(first.name) && first.initializer ? first : undefined;
}

function isTable(value, builds) {
  if (!ts.isObjectLiteralExpression(value) || value.properties.length < leastEntries) return false;
  return value.properties.every(
    (one) => ts.isPropertyAssignment(one) && ts.isIdentifier(one.name) && builds(one.initializer),
  );
}

function lazyEntries(file, table) {
  return table.properties.flatMap(({ name, initializer }) =>
    around(file, name, initializer, [`get ${name.text}() { return __keep(this, "${name.text}", `, ") }"]),
  );
}

function lazyConstant(file, statement, { name, initializer }) {
  const kept = `__kept_${name.text}`;
  const [before, after] = around(file, statement, initializer, [
    `var ${kept}; function ${name.text}() { return ${kept} ??= `,
    " }",
  ]);
  return [before, { ...after, end: statement.getEnd() }];
}

/** Edits that put a text in the place of what stands before a value, and another one behind it. */
function around(file, whole, value, [before, after]) {
  return [
    { start: whole.getStart(file), end: value.getStart(file), text: before },
    { start: value.getEnd(), end: value.getEnd(), text: after },
  ];
}
