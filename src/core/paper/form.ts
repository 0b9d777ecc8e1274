// A paper in the strict form that models answer in: every property of its schema is there, unused ones are null or empty.
import { isObject } from "../schema/absent.ts";
import type { Schema } from "../schema/json-schema.ts";
import type { PaperKind, PaperValue } from "./kind.ts";

/** This paper as a model writes it without a terminal; read again, it is the same paper. */
export const strictPaper = ({ json }: Pick<PaperKind, "json">, value: PaperValue): PaperValue =>
  strict(json, value) as PaperValue;

function strict(schema: Schema, value: unknown): unknown {
  if (value === undefined) return unused(schema);
  if (Array.isArray(value)) return value.map((one) => strict(schema.items as Schema, one));
  if (!isObject(value)) return value;
  const wanted = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
  const filled = wanted.map(([name, inner]) => [name, strict(inner, value[name])]);
  return { ...value, ...Object.fromEntries(filled) };
}

/** What stands where nothing is said. */
function unused(schema: Schema): unknown {
  const types = [schema.type].flat();
  if (types.includes("null")) return null;
  if (types.includes("array")) return [];
  return types.includes("object") ? strict(schema, {}) : "";
}
