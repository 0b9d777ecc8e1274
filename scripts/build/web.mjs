// Builds the page: scripts with their lazy chunks, one style sheet and the document that names them, into dist/web. Every chunk
// has a number it must not grow beyond; one that does fails the build.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { chunkLimits, firstLoadLimit } from "./web-limits.mjs";

/** Returns what it was made of, as esbuild tells it. */
export async function buildWeb(root) {
  const made = join(root, "dist", `.web-${process.pid}`);
  const place = join(root, "dist", "web");
  try {
    const { outputFiles, metafile } = await bundle(root, made);
    checkSizes(sizesOf(outputFiles, metafile, root));
    mkdirSync(made, { recursive: true });
    for (const { path, contents } of outputFiles) writeFileSync(join(made, basename(path)), contents);
    writeFileSync(join(made, "index.html"), documentOf(root, outputFiles));
    writeFileSync(join(made, "icon.svg"), readFileSync(join(root, "web", "icon.svg")));
    rmSync(place, { recursive: true, force: true });
    renameSync(made, place);
    return metafile;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function bundle(root, outdir) {
  return build({
    absWorkingDir: root,
    entryPoints: { page: "web/app/main.tsx", style: "web/styles/all.css" },
    outdir,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    jsx: "automatic",
    jsxImportSource: "preact",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    charset: "utf8",
  });
}

/**
 * Bytes after gzip of what the browser loads first, and of each chunk that comes later, by the file it begins with. What
 * several later chunks share is `shared`.
 */
function sizesOf(files, { outputs }, root) {
  const nameOf = (path) => path.slice(root.length + 1);
  const first = loadedWith(outputs, "web/app/main.tsx");
  const sizes = {};
  for (const { path, contents } of files) {
    const { entryPoint } = outputs[nameOf(path)];
    const later = entryPoint === undefined ? "shared" : basename(entryPoint).replace(/\.tsx?$/, "");
    const name = first.has(nameOf(path)) ? "first" : later;
    sizes[name] = (sizes[name] ?? 0) + gzipSync(contents, { level: 9 }).length;
  }
  return sizes;
}

/** The output of an entry and everything it imports at once. */
function loadedWith(outputs, entry) {
  const found = new Set();
  const open = Object.keys(outputs).filter((name) => outputs[name].entryPoint === entry);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const now = outputs[name].imports.filter(({ kind }) => kind === "import-statement");
    open.push(...now.map(({ path }) => path));
  }
  return found;
}

function checkSizes(sizes) {
  const problems = Object.entries(sizes).flatMap(([name, size]) => {
    const limit = chunkLimits[name];
    if (limit === undefined) return [`web: the chunk ${name} has no number in scripts/build/web-limits.mjs`];
    const more = size - limit;
    return more > 0 ? [`web: the chunk ${name} has ${size} bytes after gzip, ${more} more than it may`] : [];
  });
  const first = (sizes.first ?? 0) + (sizes["all.css"] ?? 0);
  if (first > firstLoadLimit)
    problems.push(`web: the first load has ${first} bytes, more than ${firstLoadLimit}`);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

function documentOf(root, files) {
  const named = (pattern) => files.map(({ path }) => basename(path)).find((name) => pattern.test(name)) ?? "";
  return readFileSync(join(root, "web", "index.html"), "utf8")
    .replace("%SCRIPT%", named(/^page-.*\.js$/))
    .replace("%STYLE%", named(/^style-.*\.css$/));
}
