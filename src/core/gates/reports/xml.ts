// As much of XML as coverage reports need: the attributes of a tag, found without walking the whole document.

/** The attributes of the tag that begins at this place; it ends where it is closed or where the next one begins. */
export function readAttributes(text: string, at: number): Readonly<Record<string, string>> {
  const upToEnd = /<[^<>]*/y;
  upToEnd.lastIndex = at;
  const pairs = (upToEnd.exec(text)?.[0] ?? "").matchAll(/\s([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return Object.fromEntries(
    [...pairs].map(([, name = "", double, single]) => [name, double ?? single ?? ""]),
  );
}

/** Where a tag of this name first begins, or -1. */
export function findTag(text: string, name: string): number {
  return text.search(new RegExp(`<${name}[\\s>]`));
}

/** A whole number an attribute spells, or undefined. */
export function readCount(attribute: string | undefined): number | undefined {
  return attribute !== undefined && /^\d{1,15}$/.test(attribute) ? Number(attribute) : undefined;
}
