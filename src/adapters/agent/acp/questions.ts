// Questions that an agent asks by a form (elicitation): each field becomes a question to a human, and the human's words
// become values of the form again.
import type { CreateElicitationRequest, ElicitationContentValue } from "@agentclientprotocol/sdk";
import * as v from "valibot";
import type { Asking } from "../../../core/model/outcome.ts";
import { readerOf } from "./wire.ts";

const text = v.nullish(v.string());
const Choices = v.nullish(v.array(v.looseObject({ const: v.string(), title: text })));
const Field = v.looseObject({
  type: v.string(),
  title: text,
  description: text,
  enum: v.nullish(v.array(v.string())),
  oneOf: Choices,
  items: v.nullish(v.looseObject({ enum: v.nullish(v.array(v.string())), anyOf: Choices })),
});
type Field = v.InferOutput<typeof Field>;

const Form = v.looseObject({
  properties: v.nullish(v.record(v.string(), Field)),
  required: v.nullish(v.array(v.string())),
});
export type Form = v.InferOutput<typeof Form>;

/** The envelope of a request; whether its form can be shown is looked at afterwards. */
const Request = readerOf<CreateElicitationRequest>()(
  v.looseObject({ message: v.string(), mode: v.string(), requestedSchema: v.optional(v.unknown()) }),
);

export interface Shown {
  readonly form: Form;
  readonly questions: readonly Asking[];
}

/** The questions of a form, or undefined when this is no form that can be shown as words. */
export function questionsIn(params: unknown): Shown | undefined {
  const request = v.safeParse(Request, params);
  if (!request.success || request.output.mode !== "form") return undefined;
  const form = v.safeParse(Form, request.output.requestedSchema);
  if (!form.success) return undefined;
  const fields = Object.entries(form.output.properties ?? {});
  const { message } = request.output;
  // A form without fields is a plain question: yes or no.
  const questions =
    fields.length === 0
      ? [{ id: "agreed", question: message, options: ["yes", "no"] }]
      : fields.map(([id, field]) => questionOf(id, field, message));
  return { form: form.output, questions };
}

function questionOf(id: string, field: Field, message: string): Asking {
  const options = labels(field);
  const question = field.title || field.description || id;
  const context = [message, field.title ? field.description : ""].filter((part) => part && part !== question);
  return {
    id,
    question,
    ...(options.length > 0 ? { options } : {}),
    ...(context.length > 0 ? { context: context.join("\n") } : {}),
  };
}

/** Label and value of every answer a field proposes. */
function choices({ type, enum: values, oneOf, items }: Field): (readonly [label: string, value: string])[] {
  if (type === "boolean")
    return [
      ["yes", "true"],
      ["no", "false"],
    ];
  const titled = oneOf ?? items?.anyOf;
  if (titled) return titled.map((one) => [one.title || one.const, one.const]);
  return (values ?? items?.enum ?? []).map((value) => [value, value]);
}

const labels = (field: Field) => choices(field).map(([label]) => label);

/** The values of the form, or undefined when a field that must be filled in is not. */
export function filledIn(
  form: Form,
  answers: Readonly<Record<string, string>>,
): Record<string, ElicitationContentValue> | undefined {
  const fields = Object.entries(form.properties ?? {});
  if (fields.length === 0) return isNo(answers.agreed) ? undefined : {};
  const filled = fields.flatMap(([id, field]) => {
    const value = valueFor(field, answers[id]);
    return value === undefined ? [] : [[id, value] as const];
  });
  const given = Object.fromEntries(filled);
  return (form.required ?? []).every((id) => id in given) ? given : undefined;
}

const isNo = (word: string | undefined) => word === undefined || word.trim().toLowerCase() === "no";

function valueFor(field: Field, words: string | undefined): ElicitationContentValue | undefined {
  if (words === undefined || words.trim() === "") return undefined;
  if (field.type === "array") return words.split(",").map((word) => chosen(field, word));
  const value = chosen(field, words);
  if (field.type === "boolean") return value === "true";
  if (field.type !== "number" && field.type !== "integer") return value;
  const amount = Number(value);
  return Number.isFinite(amount) ? amount : undefined;
}

/** The value behind a label; words that are no label stay as they are. */
function chosen(field: Field, words: string): string {
  const plain = words.trim().toLowerCase();
  const found = choices(field).find((pair) => pair.some((part) => part.toLowerCase() === plain));
  return found?.[1] ?? words.trim();
}
