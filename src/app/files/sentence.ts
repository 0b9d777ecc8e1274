// A problem at a place in a file, as a sentence about that place.
import { spell, type ValuePath } from "./problems.ts";

/** A message that is a clause gets its subject; one that is a sentence stays as it is. */
export function addSubject(path: ValuePath, message: string): string {
  return /^(?:must|is) /.test(message) ? `${spell(path) || "the file"} ${message}` : message;
}
