// Which names an artifact may have, and what comes after a name that is taken. Shared by all record adapters,
// so that a name refused on one is refused on every other.
import { Failure } from "../../ports/failure.ts";

/** Views that stand beside the artifact folder, where the specification's layout has them. */
export const topLevelViews: readonly string[] = ["inbox.ndjson"];

/** Throws Failure `artifact.bad-name` unless the name stays inside the artifact folder (B2). */
export function checkName(name: string): void {
  const parts = name.split("/");
  const isSafe = name.length <= 300 && parts.every(isPlain);
  if (isSafe) return;
  throw new Failure("artifact.bad-name", `${JSON.stringify(name)} cannot be the name of an artifact.`, {
    hint: "Use a relative path such as messages/007-note.md, without .., a leading dot or backslashes.",
  });
}

// Names with a leading dot are the adapter's own, for files that are still being written.
function isPlain(part: string): boolean {
  const hasOddCharacter = [...part].some((one) => one < " " || one === "\u007f" || one === "\\");
  return part !== "" && !part.startsWith(".") && !hasOddCharacter && Buffer.byteLength(part) <= 200;
}

/** The n-th name to try: done-package.md, done-package-2.md, done-package-3.md … */
export function buildNthName(name: string, n: number): string {
  if (n === 1) return name;
  const dot = name.lastIndexOf(".");
  const hasExtension = dot > name.lastIndexOf("/") + 1;
  return hasExtension ? `${name.slice(0, dot)}-${n}${name.slice(dot)}` : `${name}-${n}`;
}
