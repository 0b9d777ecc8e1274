// A label of a machine, where several share the work. What begins with has- is proven by a machine and given by nobody.
import * as v from "valibot";

export const Label = v.pipe(
  v.string(),
  v.regex(/^(?!has-)[a-z0-9][a-z0-9-]{0,30}$/, "must be a label: small letters, digits and -, and not has-…"),
);

/** A label as a person gives it. */
export const isGivenLabel = (label: string): boolean => v.is(Label, label);
