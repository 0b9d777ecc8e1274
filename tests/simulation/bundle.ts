// The simulation as one module of plain JavaScript. Bundled it runs faster than through the test runner, and a rule can be taken out of
// the source on the way: whoever claims that a rule is needed shows what happens without it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import type { simulate } from "./simulate.ts";

/** A piece of one source file, and what stands there instead. */
export interface PlantedFault {
  /** Below src. */
  readonly file: string;
  readonly rule: string;
  readonly instead: string;
}

const root = resolve(import.meta.dirname, "..", "..");

export async function bundleSimulation(
  faults: readonly PlantedFault[] = [],
): Promise<{ readonly simulate: typeof simulate }> {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-simulation-"));
  try {
    const outfile = join(folder, "simulate.mjs");
    await build({
      entryPoints: [join(root, "tests", "simulation", "simulate.ts")],
      ...{ outfile, bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "error" },
      plugins: [plantFaults(faults)],
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    return (await import(outfile)) as { simulate: typeof simulate };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function plantFaults(faults: readonly PlantedFault[]): Plugin {
  return {
    name: "planted faults",
    setup(bundle) {
      bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const own = faults.filter(({ file }) => path === join(root, "src", file));
        const text = readFileSync(path, "utf8").replaceAll(
          "import.meta.dirname",
          JSON.stringify(join(path, "..")),
        );
        return { loader: "ts", contents: own.reduce(plant, text) };
      });
    },
  };
}

function plant(text: string, { file, rule, instead }: PlantedFault): string {
  if (text.split(rule).length !== 2) throw new Error(`the rule is not once in ${file}: ${rule}`);
  return text.replace(rule, () => instead);
}
