// Where a value is not what a JSON Schema of the strict form wants.
import type { Schema } from "../../src/core/schema/json-schema.ts";

export function misfits(schema: Schema, value: unknown, path = "$"): string[] {
  const types = [schema.type].flat();
  if (value === null) return types.includes("null") ? [] : [`${path} is null`];
  if (Array.isArray(value))
    return types.includes("array")
      ? value.flatMap((one, i) => misfits(schema.items as Schema, one, `${path}[${i}]`))
      : [`${path} is a list`];
  const type = Number.isInteger(value) && !types.includes("number") ? "integer" : typeof value;
  if (!types.includes(type)) return [`${path} is ${type}`];
  const words = schema.enum as readonly unknown[] | undefined;
  if (words && !words.includes(value)) return [`${path} is ${String(value)}`];
  return type === "object" ? insideOf(schema, value as Record<string, unknown>, path) : [];
}

function insideOf(schema: Schema, value: Record<string, unknown>, path: string): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const extra = Object.keys(value).filter((name) => !properties.some(([known]) => known === name));
  return [
    ...extra.map((name) => `${path}.${name} is unknown`),
    ...properties.flatMap(([name, inner]) => misfits(inner, value[name], `${path}.${name}`)),
  ];
}
