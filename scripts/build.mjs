// Builds the command: one CommonJS bundle for each entry point of src/cli/entry. CommonJS and one file each
// because a cold start is measured against bare Node, and resolving modules is what costs.
// Each bundle is renamed into place whole, so two builds at once never show anyone half a file.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");
const bundles = ["main", "agent", "read"];
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
    minifyWhitespace: true,
    minifySyntax: true,
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
    renameSync(join(scratch, `${name}.cjs`), join(root, "dist", `${name}.cjs`));
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

function hasEntry(name) {
  const found = existsSync(join(root, "src", "cli", "entry", `${name}.ts`));
  if (!found) console.error(`Skipped ${name}: src/cli/entry/${name}.ts does not exist.`);
  return found;
}
