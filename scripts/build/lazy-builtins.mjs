// Modules of Node that a bundle loads when one of their functions is first used, and not at its start: child_process and
// crypto take longer to load than a short command runs. fs and path are loaded by Node itself.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const loadedAnyway = ["node:fs", "node:path"];
const namespace = "lazy-builtin";

/** For esbuild: each of them becomes an object whose properties are looked up when they are asked for. */
export const lazyBuiltins = {
  name: namespace,
  setup(bundle) {
    bundle.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === "import-statement" && !loadedAnyway.includes(path)
        ? { path, namespace }
        : { path, external: true },
    );
    bundle.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: lazily(path) }));
  },
};

function lazily(path) {
  const module = require(path);
  const load = `require(${JSON.stringify(path)})`;
  // A module that is itself a function, as node:assert is, cannot be stood in for.
  if (typeof module === "function") return `module.exports=${load}`;
  const names = Object.keys(module).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name));
  return `module.exports={${names.map((name) => `get ${name}(){return ${load}.${name}}`).join(",")}}`;
}
