// The cases a reviewer is measured with. A change is what an implementer would hand over; each of its cases is that change
// as it should be (a control), or with one defect in it that the tests do not see.
import * as v from "valibot";

export const defectClasses = ["off-by-one", "dropped-check", "swallowed-error", "race", "injection"] as const;
const DefectClass = v.picklist(defectClasses);
export type DefectClass = v.InferOutput<typeof DefectClass>;

const text = v.pipe(v.string(), v.minLength(1));
const slug = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]*$/, "must be a short word"));

/** One defect: what is replaced in the change, and what is wrong then. */
const Mutation = v.strictObject({
  id: slug,
  file: text,
  /** Stands exactly once in the file. */
  find: text,
  replace: v.string(),
  /** What is wrong, in a sentence. */
  wrong: text,
  /** Text of further lines at which a reviewer may point with good reason. */
  also: v.optional(v.array(text), []),
  /** A program that ends well with the change as it should be, and badly with the defect. */
  probe: text,
});

/** A change as its file spells it. */
export const ChangeFile = v.strictObject({
  class: DefectClass,
  title: text,
  task: text,
  mutations: v.pipe(v.array(Mutation), v.minLength(1)),
});
export type ChangeFile = v.InferOutput<typeof ChangeFile>;

export interface MeasuredChange extends ChangeFile {
  readonly name: string;
  /** The files the change writes, whole, by path. */
  readonly after: Readonly<Record<string, string>>;
}

export interface Defect {
  readonly file: string;
  /** The lines of the changed file at which the defect stands. */
  readonly lines: readonly number[];
  /** What stands on them. */
  readonly texts: readonly string[];
  readonly wrong: string;
}

export interface Case {
  /** `<change>/clean`, or `<change>/<mutation>`. */
  readonly id: string;
  readonly change: string;
  readonly class: DefectClass;
  readonly title: string;
  readonly task: string;
  readonly files: Readonly<Record<string, string>>;
  /** Absent in a control. */
  readonly defect?: Defect;
}

/** The control and the planted cases of a change. Throws when a mutation does not fit its file: that is a mistake in the set. */
export function buildCases(change: MeasuredChange): Case[] {
  const { name, title, task } = change;
  const control: Case = {
    id: `${name}/clean`,
    change: name,
    class: change.class,
    title,
    task,
    files: change.after,
  };
  return [control, ...change.mutations.map((mutation) => buildPlantedCase(control, mutation))];
}

function buildPlantedCase(control: Case, mutation: v.InferOutput<typeof Mutation>): Case {
  const id = `${control.change}/${mutation.id}`;
  const { file, find, replace, wrong, also } = mutation;
  const [before, ...behind] = (control.files[file] ?? "").split(find);
  if (before === undefined || behind.length !== 1)
    throw new Error(`${id}: what it replaces stands ${behind.length} times in ${file}`);
  const mutated = `${before}${replace}${behind[0]}`;
  const lines = findDefectLines(control.files[file] ?? "", mutated, also);
  const all = mutated.split("\n");
  const defect = { file, lines, texts: lines.map((line) => all[line - 1] ?? ""), wrong };
  return { ...control, id, files: { ...control.files, [file]: mutated }, defect };
}

/** The cases that ids (or names of changes) and classes select; all of them when nothing is named. */
export function selectCases(
  cases: readonly Case[],
  { ids, classes }: { ids: readonly string[]; classes: readonly string[] },
): Case[] {
  const isNamed = ({ id, change }: Case) => ids.length === 0 || ids.includes(id) || ids.includes(change);
  return cases.filter((one) => isNamed(one) && (classes.length === 0 || classes.includes(one.class)));
}

/** The lines of `mutated` that differ from `clean`; around a gap the lines on both sides. Lines with a text of `also` count too. */
export function findDefectLines(clean: string, mutated: string, also: readonly string[] = []): number[] {
  const [was, is] = [clean.split("\n"), mutated.split("\n")];
  const shorter = Math.min(was.length, is.length);
  let head = 0;
  while (head < shorter && was[head] === is[head]) head++;
  let tail = 0;
  while (tail < shorter - head && was.at(-1 - tail) === is.at(-1 - tail)) tail++;
  const changed = listRange(head + 1, is.length - tail);
  const around = listRange(Math.max(1, head), Math.min(is.length, head + 1));
  const pointedAt = is.flatMap((line, i) => (also.some((part) => line.includes(part)) ? [i + 1] : []));
  const lines = new Set([...(changed.length > 0 ? changed : around), ...pointedAt]);
  return [...lines].sort((a, b) => a - b);
}

function listRange(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}
