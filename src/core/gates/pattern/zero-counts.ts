// "0 failed" contains a word of failure and means success. Counts of zero are removed from a line before a failure pattern is
// matched; where it is not certain that a count is meant, the words stay.

/** What is counted: "0 tests failed", "Failed test suites: 0". */
const things =
  "(?:tests?|specs?|suites?|examples?|cases?|files?|checks?|assertions?|scenarios?|tasks?|projects?)";
/** Behind these a zero is a number of its own: "worker 0 failed" is no count. */
const numbered =
  "(?:test|spec|suite|example|case|file|check|scenario|task|project|worker|shard|node|job|step|process|thread|run|attempt|build|item|rank|group|chunk|batch)";
const word = "[\\p{L}_][\\p{L}_-]{0,39}";

/** "failed: 0", "failures=0", "Failed tests: 0", `"failed": 0` – if nothing follows that the zero could belong to. */
const after = compileOnce(
  `(?<![\\p{L}_-])${word}(?:\\s${things}){0,2}["']?\\s{0,8}[:=|│(]\\s{0,8}["']?0["']?` +
    `(?=\\s{0,8}(?:$|[,;|│)\\]}>/.](?!\\d)|${word}["']?\\s{0,8}[:=]|(?:out )?of\\b))`,
  "giu",
);
/** "0 failed", "0 tests failed", "no failures" – unless the word is itself the name of a count that follows. */
const before = compileOnce(
  `(?<![\\p{L}\\d_.,#=-]|\\b${numbered}\\s{1,3})(?:0|no|zero|without)(?:\\sany)?\\s{1,8}(?:${things}\\s{1,8})?` +
    `${word}(?![\\p{L}_-]|["']?\\s{0,8}[:=])`,
  "giu",
);
/** "# fail 0" or "ℹ fail 0" as a whole line. */
const alone = compileOnce(
  `^(?:[^\\p{L}\\d]|ℹ){0,20}${word}(?:\\s${things})?\\s{1,20}0[^\\p{L}\\d]{0,5}$`,
  "iu",
);

/** Made on first use: every short command loads this file, and only gates need it. */
function compileOnce(source: string, flags: string): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= new RegExp(source, flags);
    return made;
  };
}

/** The line without the words that it counts as zero. */
export function removeZeroCounts(line: string): string {
  return alone().test(line) ? "" : line.replace(after(), " ").replace(before(), " ");
}

/** Whether a pattern itself mentions a zero, as in `0 passed` or `no tests`: then it means what it says. */
export function mentionsZero(pattern: string): boolean {
  const said = pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\{[^}]*\}/gs, " ");
  return /(?<!\w)(?:0|no|zero|without)(?!\w)/i.test(said);
}
