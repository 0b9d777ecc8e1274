// Constants of a bundle that are made when they are first used, by functions that keep their results: Node's own modules,
// of which crypto and child_process take longer to load than a short command runs, regular expressions, and schemas. A table of schemas, or of
// what other modules declare, builds each of its entries by itself: a command reads few types of lines and obeys one rule.
import { listDeclaredNames, ts } from "./bundle-scope.mjs";

const library = "node_modules/valibot/";
const leastEntries = 10;

/**
 * What runs in the bundle: an entry of a table becomes a plain value when it has been built. A table that is joined from
 * others takes their entries over unbuilt, where spreading them would build every one.
 */
export const tableRuntime = `
function __keep(table, key, value) {
  Object.defineProperty(table, key, { value, enumerable: true });
  return value;
}
function __join(...tables) {
  const joined = {};
  for (const table of tables) Object.defineProperties(joined, Object.getOwnPropertyDescriptors(table));
  return joined;
}
`;

/**
 * The symbols of constants that have become functions, the edits that make them so, and the names of entries that stood for their
 * values as well.
 */
export function makeConstantsLazy(bundle, lazyModules, ownerOf) {
  const builds = schemaFinder(bundle);
  const found = { symbols: new Set(), tables: new Set(), names: new Set(), edits: [] };
  for (const module of bundle.modules) {
    const isLazy = lazyModules.includes(module);
    const kinds = {
      isSchema: (value) => isLazy && builds(value),
      isForeign(symbol) {
        const owner = ownerOf(symbol);
        return isLazy && owner !== module && lazyModules.includes(owner);
      },
    };
    for (const statement of module.statements) takeConstant(bundle, statement, kinds, found);
  }
  return found;
}

function takeConstant(bundle, statement, kinds, { symbols, tables, names, edits }) {
  const constant = soleConstant(statement);
  if (!constant) return;
  const { name, initializer: value } = constant;
  if (isTable(bundle, value, kinds)) {
    tables.add(bundle.symbolOf(name));
    for (const one of value.properties) if (ts.isShorthandPropertyAssignment(one)) names.add(one.name);
    edits.push(...lazyEntries(bundle.file, value));
  } else if (isJoined(bundle, value, tables)) edits.push(...joinedTables(bundle.file, value));
  else if (kinds.isSchema(value) || isBuiltin(value) || isExpression(value)) {
    symbols.add(bundle.symbolOf(name));
    edits.push(...lazyConstant(bundle.file, statement, constant));
  }
}

/** `require("node:…")`, or `require_library()` for one that is a CommonJS module, as it is or in esbuild's wrapper for default imports. */
function isBuiltin(value) {
  if (!ts.isCallExpression(value) || !ts.isIdentifier(value.expression)) return false;
  const [first] = value.arguments;
  if (value.expression.text === "__toESM") return isBuiltin(first);
  if (value.expression.text.startsWith("require_")) return first === undefined;
  return value.expression.text === "require" && ts.isStringLiteral(first) && first.text.startsWith("node:");
}

/** A regular expression is parsed when it is made, and those with Unicode's classes take longer than a short command's rules. */
function isExpression(value) {
  if (!ts.isNewExpression(value)) return ts.isRegularExpressionLiteral(value);
  // What esbuild makes of a literal that an older Node may not know.
  return value.expression.escapedText === "RegExp" && (value.arguments ?? []).every(ts.isStringLiteral);
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

/** Of schemas alone, or of other modules' declarations alone. */
function isTable(bundle, value, { isSchema, isForeign }) {
  if (!ts.isObjectLiteralExpression(value) || value.properties.length < leastEntries) return false;
  const entries = value.properties.map((one) => getEntryValue(bundle, one));
  const isOthers = ({ symbol }) => symbol !== undefined && isForeign(symbol);
  return entries.every(({ node }) => node && isSchema(node)) || entries.every(isOthers);
}

/** What an entry with a plain name is made of: an expression, and the variable that it is, if it is one. */
function getEntryValue({ symbolOf, checker }, entry) {
  if (ts.isShorthandPropertyAssignment(entry))
    return { symbol: checker.getShorthandAssignmentValueSymbol(entry) };
  if (!ts.isPropertyAssignment(entry)) return {};
  const { name, initializer: node } = entry;
  if (!ts.isIdentifier(name) && !ts.isStringLiteral(name)) return {};
  return ts.isIdentifier(node) ? { node, symbol: symbolOf(node) } : { node };
}

/** `{ ...one, ...other }`, of tables alone. */
function isJoined({ symbolOf }, value, tables) {
  if (!ts.isObjectLiteralExpression(value) || value.properties.length === 0) return false;
  return value.properties.every(
    (one) =>
      ts.isSpreadAssignment(one) && ts.isIdentifier(one.expression) && tables.has(symbolOf(one.expression)),
  );
}

/** The same as a call with the tables as its arguments: `__join(one, other)`. */
function joinedTables(file, value) {
  const { properties } = value;
  const [first, last] = [properties[0], properties.at(-1)];
  const spreads = properties.map((one) => ({
    start: one.getStart(file),
    end: one.expression.getStart(file),
    text: "",
  }));
  return [
    { start: value.getStart(file), end: first.getStart(file), text: "__join(" },
    ...spreads,
    { start: last.getEnd(), end: value.getEnd(), text: ")" },
  ];
}

function lazyEntries(file, table) {
  return table.properties.flatMap(({ name, initializer = name }) => {
    const key = JSON.stringify(name.text);
    return around(file, name, initializer, [`get ${key}() { return __keep(this, ${key}, `, ") }"]);
  });
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
