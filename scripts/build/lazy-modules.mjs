// Makes every module of src in a bundle initialise itself when something of it is first used, and not at the start: most
// of what a bundle declares is of no use to one command. esbuild has put all modules into one scope by then; here each
// goes back into a function of its own, and what others use of it is read from that function's result.
import { readFileSync } from "node:fs";
import { isAssigned, isShorthand, listDeclaredNames, readBundle, ts, visitUses } from "./bundle-scope.mjs";
import { makeConstantsLazy, tableRuntime } from "./lazy-constants.mjs";

const runtime = `
function __lazy(body) {
  let made;
  return () => {
    if (made === undefined) body((made = {}));
    return made;
  };
}
${tableRuntime}`;

/** For esbuild: a module that is imported while the program runs is imported by name, since it waits for its use anyway. */
export const staticImports = (entries) => ({
  name: "static-imports",
  setup(bundle) {
    const chunks = {
      "./nats-store.ts": "nats",
      ...(entries.includes("mcp") ? {} : { "../../../mcp/serve.ts": "mcp" }),
      ...(entries.includes("init") ? { "./siblings.ts": "main", "./verb-answers.ts": "main" } : {}),
    };
    bundle.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: withStaticImports(readFileSync(path, "utf8"), chunks),
    }));
  },
});

/** `chunks`: modules that are a bundle of their own, loaded by the few commands that need it. */
function withStaticImports(text, chunks) {
  const found = [];
  const body = text.replace(/\bimport\(("\.[^"]+\.ts")\)/g, (_, path) => {
    const chunk = chunks[JSON.parse(path)];
    if (chunk) return `Promise.resolve(require(__dirname + "/../bin/launch.js").loadChunk("${chunk}"))`;
    found.push(path);
    return `Promise.resolve(__imported${found.length})`;
  });
  return body + found.map((path, i) => `\nimport * as __imported${i + 1} from ${path};`).join("");
}

const ours = /^src\//;

/** The same bundle, unminified as it came from esbuild, with lazy modules. The entry's own module runs at the start. */
export function makeModulesLazy(code, entry) {
  const bundle = readBundle(code);
  const modules = bundle.modules.filter(({ path }) => ours.test(path) && path !== entry);
  for (const [index, module] of modules.entries()) Object.assign(module, { index, handedOut: new Map() });
  const owners = ownersOf(bundle);
  const constants = makeConstantsLazy(bundle, modules, (symbol) => owners.get(symbol));
  const edits = [...constants.edits, ...referenceEdits(bundle, owners, constants)];
  return runtime + assembleBundle(bundle, edits, constants.symbols);
}

/** An edit for every use of a lazy module's declaration from outside, and for every use of a lazy constant. */
function referenceEdits(bundle, owners, { symbols: constants, names }) {
  const uses = usesOf(bundle, owners);
  const isOutside = ({ owner, home }) => owner !== home && owner.handedOut !== undefined;
  const edits = uses
    .filter((use) => isOutside(use) || constants.has(use.symbol))
    .map((use) => {
      const { node, owner, symbol } = use;
      const place = isOutside(use) ? `__m${owner.index}().${keyOf(owner, symbol)}` : node.text;
      return replacement(bundle, node, constants.has(symbol) ? `${place}()` : place, names.has(node));
    });
  const stale = uses.find(({ node, owner, symbol }) => isAssigned(node) && owner.handedOut?.has(symbol));
  if (stale) throw new Error(`${stale.owner.path}: ${stale.node.text} is exported and changed later`);
  return edits;
}

/** Where the declarations of modules are used: the identifier, and the module it stands in. */
function usesOf(bundle, owners) {
  const names = new Set([...owners.keys()].map((symbol) => symbol.escapedName));
  const uses = [];
  for (const home of bundle.modules)
    for (const statement of home.statements)
      visitUses(bundle, statement, names, (node, symbol) => {
        const owner = owners.get(symbol);
        if (owner) uses.push({ node, symbol, owner, home });
      });
  return uses;
}

/** Which module declares a symbol at its top level. */
function ownersOf({ symbolOf, modules }) {
  const declared = modules.flatMap((module) =>
    module.statements.flatMap(listDeclaredNames).map((name) => [symbolOf(name), module]),
  );
  return new Map(declared);
}

function replacement({ file }, node, value, isNamed) {
  const text =
    isShorthand(node) && !isNamed ? `${node.text}: ${value}` : isConstructed(node) ? `(${value})` : value;
  return { start: node.getStart(file), end: node.getEnd(), text };
}

/** `new Name()` and `new name.Member()`: a call inside would be taken for that of the constructor. */
function isConstructed(node) {
  let outer = node;
  while (ts.isPropertyAccessExpression(outer.parent) && outer.parent.expression === outer)
    outer = outer.parent;
  return ts.isNewExpression(outer.parent) && outer.parent.expression === outer;
}

/** A short name under which others find a declaration of a module. */
function keyOf({ handedOut }, symbol) {
  if (!handedOut.has(symbol)) handedOut.set(symbol, `k${handedOut.size.toString(36)}`);
  return handedOut.get(symbol);
}

function assembleBundle({ code, modules }, edits, constants) {
  edits.sort((a, b) => a.start - b.start || a.end - b.end);
  let next = 0;
  return modules
    .map((module) => {
      const [from, to] = [module.statements[0].getFullStart(), module.statements.at(-1).getEnd()];
      const first = next;
      while (edits[next]?.start < to) next++;
      const text = applyEdits(code, from, to, edits.slice(first, next));
      return module.index === undefined ? text : wrapModule(module, text, constants);
    })
    .join("\n");
}

function applyEdits(code, from, to, edits) {
  let text = "";
  let at = from;
  for (const edit of edits) {
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + code.slice(at, to);
}

/** Functions are handed out before a module's statements run, so that modules may use one another's in a circle. */
function wrapModule({ index, handedOut }, text, constants) {
  const isFunction = (symbol) => Boolean(symbol.flags & ts.SymbolFlags.Function) || constants.has(symbol);
  const lines = (which) =>
    [...handedOut]
      .filter(([symbol]) => isFunction(symbol) === which)
      .map(([symbol, key]) => `__e.${key} = ${symbol.escapedName};`)
      .join("\n");
  return `var __m${index} = __lazy((__e) => {\n${lines(true)}\n${text}\n${lines(false)}\n});`;
}
