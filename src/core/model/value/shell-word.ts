// Text as one word of a shell line.

/** In quotes, whatever stands in it. */
export const quoteShellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** In quotes only where a shell would read something into it: what a person would type. */
export const quoteShellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : quoteShellText(word);
