// The JSON that commands print, as JSON Schema. It is read from the TypeScript types of what each command returns, so it cannot
// say anything else than the code does, and no command can be forgotten.
import { join } from "node:path";
import ts from "typescript";
import { createTypeReader } from "./json-types.mjs";

/** `{ commands: { "bubble list": schema }, $defs }` of every command that returns a value. */
export function readJsonSchema(root, version) {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const entry = join(root, "src", "cli", "commands", "verbs.ts");
  const program = ts.createProgram([entry], {
    ...options,
    noEmit: true,
    incremental: false,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const find = (path, name) => findExported(program, checker, join(root, "src", path), name);
  const states = find("core/model/state.ts", "Lifecycle").types.map(({ value }) => value);
  const reader = createTypeReader(checker, { Lifecycle: states.sort() });
  const commands = {};
  for (const { words, hidden, run } of listVerbs(program)) {
    const types = hidden ? [] : listJsonTypes(checker, run);
    if (types.length > 0) commands[words] = reader.describeUnion(types);
  }
  const error = find("cli/verb/result.ts", "CommandTrouble");
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "What Pairflow's commands print with --json",
    version,
    commands,
    error: { type: "object", properties: { error: reader.describe(error) }, required: ["error"] },
    $defs: reader.definitions(),
  };
}

function* listVerbs(program) {
  for (const file of program.getSourceFiles()) {
    if (!file.fileName.includes("/src/cli/")) continue;
    for (const call of collect(
      file,
      (node) => ts.isCallExpression(node) && node.expression.getText() === "defineVerb",
    )) {
      const [declared] = call.arguments;
      const get = (name) => declared.properties?.find((one) => one.name?.getText() === name);
      const words = get("words")?.initializer;
      if (words && ts.isStringLiteral(words))
        yield { words: words.text, hidden: get("hidden") !== undefined, run: get("run") };
    }
  }
}

/** The types of `json` in everything that a function returns; functions that it hands over to are followed. */
function listJsonTypes(checker, declaration, seen = new Set()) {
  if (!declaration || seen.has(declaration)) return [];
  seen.add(declaration);
  const body = ts.isPropertyAssignment(declaration) ? declaration.initializer : declaration;
  return listReturned(body).flatMap((expression) => typesOf(checker, expression, seen));
}

function typesOf(checker, given, seen) {
  const expression = bare(given);
  if (ts.isConditionalExpression(expression))
    return [expression.whenTrue, expression.whenFalse].flatMap((one) => typesOf(checker, one, seen));
  if (ts.isBinaryExpression(expression))
    return [expression.left, expression.right].flatMap((one) => typesOf(checker, one, seen));
  const known = jsonOf(checker, expression);
  if (known.length > 0) return known;
  if (ts.isObjectLiteralExpression(expression))
    return listSpread(expression).flatMap((one) => typesOf(checker, one, seen));
  if (ts.isIdentifier(expression)) return followName(checker, expression, seen);
  return ts.isCallExpression(expression) ? followCall(checker, expression, seen) : [];
}

/** What is put into an object: `{ ...renderStanding(state), exitCode }`. */
const listSpread = ({ properties }) =>
  properties.filter((one) => ts.isSpreadAssignment(one)).map(({ expression }) => expression);

/** What a name was given. */
function followName(checker, name, seen) {
  const { valueDeclaration } = checker.getSymbolAtLocation(name) ?? {};
  const given =
    valueDeclaration && ts.isVariableDeclaration(valueDeclaration) && valueDeclaration.initializer;
  return given ? typesOf(checker, given, seen) : [];
}

/** What a called function returns, and what the functions do that are handed to it. */
function followCall(checker, call, seen) {
  const called = checker.getResolvedSignature(call)?.declaration;
  const inner = call.arguments.filter((one) => ts.isArrowFunction(one));
  return [called, ...inner].filter((one) => one?.body).flatMap((one) => listJsonTypes(checker, one, seen));
}

function jsonOf(checker, expression) {
  const type =
    checker.getAwaitedType(checker.getTypeAtLocation(expression)) ?? checker.getTypeAtLocation(expression);
  return (type.isUnion() ? type.types : [type]).flatMap((one) => {
    const symbol = checker.getPropertyOfType(one, "json");
    const json = symbol && checker.getTypeOfSymbol(symbol);
    return json && !(json.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Undefined | ts.TypeFlags.Never))
      ? [json]
      : [];
  });
}

function listReturned(fn) {
  if (ts.isArrowFunction(fn) && !ts.isBlock(fn.body)) return [fn.body];
  const isInner = (node) => ts.isFunctionLike(node) && node !== fn;
  return collect(fn, (node) => ts.isReturnStatement(node) && node.expression, isInner).map(
    ({ expression }) => expression,
  );
}

function bare(expression) {
  return ts.isParenthesizedExpression(expression) ||
    ts.isAwaitExpression(expression) ||
    ts.isAsExpression(expression)
    ? bare(expression.expression)
    : expression;
}

function collect(node, isWanted, isClosed = () => false, found = []) {
  if (isWanted(node)) found.push(node);
  if (!isClosed(node)) ts.forEachChild(node, (child) => void collect(child, isWanted, isClosed, found));
  return found;
}

function findExported(program, checker, path, name) {
  const file = program.getSourceFile(path);
  const symbol = checker
    .getExportsOfModule(checker.getSymbolAtLocation(file))
    .find((one) => one.name === name);
  return checker.getDeclaredTypeOfSymbol(symbol);
}
