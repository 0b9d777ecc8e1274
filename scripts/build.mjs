// Builds the command: one CommonJS bundle for each entry point of src/cli/entry. CommonJS and one file each
// because a cold start is measured against bare Node, and resolving modules is what costs.
// Each bundle is renamed into place whole, so two builds at once never show anyone half a file.
//   node scripts/build.mjs [--without-page] [bundle …]
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build, transform } from "esbuild";
import launcher from "../bin/launch.js";
import { readBuiltInValues } from "./build/built-in.mjs";
import { makeModulesLazy, staticImports } from "./build/lazy-modules.mjs";
import { listLicences } from "./build/licences.mjs";
import { compileBundles } from "./build/warm-up.mjs";
import { buildWeb } from "./build/web.mjs";

const root = resolve(import.meta.dirname, "..");
/** A bundle for each entry point; every other one is made from what main declares. */
const bundles = ["main", ...listEntries().filter((name) => name !== "main")];
const version = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
const scratch = join(root, "dist", `.tmp-${process.pid}`);

const started = performance.now();
const { values, positionals: wanted } = parseArgs({
  options: { "without-page": { type: "boolean" } },
  allowPositionals: true,
});
const present = bundles.filter((name) => wanted.length === 0 || name === "main" || wanted.includes(name));
/** `init` leaves out what the others hold, so it is made by itself. */
const [whole, small, alone] = [
  ...[["main"], present.filter((name) => !["main", "init"].includes(name))],
  present.filter((name) => name === "init"),
];
try {
  const web = values["without-page"] ? undefined : await buildWeb(root);
  const main = await bundle(whole, {});
  // `pairflow help` tells of every verb, and is answered by a bundle that does not hold them all.
  const verbs = exportsOf(join(scratch, "main.cjs")).serializeDeclarations();
  const define = { __PAIRFLOW_VERBS__: JSON.stringify(verbs) };
  const others = [await bundle(small, define), await bundle(alone, define)];
  writeFileSync(join(scratch, "licences.txt"), listLicences(root, [web, main, ...others].filter(Boolean)));
  renameSync(join(scratch, "licences.txt"), join(root, "dist", "licences.txt"));
  writeFileSync(join(scratch, "built-in.json"), readBuiltInValues(root));
  renameSync(join(scratch, "built-in.json"), join(root, "dist", "built-in.json"));
  const made = present.map((name) => join(scratch, `${name}.cjs`));
  const compiled = await compileBundles(made, scratch);
  for (const [i, file] of made.entries()) replace(join(root, "dist", basename(file)), file, compiled[i]);
} catch (error) {
  // esbuild has already printed its own diagnostics with file and line.
  if (!error.errors) throw error;
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (!process.exitCode) {
  console.error(`Built ${present.join(", ") || "nothing"} in ${Math.round(performance.now() - started)} ms.`);
}

/** The compiled forms are there before their bundle, by whose size and time a start finds it. */
function replace(file, made, compiled) {
  const older = readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.`));
  const newer = compiled.map((path) => basename(path));
  for (const path of compiled) renameSync(path, join(dirname(file), basename(path)));
  renameSync(made, file);
  for (const name of older) if (!newer.includes(name)) rmSync(join(dirname(file), name), { force: true });
}

async function bundle(names, define) {
  const { outputFiles, metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: names.map((name) => `src/cli/entry/${name}.ts`),
    outdir: scratch,
    outExtension: { ".js": ".cjs" },
    write: false,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    keepNames: false,
    legalComments: "none",
    logLevel: "warning",
    plugins: [staticImports(names)],
    define: {
      __PAIRFLOW_VERSION__: JSON.stringify(version),
      "import.meta.dirname": "__dirname",
      "import.meta.filename": "__filename",
      ...define,
    },
  });
  mkdirSync(scratch, { recursive: true });
  for (const { path, text } of outputFiles)
    writeFileSync(path, await finishBundle(basename(path, ".cjs"), text));
  return metafile;
}

async function finishBundle(name, text) {
  const lazy = makeModulesLazy(text, `src/cli/entry/${name}.ts`);
  const { code } = await transform(lazy, {
    minify: true,
    platform: "node",
    target: "node20",
    legalComments: "none",
  });
  const source = `(function(exports,require,module,__filename,__dirname){${asciiOnly(code)}\n})`;
  return `${source}//${createHash("sha256").update(source).digest("hex").slice(0, 16)}`;
}

function exportsOf(file) {
  return launcher.run(launcher.scriptOf(file), file);
}

/**
 * A start reads a bundle byte by byte as its characters, which takes half the time and memory. What esbuild leaves
 * beyond ASCII are characters of regular expressions, where an escape means the same.
 */
function asciiOnly(text) {
  return text.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function listEntries() {
  return readdirSync(join(root, "src", "cli", "entry")).map((file) => basename(file, ".ts"));
}
