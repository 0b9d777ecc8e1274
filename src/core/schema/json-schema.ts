// The words of JSON Schema that every vendor's strict form takes: each property is required, unused ones are null,
// nothing else is allowed.

export type Schema = Readonly<Record<string, unknown>>;

export const text = (description: string): Schema => ({ type: "string", description });
export const maybe = (description: string): Schema => ({ type: ["string", "null"], description });
export const line: Schema = { type: ["integer", "null"], description: "line number, from 1" };
export const list = (items: Schema, description: string): Schema => ({ type: "array", items, description });

/** One of these words. */
export const word = (words: readonly string[], description: string): Schema => ({
  type: "string",
  enum: [...words],
  description,
});

/** The same property, which may also be null. */
export function nullable(schema: Schema): Schema {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return {
    ...schema,
    type: [...new Set([...types, "null"])],
    ...(Array.isArray(schema.enum) ? { enum: [...new Set([...schema.enum, null])] } : {}),
  };
}

/** An object with exactly these properties. */
export function object(properties: Readonly<Record<string, Schema>>, description?: string): Schema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...(description ? { description } : {}),
  };
}
