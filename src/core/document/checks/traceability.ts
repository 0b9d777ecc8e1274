// Traceability: every requirement has an id, and at least one acceptance criterion that names it.
import { collectEntries } from "../entries.ts";
import { shortenExcerpt } from "../inline.ts";
import type { DocumentProblem, DocumentReading } from "../problem.ts";
import { buildTrace } from "../trace.ts";

/** The requirements that no criterion proves, and those that none could name. */
export function checkTraceability(reading: DocumentReading): DocumentProblem[] {
  const entries = collectEntries(reading);
  const { requirements } = entries;
  if (requirements.length === 0) return [reportNone(reading)];
  const { proven } = buildTrace(entries);
  let next = 1 + Math.max(0, ...pickLargest(requirements.map(({ id }) => id?.number ?? 0)));
  const seen = new Set<string>();
  return requirements.flatMap(({ id, line, text }) => {
    if (!id)
      return [
        {
          line,
          message: `the requirement has no id: ${shortenExcerpt(text)}`,
          hint: `number it, so that a criterion can name it: R${next++}`,
        },
      ];
    if (proven.has(id.key) || seen.has(id.key)) return [];
    seen.add(id.key);
    return [
      {
        line,
        message: `${id.shown} has no acceptance criterion`,
        hint: `name ${id.shown} in the criterion that proves it: "AC1 (${id.shown}): …"`,
      },
    ];
  });
}

/** The largest of many numbers, as a list of one; a document can have more than a call takes arguments. */
const pickLargest = (numbers: readonly number[]): number[] => [numbers.reduce((a, b) => Math.max(a, b), 0)];

function reportNone({ placed }: DocumentReading): DocumentProblem {
  const heading = placed.find(
    ({ places, block, under }) => places.includes("requirements") && block === under,
  );
  return {
    line: heading?.block.line ?? 1,
    message: "there is no numbered requirement",
    hint: 'write each requirement as a list item with an id: "- R1: …"',
  };
}
