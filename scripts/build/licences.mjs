// The licences of the packages whose code is in the bundles and in the page. The list comes from the build itself, so a package
// that is bundled cannot be forgotten, and one that is only a tool does not appear.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Name, version and full licence text of every package that these builds took code from. */
export function listLicences(root, metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = [...new Set(inputs.flatMap((path) => findPackageFolder(path) ?? []))].sort();
  const about =
    "Pairflow's bundles hold code of these packages. Each stands under the licence below its name.\n";
  return [about, ...folders.map((folder) => describePackage(root, folder))].join(`\n${"-".repeat(80)}\n\n`);
}

/** `node_modules/@scope/name` of a file in it; the innermost, where one package brings another. */
function findPackageFolder(path) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

function describePackage(root, folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e(\.|$)/i.test(one));
  if (!file && !license) throw new Error(`${name} ${version} is bundled and says nothing about its licence`);
  const text = file ? readFileSync(join(root, folder, file), "utf8").trim() : `Licence: ${license}`;
  return `${name} ${version} (${license})\n\n${text}\n`;
}
