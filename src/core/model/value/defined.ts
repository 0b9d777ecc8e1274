// Optional fields without a value are left out: a line of the record has no key that says nothing.

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };
type Perhaps<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** The same fields in the same order, without those that are undefined. */
export function omitUndefined<T extends object>(fields: T): Present<T> & Perhaps<T> {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Present<T> & Perhaps<T>;
}
