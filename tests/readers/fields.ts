// The fields of a valibot schema as paths, and two values of each that differ: derived from the schema, so that a new field
// is covered without anybody thinking of it.
import * as v from "valibot";

export type Path = readonly string[];

export interface Field {
  readonly path: Path;
  /** Schema of the value at the path. */
  readonly schema: Node;
}

/** What is read of a schema here. */
export interface Node {
  readonly type: string;
  readonly wrapped?: Node;
  readonly pipe?: readonly Node[];
  readonly entries?: Readonly<Record<string, Node>>;
  readonly item?: Node;
  readonly items?: readonly Node[];
  readonly options?: readonly unknown[];
  readonly value?: Node;
  readonly literal?: unknown;
}

/** A list's items are `[]`, the values of a record `*`. */
export function fieldsOf(schema: Node, path: Path = []): Field[] {
  const inner = bare(schema);
  switch (inner.type) {
    case "strict_object":
    case "object":
      return Object.entries(inner.entries ?? {}).flatMap(([name, one]) => fieldsOf(one, [...path, name]));
    case "array":
      return inner.item ? fieldsOf(inner.item, [...path, "[]"]) : [];
    case "record":
      return inner.value ? fieldsOf(inner.value, [...path, "*"]) : [];
    case "union":
      return unionFields(inner, path);
    default:
      return [{ path, schema: inner }];
  }
}

/** Of a union the objects are walked, and what is no object is one field. */
function unionFields({ options = [] }: Node, path: Path): Field[] {
  const all = (options as readonly Node[]).flatMap((one) => fieldsOf(one, path));
  return all.filter((field, i) => all.findIndex((other) => nameOf(other) === nameOf(field)) === i);
}

export const nameOf = ({ path }: Pick<Field, "path">): string => path.join(".");

/** Without what may be absent, and without its checks. */
function bare(schema: Node): Node {
  if (schema.wrapped) return bare(schema.wrapped);
  const form = schema.pipe?.findLast(({ type }) => forms.has(type));
  return form && form !== schema ? bare(form) : schema;
}
const forms = new Set([
  "strict_object",
  "object",
  "array",
  "record",
  "union",
  "picklist",
  "string",
  "number",
  "boolean",
  "literal",
  "optional",
]);

const texts = (mark: string) => [
  `marker ${mark}`,
  ...(mark === "one"
    ? ["F7", "C7", "2026-02-21T10:00:00.000Z", "a".repeat(40)]
    : ["F8", "C8", "2026-02-21T11:30:00.000Z", "b".repeat(40)]),
];

/** Pairs of values that differ and that the schema of the field may take; whether it takes them its owner says. */
export function pairsFor({ schema }: Field): (readonly [unknown, unknown])[] {
  switch (schema.type) {
    case "boolean":
      return [[true, false]];
    case "number":
      return [
        [3, 7],
        [0.25, 0.75],
      ];
    case "picklist": {
      const options = schema.options ?? [];
      return options.slice(1).map((one) => [options[0], one] as const);
    }
    case "literal":
      return [[schema.literal, undefined]];
    case "unknown":
      return [["marker one", "marker two"]];
    default: {
      const two = texts("two");
      return texts("one").map((one, i) => [one, two[i]] as const);
    }
  }
}

/** A value with another one at this path in every place; what is missing on the way is made by `fill`. */
export function withValue(given: unknown, path: Path, value: unknown, fill: Node): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const schema = bare(fill);
  if (name === "[]") {
    const list = Array.isArray(given) && given.length > 0 ? given : [sampleOf(itemOf(schema))];
    return list.map((one) => withValue(one, rest, value, itemOf(schema)));
  }
  if (name === "*") {
    const known = isTable(given) && Object.keys(given).length > 0 ? given : { key: undefined };
    const inner = schema.value ?? { type: "unknown" };
    return Object.fromEntries(
      Object.keys(known).map((key) => [key, withValue((known as Table)[key], rest, value, inner)]),
    );
  }
  const table = isTable(given) ? given : (sampleOf(schema, name) as Table);
  // A range begins at a line.
  const begun = name === "end_line" && table.line === undefined ? { file: "src/cart.ts", line: 1 } : {};
  return { ...table, ...begun, [name]: withValue(table[name], rest, value, entryOf(schema, name)) };
}

type Table = Readonly<Record<string, unknown>>;
const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const objectsOf = (schema: Node): Node[] =>
  schema.type === "union" ? (schema.options as Node[]).map(bare).flatMap(objectsOf) : [schema];
const entryOf = (schema: Node, name: string): Node =>
  objectsOf(schema).flatMap(({ entries }) => entries?.[name] ?? [])[0] ?? { type: "unknown" };
const itemOf = (schema: Node): Node =>
  objectsOf(schema).flatMap(({ item }) => item ?? [])[0] ?? { type: "unknown" };

/** A small value that the schema takes: what may be absent is. */
export function sampleOf(schema: Node, having = ""): unknown {
  const inner = bare(schema);
  switch (inner.type) {
    case "strict_object":
    case "object": {
      const needed = Object.entries(inner.entries ?? {}).filter(
        ([name, one]) => isNeeded(one) && name !== having,
      );
      return Object.fromEntries(needed.map(([name, one]) => [name, sampleOf(one)]));
    }
    case "array":
      return [];
    case "record":
      return {};
    case "union": {
      const all = objectsOf(inner);
      return sampleOf(
        all.find(({ entries }) => having !== "" && entries && having in entries) ?? (all[0] as Node),
        having,
      );
    }
    case "picklist":
      return inner.options?.[0];
    case "number":
      return 1;
    case "boolean":
      return true;
    default: {
      const fits = ["sample", "F1", "2026-02-21T09:30:00.000Z"].find((one) =>
        v.is(schema as unknown as v.GenericSchema, one),
      );
      return fits ?? "sample";
    }
  }
}

const isNeeded = ({ type }: Node): boolean => type !== "optional" && type !== "nullish";
