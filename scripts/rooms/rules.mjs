// The rules that follow from the room table, in dependency-cruiser's words. Each rule says what is allowed and
// forbids the rest, so a room or package that nobody listed is closed.
import { builtinModules } from "node:module";

const NPM = ["npm", "npm-dev", "npm-optional", "npm-peer", "npm-bundled", "npm-no-pkg", "npm-unknown"];

/** All forbidden-rules for a room table. */
export function buildRules(table) {
  const rooms = Object.entries(table.rooms);
  return [
    ...rooms.map(([name, room]) => importsRule(name, room)),
    ...rooms.map(([name, room]) => packagesRule(name, room)),
    ...rooms.filter(([, room]) => !room.builtins).map(([name]) => builtinsRule(name)),
    ...table.closedToSiblings.map(siblingsRule),
    ...table.layers.flatMap(layerRules),
    ...table.fronts.map(frontRule),
    ...table.onlyIn.map(onlyInRule),
    ...table.keptTo.map(keptToRule),
    ...table.typesOnly.flatMap(typesOnlyRules),
    ...treeRules(table),
  ];
}

function importsRule(name, { imports }) {
  const allowed = [name, ...imports];
  return rule(
    `room-${name}`,
    `${name}/ may import ${imports.map((room) => `${room}/`).join(", ") || "nothing but itself"}`,
    { path: `^src/${name}/` },
    {
      pathNot: [...allowed.map((room) => `^src/${room}/`), "(^|/)node_modules/"],
      dependencyTypesNot: ["core", ...NPM],
    },
  );
}

function packagesRule(name, { packages }) {
  return rule(
    `packages-${name}`,
    `${name}/ may use ${packages.length > 0 ? `only the packages ${packages.join(", ")}` : "no npm package"}`,
    { path: `^src/${name}/` },
    {
      dependencyTypes: NPM,
      pathNot: packages.flatMap((name) => [`(^|/)node_modules/${name}/`, `^${name}$`]),
    },
  );
}

function builtinsRule(name) {
  const comment = `${name}/ uses no Node.js module; what it needs of the world is passed in`;
  return rule(`builtins-${name}`, comment, { path: `^src/${name}/` }, { dependencyTypes: ["core"] });
}

function siblingsRule({ room, shared, because }) {
  return rule(
    `siblings-${room}`,
    because,
    { path: `^src/${room}/([^/]+)` },
    {
      path: `^src/${room}/`,
      pathNot: [`^src/${room}/$1(/|$)`, ...shared.map((folder) => `^src/${room}/${folder}/`)],
    },
  );
}

/** The folders of a room from the lowest to the highest: each may import itself and what stands before it. */
function layerRules({ room, folders }) {
  const path = (name) => `^src/${room}/${name}/`;
  return folders.map(({ name, because }, index) =>
    rule(
      `layer-${room}-${name}`,
      `${room}/${name} (${because}) may import no folder that stands behind it in rooms.json`,
      { path: path(name) },
      { path: `^src/${room}/`, pathNot: folders.slice(0, index + 1).map((lower) => path(lower.name)) },
    ),
  );
}

/** A room of which the others import one folder. */
function frontRule({ room, front, because }) {
  return rule(
    `front-${room}`,
    because,
    { path: "^(src|web)/", pathNot: `^src/${room}/` },
    { path: `^src/${room}/`, pathNot: `^src/${room}/${front}/` },
  );
}

function onlyInRule({ builtin, folder, because }) {
  return rule(
    `only-in-${folder.replaceAll("/", "-")}`,
    `only ${folder}/ may import node:${builtin}: ${because}`,
    { path: "^(src|web)/", pathNot: `^src/${folder}/` },
    { path: `^(node:)?${builtin}$` },
  );
}

/** A module whose values only some folders may use; its types may be named anywhere. */
function keptToRule({ module, folders, because }) {
  return rule(
    `kept-to-${module.replace(/\.ts$/, "").replaceAll("/", "-")}`,
    `only ${folders.map((folder) => `${folder}/`).join(" and ")} may use ${module}: ${because}`,
    { path: "^(src|web)/", pathNot: folders.map((folder) => `^src/${folder}/`) },
    { path: `^src/${module.replaceAll(".", "\\.")}$`, dependencyTypesNot: ["type-only"] },
  );
}

function typesOnlyRules({ folder, from, packages, because }) {
  const inside = { path: `^${folder}/` };
  return [
    rule(`packages-${folder}`, `${folder}/ may use only the packages ${packages.join(", ")}`, inside, {
      dependencyTypes: NPM,
      pathNot: packages.flatMap((name) => [`(^|/)node_modules/${name}/`, `^${name}$`]),
    }),
    rule(`room-${folder}`, because, inside, { path: "^src/", pathNot: `^src/${from}/` }),
    rule(`types-only-${folder}`, because, inside, { path: "^src/", dependencyTypesNot: ["type-only"] }),
    rule(`builtins-${folder}`, because, inside, { dependencyTypes: ["core"] }),
  ];
}

function treeRules({ entryPoints }) {
  const entries = entryPoints.map((file) => `^${file.replaceAll(".", "\\.")}$`);
  return [
    rule("cycle", "files that import one another can only be understood together", {}, { circular: true }),
    rule(
      "orphan",
      "nothing imports it and it imports nothing: wire it in or delete it",
      { orphan: true, path: "^(src|web)/", pathNot: [...entries, "\\.d\\.ts$"] },
      {},
    ),
    rule(
      "unresolved",
      "the file or package does not exist",
      { path: "^(src|web)/" },
      { couldNotResolve: true, pathNot: `^(node:)?(${builtinModules.join("|")})$` },
    ),
  ];
}

function rule(name, comment, from, to) {
  return { name, severity: "error", comment, from, to };
}
