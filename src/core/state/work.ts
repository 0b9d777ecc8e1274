// What was made in each task or phase of a run: by whom, the resulting tree, who passed exactly that tree, and how its producer
// explains it. Bubbles without tasks have one piece of work, under the empty key.
import { longestPackagePart, type ProducerPackage, packageParts } from "../model/record/package.ts";
import type { Work } from "../model/run.ts";
import type { State } from "../model/state.ts";
import { clip } from "../model/value/sizes.ts";

export type { Work } from "../model/run.ts";

/** In the order in which they were first handed over. */
export const listWork = ({ work = {} }: Pick<State, "work">): [key: string, work: Work][] =>
  Object.entries(work);

/** The work that is files and not papers, with the explanation of its producer. */
export function listDescribedWork(state: Pick<State, "work">): [key: string, ProducerPackage][] {
  return listWork(state).flatMap(([key, { paper, package: pack }]): [string, ProducerPackage][] =>
    paper === undefined && pack ? [[key, pack]] : [],
  );
}

/** What was said of all work, with the parts that came with a refused handoff. */
export const mergeRefusedPackage = ({ package: known, refusedPackage }: State): ProducerPackage => ({
  ...known,
  ...refusedPackage?.parts,
});

/** The longest that a part may be, by any author. */
const longestPart = longestPackagePart;
const longestSubject = 72;

/** All work in one package: each part told task by task; one subject line and a line a task as the commit message. */
export function joinPackages(work: NonNullable<State["work"]>, title: string): ProducerPackage {
  const told = listDescribedWork({ work }).filter(([, pack]) => packageParts.some((part) => pack[part]));
  const [first] = told;
  // What children made is one commit of their parent's, under the parent's title, even of a single child.
  if (told.length <= 1 && work[first?.[0] ?? ""]?.know === undefined) return first?.[1] ?? {};
  const words = packageParts.map((part) => [
    part,
    part === "commit_message" ? describeJointMessage(told, title) : describeJointPart(told, part),
  ]);
  return Object.fromEntries(words.filter(([, text]) => text));
}

function describeJointPart(
  told: readonly (readonly [string, ProducerPackage])[],
  part: Exclude<keyof ProducerPackage, "commit_message">,
): string {
  const lines = told.flatMap(([key, pack]) => (pack[part] ? [`${key}: ${pack[part]}`] : []));
  const share = Math.floor(longestPart / Math.max(1, lines.length)) - 1;
  return lines.map((line) => clip(line, share)).join("\n");
}

/** A task whose producer wrote no message is described by what it says it changed. */
function describeJointMessage(told: readonly (readonly [string, ProducerPackage])[], title: string): string {
  const subject = clip(getFirstLine(title), longestSubject);
  const share = Math.floor((longestPart - subject.length - 2) / told.length) - 1;
  const lines = told.map(([key, { commit_message: message, what }]) =>
    clip(`- ${key}: ${getFirstLine(message ?? what ?? "")}`, share),
  );
  return [subject, "", ...lines].join("\n");
}

const getFirstLine = (text: string): string => text.trim().split("\n")[0]?.trim() ?? "";
