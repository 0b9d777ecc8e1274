// Bytes as a person can judge them: text as it is, and everything that an eye would miss or misread written out.

/** Controls but for the tab, and characters that reorder, join or hide: what is seen would not be what is there. */
const hiding = /(?!\t)\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/gu;

export interface VisibleText {
  readonly text: string;
  /** Every hidden character and every byte that is no text, as it is written out in the text. */
  readonly hidden: readonly string[];
}

/** `latin1`: one character a byte. */
export function makeVisible(latin1: string): VisibleText {
  const hidden: string[] = [];
  const name = (shown: string) => {
    hidden.push(shown);
    return `⟦${shown}⟧`;
  };
  const text = decodeBytes(latin1, name).replace(hiding, (one) =>
    name(`U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`),
  );
  return { text, hidden };
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What is no UTF-8 is told byte by byte. */
function decodeBytes(latin1: string, name: (shown: string) => string): string {
  const isPlain = !/[\u0080-\u00ff]/.test(latin1);
  if (isPlain) return latin1;
  try {
    return strict.decode(Uint8Array.from(latin1, (one) => one.charCodeAt(0)));
  } catch {
    return latin1.replace(/[\u0080-\u00ff]/g, (one) =>
      name(`byte ${one.charCodeAt(0).toString(16).toUpperCase()}`),
    );
  }
}
