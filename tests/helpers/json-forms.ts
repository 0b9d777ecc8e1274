// docs/json.schema.json against what commands print with --json: every answer of every test that types a command is held
// against the form of its command.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export interface Form {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Form>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Form;
  readonly items?: Form;
  readonly anyOf?: readonly Form[];
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
}

interface Schema {
  readonly version: number;
  readonly commands: Readonly<Record<string, Form>>;
  readonly error: Form;
  readonly $defs: Readonly<Record<string, Form>>;
}

export const jsonSchema: Schema = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../docs/json.schema.json"), "utf8"),
);

export const resolveForm = (form: Form): Form =>
  form.$ref ? (jsonSchema.$defs[form.$ref.split("/").at(-1) ?? ""] ?? {}) : form;

/** What of a value is not in its form. */
export function listMisfits(given: Form, value: unknown, path = "$"): string[] {
  const form = resolveForm(given);
  if (form.anyOf) {
    const each = form.anyOf.map((one) => listMisfits(one, value, path));
    return each.some((found) => found.length === 0) ? [] : (each[0] ?? []);
  }
  if (form.enum) return form.enum.includes(value) ? [] : [`${path} is ${JSON.stringify(value)}`];
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  if (form.type !== undefined && form.type !== type) return [`${path} is ${type}, not ${form.type}`];
  if (Array.isArray(value))
    return value.flatMap((one, i) => listMisfits(form.items ?? {}, one, `${path}[${i}]`));
  return type === "object" && form.type ? listInside(form, value as Record<string, unknown>, path) : [];
}

function listInside(form: Form, value: Record<string, unknown>, path: string): string[] {
  const lacking = (form.required ?? []).filter((name) => !(name in value));
  const inside = Object.entries(value).flatMap(([name, one]) => {
    const known = form.properties?.[name] ?? form.additionalProperties;
    return known ? listMisfits(known, one, `${path}.${name}`) : [`${path}.${name} is in no form`];
  });
  return [...lacking.map((name) => `${path}.${name} is absent`), ...inside];
}

interface Answer {
  readonly code: number | null;
  readonly stdout: string;
}

/** Throws when a command printed JSON that docs/json.schema.json does not describe. Lines of the record are in docs/record.md; schemas are what they are. */
export function checkAnswer(argv: readonly string[], { code, stdout }: Answer): void {
  const own = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  const isDescribedElsewhere = /^(log|schema|ui)$/.test(own[0] ?? "") || own.includes("--version");
  if (!own.includes("--json") || isDescribedElsewhere || stdout === "") return;
  const misfits = listAnswerMisfits(findWords(own), code, JSON.parse(stdout));
  if (misfits.length === 0) return;
  throw new Error(`pairflow ${argv.join(" ")} prints what docs/json.md does not say:\n${misfits.join("\n")}`);
}

/** The command that a line names, as the schema calls it; another spelling of one is left alone. */
function findWords(argv: readonly string[]): string | undefined {
  const words = argv[0]?.startsWith("-") ? ["home"] : argv.slice(0, 2);
  return [words.join(" "), words[0] ?? ""].find((name) => name in jsonSchema.commands);
}

function listAnswerMisfits(words: string | undefined, code: number | null, value: unknown): string[] {
  const hasError = typeof value === "object" && value !== null && "error" in value;
  if (hasError !== [1, 2, 3, 70].includes(code ?? -1))
    return [`exit code ${code} ${hasError ? "with" : "without"} the key error`];
  const form = words === undefined ? undefined : jsonSchema.commands[words];
  if (!hasError) return form ? listMisfits(form, value) : [];
  const { error, ...found } = value;
  const besides = Object.keys(found).length > 0 && form ? listMisfits(form, found) : [];
  return [...listMisfits(jsonSchema.error, { error }), ...besides];
}
