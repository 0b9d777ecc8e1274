// The words a schema knows at each level of a value. Asked apart from checking, because people want every unknown
// word at once and the nearest known one beside it.
import type { ValuePath } from "./problems.ts";

export interface UnknownKey {
  readonly path: ValuePath;
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

export function findUnknownKeys(schema: unknown, value: unknown, path: ValuePath = []): UnknownKey[] {
  const shape = schema as Shape | undefined;
  if (shape?.wrapped) return findUnknownKeys(shape.wrapped, value, path);
  if (Array.isArray(value))
    return value.flatMap((item, i) => findUnknownKeys(shape?.item, item, [...path, i]));
  if (!shape || !isTable(value)) return [];
  if (shape.type === "union") return findUnknownKeys(findTableAmong(shape), value, path);
  const deeper = (key: string, inside: unknown) => findUnknownKeys(inside, value[key], [...path, key]);
  const entries = shape.type === "variant" ? chooseVariant(shape, value)?.entries : shape.entries;
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
export function findMisplacedLists(schema: unknown, value: unknown, path: ValuePath = []): ValuePath[] {
  const shape = schema as Shape | undefined;
  if (shape?.wrapped) return findMisplacedLists(shape.wrapped, value, path);
  if (!shape || typeof value !== "object" || value === null) return [];
  const deeper = (key: string | number, inside: unknown) =>
    findMisplacedLists(inside, (value as Record<string | number, unknown>)[key], [...path, key]);
  const list = Array.isArray(value) ? listAmong(shape) : undefined;
  if (list) return findMisplacedLists(list, value, path);
  if (shape.type === "array")
    return Array.isArray(value) ? value.flatMap((_, i) => deeper(i, shape.item)) : [];
  if (!isTable(value)) return shape.entries || shape.options || shape.type === "record" ? [path] : [];
  const entries = shape.type === "variant" ? chooseVariant(shape, value)?.entries : shape.entries;
  return Object.keys(value).flatMap((key) => deeper(key, entries?.[key] ?? shape.value));
}

/** The option of a union that is a list. */
function listAmong({ type, options = [] }: Shape): Shape | undefined {
  return type === "union"
    ? (options as readonly Shape[]).find((option) => option.type === "array")
    : undefined;
}

/** The option of a union that is a table. */
const findTableAmong = ({ options = [] }: Shape): Shape | undefined =>
  (options as readonly Shape[]).find((option) => option.entries);

export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** A variant is identified by one of its keys: steps by `kind`. */
function chooseVariant(shape: Shape, value: Readonly<Record<string, unknown>>): Shape | undefined {
  const told = value[String(shape.key)];
  return (shape.options as readonly Shape[] | undefined)?.find((option) => {
    const literal = option.entries?.[String(shape.key)] as { literal?: unknown } | undefined;
    return literal?.literal === told;
  });
}
