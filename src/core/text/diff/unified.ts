// The one reader of unified diffs as git prints them. The counts of a hunk's head decide what is content, never by how
// a line looks: a changed line may itself begin with `++ `, `-- `, `@@` or `diff --git`.

export interface DiffLine {
  readonly kind: "added" | "removed" | "kept";
  readonly text: string;
  /** The last line of its file, without a newline behind it. */
  readonly isOpen?: true;
}

export interface Hunk {
  /** First line and number of lines, before and after the change. */
  readonly before: Range;
  readonly after: Range;
  readonly lines: readonly DiffLine[];
}

interface Range {
  readonly first: number;
  readonly count: number;
}

export interface FileDiff {
  /** Where the file is now; where it was, when it is gone. */
  readonly path: string;
  readonly isGone: boolean;
  /** None for a binary file, a mere rename and a change of mode. */
  readonly hunks: readonly Hunk[];
}

/** Every file of a diff, in its order. A diff that was cut off is read as far as it goes. */
export function readDiff(diff: string): FileDiff[] {
  const reading = new Reading();
  for (const line of diff.split("\n")) reading.take(line);
  return reading.files.map(({ names, hunks }) => ({ ...buildPlace(names), hunks }));
}

interface Names {
  readonly head: string;
  old?: string;
  now?: string;
  isGone?: boolean;
}

interface OpenHunk extends Hunk {
  readonly lines: DiffLine[];
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const kinds: Readonly<Record<string, DiffLine["kind"]>> = { "+": "added", "-": "removed", " ": "kept" };

class Reading {
  readonly files: { readonly names: Names; readonly hunks: OpenHunk[] }[] = [];
  #hunk: OpenHunk | undefined;
  /** Lines of the open hunk that are still to come, on either side. */
  #left = { before: 0, after: 0 };

  take(line: string): void {
    if (this.#hunk && line.startsWith("\\ ")) this.#markOpen(this.#hunk.lines);
    else if (!this.#takeContent(line)) this.#takeHead(line);
  }

  /** Git's own remark that no newline follows the line before it. */
  #markOpen(lines: DiffLine[]): void {
    const last = lines.pop();
    if (last) lines.push({ ...last, isOpen: true });
  }

  #takeContent(line: string): boolean {
    if (!this.#hunk || (this.#left.before <= 0 && this.#left.after <= 0)) return false;
    // An empty context line may have lost its blank (diff.suppressBlankEmpty).
    const kind = line === "" ? "kept" : kinds[line.charAt(0)];
    if (kind === undefined) return false;
    if (kind !== "added") this.#left.before--;
    if (kind !== "removed") this.#left.after--;
    this.#hunk.lines.push({ kind, text: line.slice(1) });
    return true;
  }

  #takeHead(line: string): void {
    if (line.startsWith("diff --git ")) this.#begin({ head: line.slice("diff --git ".length) });
    const hunk = hunkHead.exec(line);
    if (hunk) this.#open(hunk);
    else if (line.startsWith("--- ")) this.#names(this.#hunk !== undefined).old = getName(line.slice(4));
    else if (line.startsWith("deleted file mode ")) this.#names(false).isGone = true;
    else if (line.startsWith("+++ ")) this.#names(false).now = getName(line.slice(4));
    else if (/^(?:rename|copy) to /.test(line))
      this.#names(false).now = unquoteName(line.slice(line.indexOf(" to ") + 4));
  }

  /** A plain diff has no `diff --git`: there the old name behind a hunk begins the next file. */
  #names(isNext: boolean): Names {
    const last = this.files.at(-1);
    return last && !isNext ? last.names : this.#begin({ head: "" });
  }

  #begin(names: Names): Names {
    this.files.push({ names, hunks: [] });
    this.#hunk = undefined;
    return names;
  }

  #open([, ...found]: RegExpExecArray): void {
    const [old, oldCount, now, nowCount] = found.map((text) => Number(text ?? 1));
    const before = { first: old ?? 0, count: oldCount ?? 1 };
    const after = { first: now ?? 0, count: nowCount ?? 1 };
    this.#hunk = { before, after, lines: [] };
    this.#left = { before: before.count, after: after.count };
    this.files.at(-1)?.hunks.push(this.#hunk);
  }
}

const nowhere = "/dev/null";

function buildPlace({ head, old, now, ...rest }: Names): Pick<FileDiff, "path" | "isGone"> {
  const isGone = rest.isGone === true || now === nowhere;
  return { path: (isGone ? old : now) ?? parseSameName(head), isGone };
}

/** A name behind --- or +++: git ends one with blanks in it by a tab. */
function getName(written: string): string {
  const name = unquoteName(written.startsWith('"') ? written : written.replace(/\t.*$/, ""));
  return name === nowhere ? name : name.replace(/^[ab]\//, "");
}

/** `a/name b/name` of a file that has no other line with its name: both are the same one. */
function parseSameName(head: string): string {
  const quoted = /^"a\/(?:[^"\\]|\\.)*" ("b\/(?:[^"\\]|\\.)*")$/.exec(head)?.[1];
  return quoted === undefined ? head.slice((head.length + 1) / 2 + 2) : getName(quoted);
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A name as git quotes it, with bytes as octal numbers; other names as they are. */
function unquoteName(written: string): string {
  if (!/^".*"$/.test(written)) return written;
  const bytes: number[] = [];
  for (const [part] of written.slice(1, -1).matchAll(/\\(?:[0-7]{3}|.)|[^\\]+/g)) {
    const code = part.startsWith("\\") ? part.slice(1) : undefined;
    if (code === undefined) bytes.push(...new TextEncoder().encode(part));
    else bytes.push(code.length === 3 ? Number.parseInt(code, 8) : (escapes[code] ?? code.charCodeAt(0)));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
