// Writes docs/cli.md from the declarations of the commands, docs/json.md from the types of what they return, and tables of other pages: agents.md from the agents' adapters,
// mcp.md and reviews.md from what agents can say. The generators are TypeScript, so they are bundled first.
//   npm run docs              writes them
//   npm run docs -- --check   says which are old, and writes nothing
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { renderJsonPage } from "./docs/json-page.mjs";
import { readJsonSchema } from "./docs/json-schema.mjs";

const root = resolve(import.meta.dirname, "..");
const version = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
const isCheck = process.argv.includes("--check");
const changed = [];
const scratch = join(root, "dist", `.docs-${process.pid}.cjs`);

try {
  await build({
    absWorkingDir: root,
    stdin: {
      contents: `export { renderCliReference } from "./src/cli/docs/cli.ts";
        export { jsonVersion } from "./src/cli/verb/run.ts";
        export { verbs } from "./src/cli/commands/verbs.ts";
        export { replaceAgentsTable } from "./src/cli/docs/agents.ts";
        export { replaceDialectTables, replaceToolTables } from "./src/cli/docs/claims.ts";
        export { createAgentAdapters } from "./src/adapters/agent/index.ts";`,
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
  const made = (await import(pathToFileURL(scratch).href)).default;
  write("cli.md", made.renderCliReference(made.verbs));
  const adapters = Object.values(made.createAgentAdapters({ command: ["pairflow"] }));
  rewrite("agents.md", (page) => made.replaceAgentsTable(page, adapters));
  rewrite("mcp.md", made.replaceToolTables);
  rewrite("reviews.md", made.replaceDialectTables);
  const schema = readJsonSchema(root, made.jsonVersion);
  write("json.schema.json", `${JSON.stringify(schema, null, 1)}\n`);
  write("json.md", renderJsonPage(schema));
  const found = `${isCheck ? "Old" : "Wrote"}: ${changed.join(", ")}`;
  console.error(changed.length === 0 ? "All generated pages are up to date." : found);
  if (isCheck && changed.length > 0) process.exitCode = 1;
} finally {
  rmSync(scratch, { force: true });
}

function rewrite(name, change) {
  write(name, change(readFileSync(join(root, "docs", name), "utf8")));
}

function write(name, text) {
  const file = join(root, "docs", name);
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  changed.push(`docs/${name}`);
  if (!isCheck) writeFileSync(file, text);
}
