// A command that a signal has ended, told from one that failed. Killed from outside (out of memory, a person, a machine
// that goes down) says nothing about the tree; a crash of the program itself does.

/** Signals by which somebody else ends a process. */
const outside = new Set([
  "SIGKILL",
  "SIGTERM",
  "SIGHUP",
  "SIGINT",
  "SIGQUIT",
  "SIGXCPU",
  "SIGXFSZ",
  "SIGPWR",
]);

const numbers: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  5: "SIGTRAP",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
  24: "SIGXCPU",
  25: "SIGXFSZ",
  31: "SIGSYS",
};

/** What runners say when a program of theirs was killed and their own exit code does not tell; the first group names it. */
const sayings = [
  /^npm (?:error|ERR!) signal (SIG[A-Z]+)$/,
  /^.*\(signal: \d+, (SIG[A-Z]+)[:)]/,
  /^.*(?:was killed with|Command failed with) signal "?(SIG[A-Z]+)\b/,
  /^error Command failed with signal "(SIG[A-Z]+)"\.$/,
];
const goKilled = /^(?:\S+: )?signal: killed$/;
const shellKilled = /^\S*sh: (?:line )?\d+: +(?:\d+ )?Killed\b|^Killed$/;

/** The name of a signal's number; `signal 40` for one without a name. */
export function getSignalName(number: number): string {
  return numbers[number] ?? `signal ${number}`;
}

/** The signal that ended a command: its own, its shell's word for it, or what the runner in between printed. */
export function findEndingSignal(
  exitCode: number | null,
  signal: string | undefined,
  output: string,
): string | undefined {
  if (signal !== undefined) return signal;
  if (exitCode === null || exitCode === 0) return undefined;
  const shell = exitCode > 128 ? numbers[exitCode - 128] : undefined;
  return shell ?? findSaidSignal(output.split(/\r?\n/).slice(-60));
}

function findSaidSignal(lines: readonly string[]): string | undefined {
  for (const line of lines.filter(({ length }) => length < 400)) {
    const found = sayings.map((saying) => saying.exec(line)?.[1]).find((name) => name !== undefined);
    if (found) return found;
    if (goKilled.test(line) || shellKilled.test(line)) return "SIGKILL";
  }
  return undefined;
}

/** Somebody else ended it: it has not judged the tree. */
export const isKilled = (signal: string): boolean => outside.has(signal);

/** `killed by SIGKILL, maybe out of memory`, `crashed with SIGSEGV`. */
export function describeSignal(signal: string): string {
  if (!isKilled(signal)) return `crashed with ${signal}`;
  return `killed by ${signal}${signal === "SIGKILL" ? ", maybe out of memory" : ""}`;
}
