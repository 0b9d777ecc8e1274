// Measures the code of src with TypeScript's own parser, and writes the figures into docs/architecture.md. Lines are counted once:
// a line that holds code and a comment is code, and what came as rooms of its own is counted apart.
//   node scripts/measure.mjs [--root <tree>] [--json]
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";

const { values } = parseArgs({ options: { root: { type: "string" }, json: { type: "boolean" } } });
const root = resolve(values.root ?? join(import.meta.dirname, ".."));
/** What did not exist before the folders had an order: where each of these stands. */
const newRooms = {
  "the page":
    /^src\/(server|adapters\/proof|cli\/commands\/page|core\/(model\/page|text\/diff|views\/(export|page)))\//,
  "several machines":
    /\/nats(\/|[-.])|^src\/app\/(store|worker|host\/shared)\/|^src\/cli\/commands\/machines\/|\/(travel|hosts|move)[-./]/,
  "what earlier tools left": /^src\/(app|core)\/adopt\//,
};

const figures = measure();
if (values.json) console.log(JSON.stringify(figures));
else {
  const page = join(root, "docs", "architecture.md");
  const [before, , after] = readFileSync(page, "utf8").split(/(<!-- figures: [\s\S]*?<!-- \/figures -->)/);
  writeFileSync(page, `${before}${renderTable(figures)}${after}`);
  console.error("Wrote the figures of docs/architecture.md.");
}

function measure() {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readSource(`src/${path.replaceAll("\\", "/")}`));
  const sum = (list, key) => list.reduce((total, file) => total + file[key], 0);
  const folders = groupBy(files, ({ path }) => dirname(path));
  return {
    files: files.length,
    code: sum(files, "code"),
    newCode: Object.entries(newRooms).map(([name, where]) => ({
      name,
      code: sum(
        files.filter(({ path }) => where.test(path)),
        "code",
      ),
    })),
    functionLines: spread(files.flatMap(({ functions }) => functions)),
    fileLines: spread(files.map(({ lines }) => lines)),
    longFiles: files.filter(({ lines }) => lines > 300).length,
    comments: Number((sum(files, "comments") / sum(files, "code")).toFixed(2)),
    fullFolders: [...folders.values()].filter((list) => list.length > 12).length,
    sharedNames: countSharedNames(files),
    circles: countCircles(files),
    tinyFiles: countTinyFiles(files),
    conditionalSpreads: sum(files, "conditionalSpreads"),
  };
}

function readSource(path) {
  const text = readFileSync(join(root, path), "utf8");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = { functions: [], conditionalSpreads: 0 };
  const lineAt = (at) => file.getLineAndCharacterOfPosition(at).line;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const lines = lineAt(node.end) - lineAt(node.getStart(file)) + 1;
      if (ts.isBlock(node.body) || lines > 2) found.functions.push(lines);
    }
    if (ts.isSpreadAssignment(node) && ts.isParenthesizedExpression(node.expression))
      found.conditionalSpreads += ts.isConditionalExpression(node.expression.expression) ? 1 : 0;
    ts.forEachChild(node, visit);
  };
  visit(file);
  const imports = [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, to]) =>
    join(dirname(path), to).replaceAll("\\", "/"),
  );
  const exported = [...text.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name]) => name);
  return { path, imports, exported, lines: text.split("\n").length - 1, ...countLines(file, text), ...found };
}

/** Lines with a token are code; lines with a comment alone are comments. */
function countLines(file, text) {
  const code = new Set();
  const mark = (node) => {
    if (ts.isJSDoc(node)) return;
    if (node.getChildCount(file) === 0 && node.end > node.getStart(file)) {
      const last = file.getLineAndCharacterOfPosition(node.end).line;
      for (let line = file.getLineAndCharacterOfPosition(node.getStart(file)).line; line <= last; line += 1)
        code.add(line);
    }
    for (const child of node.getChildren(file)) mark(child);
  };
  for (const statement of file.statements) mark(statement);
  const comments = text.split("\n").filter((line, i) => line.trim() && !code.has(i)).length;
  return { code: code.size, comments };
}

function spread(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return [at(0.5), at(0.99), at(1)];
}

function groupBy(list, key) {
  const groups = new Map();
  for (const item of list) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

function countSharedNames(files) {
  const all = groupBy(
    files.flatMap(({ path, exported }) => exported.map((name) => ({ name, path }))),
    ({ name }) => name,
  );
  return [...all.values()].filter((list) => list.length > 1).length;
}

/** Folders of a room that reach themselves through others. */
function countCircles(files) {
  const folderOf = (path) => path.split("/").slice(0, 3).join("/");
  const edges = new Map();
  for (const { path, imports } of files)
    for (const to of imports)
      if (folderOf(to) !== folderOf(path))
        edges.set(folderOf(path), (edges.get(folderOf(path)) ?? new Set()).add(folderOf(to)));
  const reaches = (from) => {
    const seen = new Set();
    const open = [...(edges.get(from) ?? [])];
    while (open.length > 0) {
      const next = open.pop();
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(edges.get(next) ?? []));
    }
    return seen.has(from);
  };
  return [...edges.keys()].filter(reaches).length;
}

function countTinyFiles(files) {
  const importers = groupBy(
    files.flatMap(({ imports }) => [...new Set(imports)]),
    (to) => to,
  );
  return files.filter(({ path, lines }) => lines < 25 && importers.get(path)?.length === 1).length;
}

function renderTable(now) {
  const number = (value) => value.toLocaleString("en-US");
  const rows = [
    ["folders that import one another in a circle", "29", now.circles],
    [
      "files; lines of code",
      "954; 66,587",
      `${number(now.files)}; ${number(now.code)}, of which ${now.newCode.map(({ name, code }) => `${name} ${number(code)}`).join(", ")}`,
    ],
    ["lines of a function: median, 99th percentile, longest", "7, 38, 134", now.functionLines.join(", ")],
    ["lines of a file: median, 99th percentile, longest", "68, 288, 563", now.fileLines.join(", ")],
    ["files of more than 300 lines", "8", now.longFiles],
    ["lines of comments for a line of code", "0.11", now.comments],
    ["folders with more than 12 files", "23", now.fullFolders],
    ["names of exported functions that several files share", "80", now.sharedNames],
    ["files under 25 lines with one importer", "40", now.tinyFiles],
    ["conditional spreads", "561", now.conditionalSpreads],
  ];
  return [
    "<!-- figures: written by `npm run measure` -->",
    "| what | before the folders had an order | now |",
    "|---|---|---|",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "<!-- /figures -->",
  ].join("\n");
}
