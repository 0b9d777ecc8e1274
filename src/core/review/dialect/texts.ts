// What may stand in the texts of a review, whatever they say: they are put on the record, into prompts and on terminals.

/** Tab and line breaks are text; other control characters move cursors or end lines where nobody expects it. */
// The two ranges that Unicode's class of them has had from the beginning and keeps: to make the class takes longer than to ask for them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /(?![\t\n\r])[\u0000-\u001f\u007f-\u009f]/;
/** With the u flag a pair is one character: what matches is a half without its other. */
const half = /[\ud800-\udfff]/u;

/** What in a text no review may contain, in words. */
export function findForbiddenText(text: string): string | undefined {
  const found = control.exec(text)?.[0];
  if (found !== undefined)
    return `a control character (U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")})`;
  return half.test(text) ? "half a surrogate pair" : undefined;
}

export interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
  /** It is the name of a property, not a value. */
  readonly isName: boolean;
}

/** The most texts and the greatest depth a review is looked through for. */
const most = 50_000;
const deepest = 12;

/** Every text inside a value, with its path; undefined when the value is too deep or too large to be a review. */
export function collectTexts(value: unknown): readonly Leaf[] | undefined {
  const leaves: Leaf[] = [];
  const open: { readonly value: unknown; readonly path: readonly string[] }[] = [{ value, path: [] }];
  for (let seen = 0; open.length > 0; seen++) {
    const next = open.pop();
    if (seen > most || (next?.path.length ?? 0) > deepest) return undefined;
    if (typeof next?.value === "string") leaves.push({ path: next.path, text: next.value, isName: false });
    if (typeof next?.value !== "object" || next.value === null) continue;
    for (const [key, inner] of Object.entries(next.value)) {
      leaves.push({ path: next.path, text: key, isName: true });
      open.push({ value: inner, path: [...next.path, key] });
    }
  }
  return leaves;
}
