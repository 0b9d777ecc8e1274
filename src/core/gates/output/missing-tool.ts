// Whether a gate could not run because a tool is not there: one of its own command, or one that a script of the project
// calls and a shell could not find. Neither says anything about the tree.

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
export function findMissingTool(command: string, output: string): string | undefined {
  const lines = output.split(/\r?\n/).slice(-200);
  const packaged = npx.exec(command)?.[1];
  if (packaged && lines.some((line) => npxRefuses.test(line))) return packaged;
  const words = new Set(splitCommandWords(command));
  for (const line of lines) {
    const word = line.length > 1000 ? undefined : findComplaint(line);
    if (word !== undefined && (words.has(word) || words.has(`cargo-${word}`))) return word;
  }
  return undefined;
}

/** What runners print when the command of a script was not found: a shell's exit code 127, in their own words. */
const notFoundCode = [
  /\bexit(?:ed with)? (?:code|status):? 127\b/i,
  /\bError 127\b/,
  /\bcode 127\b/,
  /node_modules missing, did you mean to install/,
];
const shellComplaint =
  /(?:^|[\s:])(?:\/\S*\/)?(?:ba|da|z|k)?sh: (?:(?:line )?\d+: )?([\w@./+-]+?): (?:command )?not found$|^make(?:\[\d+\])?: ([\w@./+-]+): No such file or directory$/;

/** The tool that a script inside the gate lacks: said by a shell, and the reason why the whole command ended. */
export function findMissingInnerTool(exitCode: number | null, output: string): string | undefined {
  const lines = output
    .split(/\r?\n/)
    .slice(-200)
    .filter(({ length }) => length < 1000);
  const isEnd = exitCode === 127 || lines.some((line) => notFoundCode.some((said) => said.test(line)));
  if (!isEnd) return undefined;
  const found = lines.map((line) => shellComplaint.exec(line)).find((match) => match !== null);
  return found?.[1] ?? found?.[2];
}

/** The words of a command line, quotes taken off. */
export function splitCommandWords(command: string): string[] {
  return command
    .split(/[\s;&|()]+/)
    .map((word) => word.replace(/^["']|["']$/g, ""))
    .filter((word) => word !== "");
}

function findComplaint(line: string): string | undefined {
  for (const pattern of complaints) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
