// Letters and digits of every script. Unicode's classes are sets of a thousand ranges, which are put together anew for every
// expression that names them and take longer than all else about a sentence; so texts of ASCII alone are asked with its own.

interface Letters {
  /** One letter or digit, as often as it stands there. */
  readonly each: RegExp;
  /** As many as stand together. */
  readonly words: RegExp;
  /** What stands between them. */
  readonly others: RegExp;
  /** What parts the clauses of a sentence. */
  readonly parting: RegExp;
}

const ascii = build("A-Za-z0-9", "g");
let every: Letters | undefined;

export const isAscii = (text: string): boolean => !/[\u0080-\uffff]/.test(text);

/** The expressions for this text. */
export function chooseLetters(text: string): Letters {
  if (isAscii(text)) return ascii;
  every ??= build("\\p{L}\\p{N}", "gu");
  return every;
}

function build(letters: string, flags: string): Letters {
  const parting = `[;,\\n]|[.!?](?=\\s|$)|(?<![${letters}])(?:and|but|while|whereas)(?![${letters}])|&`;
  return {
    each: new RegExp(`[${letters}]`, flags),
    words: new RegExp(`[${letters}]+`, flags),
    others: new RegExp(`[^${letters}]+`, flags),
    parting: new RegExp(parting, `${flags}i`),
  };
}
