// What the fields of a claim are declared with. The description is all that models, tools, flags and pages are told of a
// field; one without a description is still read, and asked of nobody.
import * as v from "valibot";

/** What a model is asked for beyond what a reader insists on. */
interface FieldRequest {
  /** A model always fills it in, although an answer without it is read. */
  readonly needed?: boolean;
  /** Only these of the words that are read. */
  readonly enum?: readonly string[];
  /** Of an object with free names: the names that are asked for. */
  readonly names?: readonly string[];
}

/** A text that says something. */
export const defineTextField = (max: number, about = "") =>
  v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max), v.description(about));

/** The same schema with its description. */
export const describeField = <const S extends v.GenericSchema>(
  schema: S,
  about: string,
  asked: FieldRequest = {},
) => v.pipe(schema, v.description(about), v.metadata({ ...asked }));

/** What a schema is described with; empty: it is asked of nobody. */
export function getDescription(schema: v.GenericSchema): string {
  const { wrapped } = schema as { readonly wrapped?: v.GenericSchema };
  return v.getDescription(schema) ?? (wrapped ? getDescription(wrapped) : "");
}

/** A field as screens see it. */
export type Field<T = unknown> = v.GenericSchema<unknown, T>;
