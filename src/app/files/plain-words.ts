// A problem at a place in a file, as a sentence about that place.
import { type Path, spell } from "./problems.ts";

/** A message that is a clause gets its subject; one that is a sentence stays as it is. */
export function plainly(path: Path, message: string): string {
  return /^(?:must|is) /.test(message) ? `${spell(path) || "the file"} ${message}` : message;
}
