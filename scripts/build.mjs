// Builds the command: one CommonJS bundle for each entry point of src/cli/entry. CommonJS and one file each
// because a cold start is measured against bare Node, and resolving modules is what costs.
// Each bundle is renamed into place whole, so two builds at once never show anyone half a file.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { build } from "esbuild";

const require = createRequire(import.meta.url);
const root = resolve(import.meta.dirname, "..");
const bundles = ["main", "agent", "read", "mcp"];
const version = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
const scratch = join(root, "dist", `.tmp-${process.pid}`);

const started = performance.now();
const present = bundles.filter(hasEntry);
try {
  await build({
    absWorkingDir: root,
    entryPoints: present.map((name) => `src/cli/entry/${name}.ts`),
    outdir: scratch,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    minify: true,
    keepNames: false,
    legalComments: "none",
    logLevel: "warning",
    define: {
      __PAIRFLOW_VERSION__: JSON.stringify(version),
      "import.meta.dirname": "__dirname",
      "import.meta.filename": "__filename",
    },
  });
  mkdirSync(join(root, "dist"), { recursive: true });
  for (const name of present) {
    const file = join(root, "dist", `${name}.cjs`);
    renameSync(join(scratch, `${name}.cjs`), file);
    compile(file);
  }
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

/** Keeps V8's compiled form beside a bundle: what running its top level needs is in it, nothing else. */
function compile(file) {
  const { compiledPath, scriptOf } = require("../bin/launch.js");
  const script = scriptOf(file);
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, dirname(file));
  const made = join(scratch, "compiled");
  writeFileSync(made, script.createCachedData());
  for (const old of readdirSync(dirname(file))) {
    if (old.startsWith(`${basename(file)}.`)) rmSync(join(dirname(file), old));
  }
  renameSync(made, compiledPath(file));
}

function hasEntry(name) {
  const found = existsSync(join(root, "src", "cli", "entry", `${name}.ts`));
  if (!found) console.error(`Skipped ${name}: src/cli/entry/${name}.ts does not exist.`);
  return found;
}
