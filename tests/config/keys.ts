// The keys of a configuration file, read from its schema: a new key is in the list by itself.

interface Shape {
  readonly type?: string;
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly wrapped?: unknown;
  readonly value?: unknown;
  readonly item?: unknown;
  readonly options?: readonly unknown[];
}

/** Every place at which a value may be written: `budget.max_tokens`, `commands.*.network`, `overrides[].name`. */
export function keysOf(schema: unknown, path = ""): string[] {
  const shape = schema as Shape | undefined;
  if (shape?.wrapped) return keysOf(shape.wrapped, path);
  if (shape?.type === "union" || shape?.type === "variant")
    return distinct((shape.options ?? []).flatMap((option) => keysOf(option, path)));
  if (shape?.type === "record") return keysOf(shape.value, `${path}.*`);
  if (shape?.type === "array") return keysOf(shape.item, hasKeys(shape.item) ? `${path}[]` : path);
  if (!shape?.entries) return [path];
  return Object.entries(shape.entries).flatMap(([key, inside]) =>
    keysOf(inside, path === "" ? key : `${path}.${key}`),
  );
}

function hasKeys(schema: unknown): boolean {
  const shape = schema as Shape | undefined;
  if (shape?.wrapped) return hasKeys(shape.wrapped);
  return Boolean(shape?.entries || shape?.options?.some(hasKeys));
}

const distinct = (words: readonly string[]): string[] => [...new Set(words)];

/** A copy of `value` with something else at a path: `gates.overrides[].name` is in the first item. */
export function withValue(value: unknown, path: string, put: unknown): unknown {
  const words = path.split(/\.|(?=\[\])/);
  return place(value, words, put);
}

function place(value: unknown, [word = "", ...rest]: readonly string[], put: unknown): unknown {
  if (word === "[]") return [place((value as unknown[] | undefined)?.[0] ?? {}, rest, put)];
  const table = (value ?? {}) as Record<string, unknown>;
  const key = word === "*" ? (Object.keys(table)[0] ?? "any") : word;
  return { ...table, [key]: rest.length === 0 ? put : place(table[key], rest, put) };
}
