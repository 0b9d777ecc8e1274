// TypeScript of this project for benches: bundled into one module, so that plain Node can import it.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";

/** Bundles a file of this folder and imports it; `folder` takes what is made. */
export const imported = async (file, folder) => import(await buildBundle(file, folder));

/** Bundles a file of this folder; where it is, for a process of its own. */
export async function buildBundle(file, folder) {
  const out = join(folder, `${basename(file, ".ts")}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, file)],
    outfile: out,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    plugins: [whereItStands],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return out;
}

/** A bundle stands elsewhere; each file still finds its neighbours from where it was written. */
const whereItStands = {
  name: "where it stands",
  setup(bundle) {
    bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8").replaceAll("import.meta.dirname", JSON.stringify(dirname(path))),
    }));
  },
};
