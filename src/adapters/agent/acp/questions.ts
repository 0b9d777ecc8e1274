// Questions that an agent asks by a form (elicitation): each field becomes a question to a human, and the human's words
// become values of the form again.
import type { CreateElicitationRequest, ElicitationContentValue } from "@agentclientprotocol/sdk";
import * as v from "valibot";
import type { AgentQuestion } from "../../../core/model/turn-end.ts";
import { defineReader } from "./wire.ts";

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

const ElicitationForm = v.looseObject({
  properties: v.nullish(v.record(v.string(), Field)),
  required: v.nullish(v.array(v.string())),
});
export type ElicitationForm = v.InferOutput<typeof ElicitationForm>;

/** The envelope of a request; whether its form can be shown is looked at afterwards. */
const Request = defineReader<CreateElicitationRequest>()(
  v.looseObject({ message: v.string(), mode: v.string(), requestedSchema: v.optional(v.unknown()) }),
);

export interface FormQuestions {
  readonly form: ElicitationForm;
  readonly questions: readonly AgentQuestion[];
}

/** The questions of a form, or undefined when this is no form that can be shown as words. */
export function parseFormQuestions(params: unknown): FormQuestions | undefined {
  const request = v.safeParse(Request, params);
  if (!request.success || request.output.mode !== "form") return undefined;
  const form = v.safeParse(ElicitationForm, request.output.requestedSchema);
  if (!form.success) return undefined;
  const { message } = request.output;
  const asked = listFieldsToAsk(form.output);
  // A form without fields is a plain question: yes or no.
  const questions =
    asked.length === 0
      ? [{ id: "agreed", question: message, options: ["yes", "no"] }]
      : asked.map((one) => buildQuestion(one, message, asked.length === 1));
  return { form: form.output, questions };
}

interface AskedField {
  readonly id: string;
  readonly field: Field;
  /** The form can be handed in without it. */
  readonly isOptional: boolean;
}

/**
 * The fields that a human is asked about: those that must be filled in, and those that propose answers. Free text that may be
 * left out, such as the box "Other" below a choice, is asked about only where there is nothing else.
 */
function listFieldsToAsk(form: ElicitationForm): readonly AskedField[] {
  const all = Object.entries(form.properties ?? {}).map(([id, field]) => {
    return { id, field, isOptional: !(form.required ?? []).includes(id) };
  });
  const worth = all.filter(({ field, isOptional }) => !isOptional || listChoices(field).length > 0);
  return worth.length > 0 ? worth : all.slice(0, 1);
}

/** The answer that leaves out a field which may be left out. */
const leftOut = "skip";

function buildQuestion(
  { id, field, isOptional }: AskedField,
  message: string,
  isOnly: boolean,
): AgentQuestion {
  const proposed = listLabels(field);
  const options = proposed.length > 0 && isOptional ? [...proposed, leftOut] : proposed;
  const { title, description } = field;
  const texts = [title, description, ...(isOnly ? [message] : [])].filter((text) => !!text) as string[];
  const question = texts.find((text) => text.trim().endsWith("?")) ?? texts[0] ?? id;
  const may = isOptional ? `May be left out: answer ${leftOut}.` : "";
  const context = [message, title, description, may].filter((part) => part && part !== question);
  return {
    id,
    question,
    ...(options.length > 0 ? { options } : {}),
    ...(context.length > 0 ? { context: [...new Set(context)].join("\n") } : {}),
  };
}

/** Label and value of every answer a field proposes. */
function listChoices({
  type,
  enum: values,
  oneOf,
  items,
}: Field): (readonly [label: string, value: string])[] {
  if (type === "boolean")
    return [
      ["yes", "true"],
      ["no", "false"],
    ];
  const titled = oneOf ?? items?.anyOf;
  if (titled) return titled.map((one) => [one.title || one.const, one.const]);
  return (values ?? items?.enum ?? []).map((value) => [value, value]);
}

const listLabels = (field: Field) => listChoices(field).map(([label]) => label);

/** The values of the form, or undefined when a field that must be filled in is not, or nothing is. */
export function fillForm(
  form: ElicitationForm,
  answers: Readonly<Record<string, string>>,
): Record<string, ElicitationContentValue> | undefined {
  const fields = Object.entries(form.properties ?? {});
  if (fields.length === 0) return isNo(answers.agreed) ? undefined : {};
  const filled = fields.flatMap(([id, field]) => {
    const value = findValueFor(field, answers[id]);
    return value === undefined ? [] : [[findBoxFor(form, id, answers[id] ?? "") ?? id, value] as const];
  });
  const given = Object.fromEntries(filled);
  if (filled.length === 0) return undefined;
  return (form.required ?? []).every((id) => id in given) ? given : undefined;
}

/** The box for own words that follows a choice, when the words are none of the proposed ones. */
function findBoxFor(form: ElicitationForm, id: string, words: string): string | undefined {
  const fields = Object.entries(form.properties ?? {});
  const at = fields.findIndex(([name]) => name === id);
  const [own, [box, below] = []] = [fields[at]?.[1], fields[at + 1]];
  const isChoice = own?.type === "string" && listChoices(own).length > 0;
  if (!isChoice || isProposed(own, words) || box === undefined || below === undefined) return undefined;
  const isOwnWords = below.type === "string" && listChoices(below).length === 0;
  return isOwnWords && !(form.required ?? []).includes(box) ? box : undefined;
}

const isNo = (word: string | undefined) => word === undefined || word.trim().toLowerCase() === "no";

function findValueFor(field: Field, words: string | undefined): ElicitationContentValue | undefined {
  if (words === undefined || words.trim() === "" || isLeftOut(field, words)) return undefined;
  if (field.type === "array") return words.split(",").map((word) => findChosenValue(field, word));
  const value = findChosenValue(field, words);
  if (field.type === "boolean") return value === "true";
  if (field.type !== "number" && field.type !== "integer") return value;
  const amount = Number(value);
  return Number.isFinite(amount) ? amount : undefined;
}

const isLeftOut = (field: Field, words: string) =>
  normalizeLabel(words) === leftOut && !isProposed(field, words);
const isProposed = (field: Field, words: string) => findMeantChoice(field, words) !== undefined;
const normalizeLabel = (words: string) => words.trim().toLowerCase();

function findMeantChoice(field: Field, words: string) {
  return listChoices(field).find((pair) => pair.some((part) => part.toLowerCase() === normalizeLabel(words)));
}

/** The value behind a label; words that are no label stay as they are. */
function findChosenValue(field: Field, words: string): string {
  return findMeantChoice(field, words)?.[1] ?? words.trim();
}
