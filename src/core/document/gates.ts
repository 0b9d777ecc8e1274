// The four checks of a document as gates: the referee runs them like any other command, on exactly the tree that was
// handed in, and the author gets what they print.
import type { Gate } from "../model/gate.ts";
import { quoteShellWord } from "../model/value/shell-word.ts";
import { checkNames } from "./check-names.ts";

/** The gates of a document bubble, one a check, each to be passed or waived by its name. */
export function buildDocumentGates(path: string): Gate[] {
  return checkNames.map((name) => ({
    name,
    command: `pairflow document check ${quoteWord(path)} --check ${name}`,
    required: true,
    timeout_seconds: 60,
  }));
}

/** A path as one word of a shell, which no command takes for a flag. */
function quoteWord(path: string): string {
  return quoteShellWord(path.startsWith("-") ? `./${path}` : path);
}
