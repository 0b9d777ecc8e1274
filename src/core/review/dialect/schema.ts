// The JSON Schema of each dialect, in the strict form that every vendor takes.
import type { Dialect } from "../../model/review/verdict.ts";
import {
  buildObjectSchema,
  buildStrictProperties,
  type Properties,
  type Schema,
} from "../../schema/json-schema.ts";
import { dialectForms } from "./read.ts";

/** The properties of a review in this dialect. The worker's signal is part of answers only; `status` asks on its own. */
export function buildReviewProperties(dialect: Dialect): Properties {
  const { message: _message, questions, ...own } = buildStrictProperties(dialectForms[dialect]);
  return dialect === "status" && questions ? { ...own, questions } : own;
}

/** The JSON Schema of a review in this dialect. */
export const buildReviewSchema = (dialect: Dialect): Schema =>
  buildObjectSchema(buildReviewProperties(dialect));
