// How the tests run: built bundles first, the longest files first, and no trace of a bubble that the person who runs the
// tests may be inside of. The long campaigns in tests/soak run only when asked for.
import { readFileSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./tests/longest-first.ts";

const kept = [
  ...["PAIRFLOW_NODE24", "PAIRFLOW_SOAK", "PAIRFLOW_QUICK"],
  ...["PAIRFLOW_AGENT_CLIS", "PAIRFLOW_NEWEST_CLAUDE", "PAIRFLOW_NATS_SERVER"],
];
for (const name of Object.keys(process.env)) {
  if (name.startsWith("PAIRFLOW_") && !kept.includes(name)) delete process.env[name];
}
const soak = process.env.PAIRFLOW_SOAK === "1";
const quick = process.env.PAIRFLOW_QUICK === "1";
const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Rules, contracts and documents: they start no command. */
const rules = ["core", "app", "server", "architecture"].map((folder) => `tests/${folder}/**/*.test.ts`);
/** Files that replace a module for everything that is loaded: each has a process of its own. */
const replacing = [
  "tests/attacks/a-replaced-or-moved-file-is-synced-by-name-too.test.ts",
  "tests/app/make-once.test.ts",
];
const left = soak ? [] : ["tests/soak/**", ...(quick ? ["**/*campaign*"] : [])];
const never = [...configDefaults.exclude, "tests/fixtures/**", ...left];

export default defineConfig({
  define: { __PAIRFLOW_VERSION__: JSON.stringify(version) },
  test: {
    projects: [
      // Files share nothing but modules, prepared repositories and the processes that run commands, so they can share a process.
      // Loading all that anew for each of them was an eighth of the suite's processor time.
      {
        extends: true,
        test: {
          name: "rules",
          include: rules,
          exclude: [...never, ...replacing],
          setupFiles: ["tests/seeded.ts"],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: ["tests/**/*.test.ts"],
          exclude: [...never, ...rules, ...replacing],
          globalSetup: ["tests/global-setup.ts"],
          setupFiles: ["tests/each-file.ts", "tests/seeded.ts"],
          isolate: false,
        },
      },
      { extends: true, test: { name: "replacing", include: replacing } },
    ],
    sequence: { sequencer: LongestFirst },
    env: { TZ: "UTC" },
    unstubEnvs: true,
    pool: "forks",
    // Two cores and tests that wait for one another's processes: a third keeps both busy.
    maxWorkers: 3,
    testTimeout: soak ? 600_000 : 120_000,
    hookTimeout: 120_000,
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text-summary", "html"] },
  },
});
