// A command as a person must see it before it may run.

/** A command on one line, with everything to be seen that a screen would hide. */
export function escapeInvisible(command: string): string {
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(command)
    ? JSON.stringify(command).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeCharacter)
    : command;
}

const escapeCharacter = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
