// Asking a schema for the first thing wrong with a value, in words.
import * as v from "valibot";
import { describeIssue } from "./issue-text.ts";

export function describeSchemaProblem(schema: v.GenericSchema, value: unknown): string | undefined {
  const result = v.safeParse(schema, value);
  return result.success ? undefined : describeIssue(result.issues[0]);
}

export type ValidationResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The key is not known at this place. */
  readonly unknownKey?: string;
}

/** Checks a value against a schema; every problem with its path. */
export function check<T>(schema: v.GenericSchema<unknown, T>, value: unknown): ValidationResult<T> {
  const result = v.safeParse(schema, value);
  if (result.success) return { ok: true, value: result.output };
  return {
    ok: false,
    issues: result.issues.map((issue) => ({
      path: (issue.path ?? []).map((item) => item.key as string | number),
      message: describeIssue(issue),
      ...(issue.type === "strict_object" && issue.expected === "never"
        ? { unknownKey: String((issue.path ?? []).at(-1)?.key) }
        : {}),
    })),
  };
}
