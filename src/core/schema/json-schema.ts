// JSON Schema of what is declared with valibot. Models answer in the strict form, which every vendor takes: each property
// is required, unused ones are null, nothing else is allowed. In a report, what is unused is left out.
import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";

export type Schema = Readonly<Record<string, unknown>>;
export type Properties = Readonly<Record<string, Schema>>;

/** What the library says of a declaration, with what `told` has put beside it. */
export interface Node {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Node | false;
  readonly anyOf?: readonly Node[];
  readonly default?: unknown;
  readonly needed?: boolean;
  readonly names?: readonly string[];
}

/** Trimming and the like cannot be said in JSON Schema and need not be: they only make the check milder. */
export const toSchemaNode = (schema: v.GenericSchema): Node =>
  toJsonSchema(schema, { typeMode: "output", errorMode: "ignore" }) as Node;

/** What stands for a property without a value. */
type UnusedProperty = "null" | "left out";

/** What the answer of a model must look like. */
export const buildStrictSchema = (schema: v.GenericSchema): Schema =>
  buildSchema(toSchemaNode(schema), "null");

/** The same as properties, for code that puts an answer together. */
export const buildStrictProperties = (schema: v.GenericSchema): Properties =>
  buildStrictSchema(schema).properties as Properties;

/** What a report looks like to the program that reads it. */
export const buildOpenSchema = (schema: v.GenericSchema): Schema =>
  buildSchema(toSchemaNode(schema), "left out");

function buildSchema(node: Node, unused: UnusedProperty): Schema {
  if (node.anyOf) return buildChoice(node, node.anyOf, unused);
  const { type, const: value, enum: words, items, description } = node;
  return {
    ...(type ? { type } : {}),
    ...(value === undefined ? {} : { const: value }),
    ...(words ? { enum: words } : {}),
    ...(items ? { items: buildSchema(items, unused) } : {}),
    ...(type === "object" ? buildObjectFields(node, unused) : {}),
    ...(description ? { description } : {}),
  };
}

/** Of several forms that are read, the one that is described is asked for; null may stand beside it. */
function buildChoice({ anyOf: _, ...beside }: Node, forms: readonly Node[], unused: UnusedProperty): Schema {
  const form = forms.find(isAsked) ?? forms[0];
  const schema = buildSchema({ ...form, ...beside }, unused);
  return forms.some(({ type }) => type === "null") ? allowNull(schema) : schema;
}

/** A field is asked for when it is described, or has parts that are. */
export const isAsked = ({ description, properties = {}, anyOf = [] }: Node): boolean =>
  Boolean(description) || [...Object.values(properties), ...anyOf].some(isAsked);

function buildObjectFields(node: Node, unused: UnusedProperty): Schema {
  const { properties = {}, required = [], names = [], additionalProperties: value } = node;
  const free = names.map((name) => [name, allowNull(buildSchema(value || {}, unused))] as const);
  const asked = Object.entries(properties)
    .filter(([name, inner]) => isAsked(inner) || required.includes(name))
    .map(([name, inner]) => {
      const isThere = required.includes(name) || inner.needed || inner.default !== undefined;
      const schema = buildSchema(inner, unused);
      return [name, isThere || unused === "left out" ? schema : allowNull(schema)] as const;
    });
  const all = Object.fromEntries([...free, ...asked]);
  return {
    properties: all,
    required: unused === "null" ? Object.keys(all) : required,
    additionalProperties: false,
  };
}

/** An object with exactly these properties. */
export const buildObjectSchema = (properties: Properties): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** The same property, which may also be null. */
export function allowNull(schema: Schema): Schema {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return {
    ...schema,
    type: [...new Set([...types, "null"])],
    ...(Array.isArray(schema.enum) ? { enum: [...new Set([...schema.enum, null])] } : {}),
  };
}
