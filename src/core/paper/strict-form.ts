// A paper in the strict form that models answer in: every property of its schema is there, unused ones are null or empty.
import { isObject } from "../schema/absent.ts";
import { buildStrictSchema, type Schema } from "../schema/json-schema.ts";
import type { PaperKind, PaperValue } from "./kind.ts";

/** What models are asked for: every property is required, unused ones are null. */
export const buildPaperSchema = ({ schema }: Pick<PaperKind, "schema">): Schema => buildStrictSchema(schema);

/** This paper as a model writes it without a terminal; read again, it is the same paper. */
export const formatStrictPaper = (kind: Pick<PaperKind, "schema">, value: PaperValue): PaperValue =>
  tightenForm(buildPaperSchema(kind), value) as PaperValue;

function tightenForm(schema: Schema, value: unknown): unknown {
  if (value === undefined) return getEmptyValue(schema);
  if (Array.isArray(value)) return value.map((one) => tightenForm(schema.items as Schema, one));
  if (!isObject(value)) return value;
  const wanted = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
  const filled = wanted.map(([name, inner]) => [name, tightenForm(inner, value[name])]);
  return { ...value, ...Object.fromEntries(filled) };
}

/** What stands where nothing is said. */
function getEmptyValue(schema: Schema): unknown {
  const types = [schema.type].flat();
  if (types.includes("null")) return null;
  if (types.includes("array")) return [];
  return types.includes("object") ? tightenForm(schema, {}) : "";
}
