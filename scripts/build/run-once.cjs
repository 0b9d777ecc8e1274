// node run-once.cjs <bundle> <made> <folder> <lines>: runs command lines of a bundle in one process, as if it stood in
// <folder>, and writes what V8 compiled for them to <made> when nothing is left to do.
"use strict";
const { writeFileSync } = require("node:fs");
const { run, scriptOf } = require("../../bin/launch.js");

const [file, made, folder, lines] = process.argv.slice(2);

async function main() {
  const script = scriptOf(file);
  const bundle = run(script, file, folder);
  for (const { argv, env } of JSON.parse(lines)) {
    Object.assign(process.env, env);
    await bundle.run(argv, { name: "pairflow" });
    if (process.exitCode) throw new Error(`pairflow ${argv.join(" ")} exited with ${process.exitCode}`);
  }
  process.once("exit", () => writeFileSync(made, script.createCachedData()));
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
