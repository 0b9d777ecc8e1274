// Writes docs/cli.md from the declarations of the commands, and tables of other pages: agents.md from the agents' adapters,
// mcp.md and reviews.md from what agents can say. The generators are TypeScript, so they are bundled first.
//   npm run docs
import { readFileSync, rmSync, writeFileSync } from "node:fs";
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
      contents: `export { renderCliReference } from "./src/cli/docs/cli.ts";
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
  writeFileSync(join(root, "docs", "cli.md"), made.renderCliReference(made.verbs));
  const adapters = Object.values(made.createAgentAdapters({ command: ["pairflow"] }));
  rewrite("agents.md", (page) => made.replaceAgentsTable(page, adapters));
  rewrite("mcp.md", made.replaceToolTables);
  rewrite("reviews.md", made.replaceDialectTables);
  console.error("Wrote docs/cli.md and the tables of docs/agents.md, docs/mcp.md and docs/reviews.md.");
} finally {
  rmSync(scratch, { force: true });
}

function rewrite(name, change) {
  const file = join(root, "docs", name);
  writeFileSync(file, change(readFileSync(file, "utf8")));
}
