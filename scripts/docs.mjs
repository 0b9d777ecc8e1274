// Writes docs/cli.md from the declarations of the commands, and the table of docs/agents.md from those of the agents'
// adapters. The generators are TypeScript, so they are bundled first.
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
      contents: `export { cliReference } from "./src/cli/docs/cli.ts";
        export { verbs } from "./src/cli/commands/verbs.ts";
        export { withAgentsTable } from "./src/cli/docs/agents.ts";
        export { agentAdapters } from "./src/adapters/agent/index.ts";`,
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
  writeFileSync(join(root, "docs", "cli.md"), made.cliReference(made.verbs));
  const agents = join(root, "docs", "agents.md");
  const adapters = Object.values(made.agentAdapters({ command: ["pairflow"] }));
  writeFileSync(agents, made.withAgentsTable(readFileSync(agents, "utf8"), adapters));
  console.error("Wrote docs/cli.md and the table of docs/agents.md.");
} finally {
  rmSync(scratch, { force: true });
}
