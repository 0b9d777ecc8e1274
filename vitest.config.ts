// How the tests run: built bundles first, two processes at once, and no trace of a bubble that the person who
// runs the tests may be inside of. The long campaigns in tests/soak run only when asked for.
import { readFileSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";

const kept = [...["PAIRFLOW_NODE24", "PAIRFLOW_SOAK"], ...["PAIRFLOW_AGENT_CLIS", "PAIRFLOW_NEWEST_CLAUDE"]];
for (const name of Object.keys(process.env)) {
  if (name.startsWith("PAIRFLOW_") && !kept.includes(name)) delete process.env[name];
}
const soak = process.env.PAIRFLOW_SOAK === "1";
const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Rules, contracts and documents: they start no command and share nothing, so their files can share a process. */
const rules = ["core", "app", "architecture"].map((folder) => `tests/${folder}/**/*.test.ts`);
const never = [...configDefaults.exclude, "tests/fixtures/**", ...(soak ? [] : ["tests/soak/**"])];

export default defineConfig({
  define: { __PAIRFLOW_VERSION__: JSON.stringify(version) },
  test: {
    projects: [
      { extends: true, test: { name: "rules", include: rules, exclude: never, isolate: false } },
      {
        extends: true,
        test: {
          name: "whole",
          include: ["tests/**/*.test.ts"],
          exclude: [...never, ...rules],
          globalSetup: ["tests/global-setup.ts"],
        },
      },
    ],
    env: { TZ: "UTC" },
    pool: "forks",
    maxWorkers: 2,
    testTimeout: soak ? 600_000 : 120_000,
    hookTimeout: 120_000,
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text-summary", "html"] },
  },
});
