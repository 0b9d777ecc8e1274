// Whether a gate could not run because its tool is not there. Only a word of the gate's own command counts: a tool that
// is missing inside a script of the project is that script's failure, and its author's to mend.

/** Sentences by which runners say that a program is missing; the first group is the program. */
const complaints = [
  /^\S*sh: (?:(?:line )?\d+: )?(\S+?): (?:command )?not found$/,
  /^\S*sh: (?:(?:line )?\d+: )?(\S+?): No such file or directory$/,
  /^env: [‘']?(\S+?)[’']?: No such file or directory$/,
  /^.*python[\d.]*(?:\.exe)?: No module named (\S+?)$/,
  /^error: no such (?:sub)?command: `(\S+?)`$/,
  /^error: '(\S+?)' is not installed for the toolchain/,
  /^Command not found: (\S+?)$/,
  /^error: Failed to spawn: `(\S+?)`$/,
  /^.*\bCommand "(\S+?)" not found\b/,
  /^.*\bCouldn't find a (?:script|command) named "(\S+?)"/,
  /^error: Script not found "(\S+?)"$/,
];

const npx = /^\s*npx\s+--no(?:-install)?\s+(?:--\s+)?(\S+)/;
/** What npx says instead of running a package that is not installed; without the network it says less. */
const npxRefuses =
  /^npm (?:error|ERR!).*(?:missing packages|could not determine executable|code (?:E404|ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT)\b)/;

/** The tool that a failed command says it lacks, or undefined. */
export function missingTool(command: string, output: string): string | undefined {
  const lines = output.split(/\r?\n/).slice(-200);
  const packaged = npx.exec(command)?.[1];
  if (packaged && lines.some((line) => npxRefuses.test(line))) return packaged;
  const words = new Set(wordsOf(command));
  for (const line of lines) {
    const word = line.length > 1000 ? undefined : complaint(line);
    if (word !== undefined && (words.has(word) || words.has(`cargo-${word}`))) return word;
  }
  return undefined;
}

/** The words of a command line, quotes taken off. */
export function wordsOf(command: string): string[] {
  return command
    .split(/[\s;&|()]+/)
    .map((word) => word.replace(/^["']|["']$/g, ""))
    .filter((word) => word !== "");
}

function complaint(line: string): string | undefined {
  for (const pattern of complaints) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
