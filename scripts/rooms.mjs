// Checks the rooms: turns rooms.json into rules, looks at every import of src (and web), and says each one that
// is not allowed with the reason. Two things imports cannot show, hidden inputs and computed imports, are
// read from the syntax tree.
//   node scripts/rooms.mjs [--root <tree>] [--json]
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { cruise } from "dependency-cruiser";
import { findHiddenInputs } from "./rooms/hidden-inputs.mjs";
import { buildRules } from "./rooms/rules.mjs";

const { values } = parseArgs({ options: { root: { type: "string" }, json: { type: "boolean" } } });
const home = resolve(import.meta.dirname, "..");
process.chdir(resolve(values.root ?? home));

const table = JSON.parse(readFileSync(join(home, "rooms.json"), "utf8"));
const { modules, violations } = await cruiseImports(table);
const sources = modules.map((module) => module.source).filter((source) => /^(src|web)\//.test(source));
const all = [
  ...findUnlistedRooms(table),
  ...findUnlistedLayers(table),
  ...violations,
  ...findHiddenInputs(sources, table),
];
report(all, sources.length);

async function cruiseImports(table) {
  const folders = ["src", "web"].filter((folder) => existsSync(folder));
  const { output } = await cruise(
    folders,
    {
      validate: true,
      ruleSet: { forbidden: buildRules(table) },
      tsPreCompilationDeps: true,
      doNotFollow: { path: "(^|/)node_modules/" },
    },
    {
      extensions: [".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  );
  return { modules: output.modules, violations: output.summary.violations.map(explain) };
}

function explain({ rule, from, to, cycle, comment }) {
  const path = cycle ? cycle.map((step) => step.name ?? step).join(" -> ") : to;
  return { rule: rule.name, from, to: path, because: comment ?? reasonOf(rule.name) };
}

function reasonOf(name) {
  return buildRules(table).find((rule) => rule.name === name)?.comment ?? "";
}

/** Folders and files directly under src that have no row: a new room starts closed. */
function findUnlistedRooms({ rooms }) {
  return readdirSync("src")
    .filter((name) => !Object.hasOwn(rooms, name))
    .map((name) => ({
      rule: "unlisted-room",
      from: `src/${name}`,
      to: "rooms.json",
      because: "every folder of src has a row in rooms.json that says what it may import",
    }));
}

/** Whatever stands directly in a room with layers and has no row: it would be allowed everything. */
function findUnlistedLayers({ layers }) {
  return layers.flatMap(({ room, folders }) => {
    const known = new Set(folders.map(({ name }) => name));
    const found = existsSync(`src/${room}`) ? readdirSync(`src/${room}`) : [];
    return found
      .filter((name) => !known.has(name))
      .map((name) => ({
        rule: "unlisted-layer",
        from: `src/${room}/${name}`,
        to: "rooms.json",
        because: `everything in src/${room} is in a folder whose place in the order is in rooms.json`,
      }));
  });
}

function report(violations, count) {
  if (values.json) console.log(JSON.stringify({ modules: count, violations }));
  for (const { rule, from, to, because } of violations) {
    console.error(`rooms: ${rule}: ${from} -> ${to}\n       ${because}`);
  }
  // A checker that sees nothing finds nothing wrong, so seeing nothing is itself a failure.
  if (count === 0) console.error("rooms: no module was seen; is a supported TypeScript (below 7) installed?");
  else if (violations.length > 0)
    console.error(`rooms: ${violations.length} violations in ${count} modules.`);
  else if (!values.json) console.log(`rooms: ${count} modules, every import allowed.`);
  process.exitCode = count === 0 || violations.length > 0 ? 1 : 0;
}
