// The words a schema knows at each level of a value. Asked apart from checking, because people want every unknown
// word at once and the nearest known one beside it.
import type { Path } from "./problems.ts";

export interface UnknownKey {
  readonly path: Path;
  readonly key: string;
  /** What could have stood there; empty where any word may stand but this one is taken by the language itself. */
  readonly known: readonly string[];
}

/** The parts of a schema that are read here; all else about it is the checker's business. */
interface Shape {
  readonly type?: string;
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly wrapped?: unknown;
  readonly value?: unknown;
  readonly item?: unknown;
  readonly key?: unknown;
  readonly options?: readonly unknown[];
}

export function unknownKeys(schema: unknown, value: unknown, path: Path = []): UnknownKey[] {
  const shape = schema as Shape | undefined;
  if (shape?.wrapped) return unknownKeys(shape.wrapped, value, path);
  if (Array.isArray(value)) return value.flatMap((item, i) => unknownKeys(shape?.item, item, [...path, i]));
  if (!shape || !isTable(value)) return [];
  if (shape.type === "union") return unknownKeys(tableAmong(shape), value, path);
  const deeper = (key: string, inside: unknown) => unknownKeys(inside, value[key], [...path, key]);
  const entries = shape.type === "variant" ? chosen(shape, value)?.entries : shape.entries;
  const open = shape.type === "record" || shape.type === "loose_object";
  if (!entries && !open) return [];
  return Object.keys(value).flatMap((key) => {
    if (entries && Object.hasOwn(entries, key)) return deeper(key, entries[key]);
    if (!open) return [{ path: [...path, key], key, known: Object.keys(entries ?? {}) }];
    return key in Object.prototype || key === "prototype"
      ? [{ path: [...path, key], key, known: [] }]
      : deeper(key, shape.value);
  });
}

/** Where a table is wanted and a list or a date stands; the checker itself takes any of them for an object. */
export function misplacedLists(schema: unknown, value: unknown, path: Path = []): Path[] {
  const shape = schema as Shape | undefined;
  if (shape?.wrapped) return misplacedLists(shape.wrapped, value, path);
  if (!shape || typeof value !== "object" || value === null) return [];
  const deeper = (key: string | number, inside: unknown) =>
    misplacedLists(inside, (value as Record<string | number, unknown>)[key], [...path, key]);
  const list = Array.isArray(value) ? listAmong(shape) : undefined;
  if (list) return misplacedLists(list, value, path);
  if (shape.type === "array")
    return Array.isArray(value) ? value.flatMap((_, i) => deeper(i, shape.item)) : [];
  if (!isTable(value)) return shape.entries || shape.options || shape.type === "record" ? [path] : [];
  const entries = shape.type === "variant" ? chosen(shape, value)?.entries : shape.entries;
  return Object.keys(value).flatMap((key) => deeper(key, entries?.[key] ?? shape.value));
}

/** The option of a union that is a list. */
function listAmong({ type, options = [] }: Shape): Shape | undefined {
  return type === "union"
    ? (options as readonly Shape[]).find((option) => option.type === "array")
    : undefined;
}

/** The option of a union that is a table. */
const tableAmong = ({ options = [] }: Shape): Shape | undefined =>
  (options as readonly Shape[]).find((option) => option.entries);

export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** A variant is told by one of its keys: steps by `kind`. */
function chosen(shape: Shape, value: Readonly<Record<string, unknown>>): Shape | undefined {
  const told = value[String(shape.key)];
  return (shape.options as readonly Shape[] | undefined)?.find((option) => {
    const literal = option.entries?.[String(shape.key)] as { literal?: unknown } | undefined;
    return literal?.literal === told;
  });
}
