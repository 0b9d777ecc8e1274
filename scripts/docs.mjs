// Writes docs/cli.md from the declarations of the commands. The generator is TypeScript, so it is bundled first.
//   npm run docs
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");
const version = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
const scratch = join(root, "dist", `.docs-${process.pid}.cjs`);

try {
  await build({
    absWorkingDir: root,
    stdin: {
      contents:
        'export { cliReference } from "./src/cli/docs.ts"; export { verbs } from "./src/cli/verbs.ts";',
      resolveDir: root,
      loader: "ts",
    },
    outfile: scratch,
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "warning",
    define: {
      __PAIRFLOW_VERSION__: JSON.stringify(version),
      "import.meta.dirname": "__dirname",
      "import.meta.filename": "__filename",
    },
  });
  const { cliReference, verbs } = (await import(pathToFileURL(scratch).href)).default;
  mkdirSync(join(root, "docs"), { recursive: true });
  writeFileSync(join(root, "docs", "cli.md"), cliReference(verbs));
  console.error("Wrote docs/cli.md.");
} finally {
  rmSync(scratch, { force: true });
}
