// The programs that a gate's command starts, as far as its words show them: enough to see before a bubble is made that one
// is missing. What a shell would have to be asked for is left out.

const builtIn = new Set(
  ". : [ break case cd command echo else eval exec exit export false fi for if printf pwd read return set shift test then time trap true type ulimit umask unset until wait while { } ! do done".split(
    " ",
  ),
);
const dynamic = /[`$(){}<>*?\\]/;

/** The names to look for on the PATH, each once. */
export function listCommandPrograms(command: string): string[] {
  const unquoted = command.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "x");
  const firsts = unquoted.split(/&&|\|\||[;|&\n]/).map(findFirstWord);
  return [...new Set(firsts.filter(isName))];
}

/** The first word behind assignments, and behind `env` and its own. */
function findFirstWord(part: string): string {
  const words = part.trim().split(/\s+/);
  return words.find((word) => word !== "env" && !/^\w+=/.test(word)) ?? "";
}

const isName = (word: string) =>
  word !== "" && !builtIn.has(word) && !dynamic.test(word) && !word.includes("/") && /^[\w.+-]+$/.test(word);
