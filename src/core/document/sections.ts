// The sections a document must have, by the names people give them, and which block stands in which section.
import type { Block, Heading } from "./markdown.ts";

export type SectionName =
  | "scope"
  | "non-goals"
  | "requirements"
  | "acceptance criteria"
  | "risks"
  | "rollout";
/** `trace`: a traceability table. `aside`: background, notes and the like, which bind nobody. */
export type SectionPlace = SectionName | "trace" | "aside";

export const requiredSections: readonly SectionName[] = [
  "scope",
  "non-goals",
  "requirements",
  "acceptance criteria",
  "risks",
  "rollout",
];

/** Names that are one section's own; a part of a heading between "and" or "/" has to be one of them. */
const names: Readonly<Record<Exclude<SectionPlace, "trace" | "aside">, readonly string[]>> = {
  scope: [
    "scope",
    "in scope",
    "scope of work",
    "what is in scope",
    "project scope",
    "product scope",
    "scope of this document",
    "whats in scope",
  ],
  "non-goals": [
    "non goals",
    "non goal",
    "nongoals",
    "nongoal",
    "out of scope",
    "not in scope",
    "what is out of scope",
    "whats out of scope",
    "explicitly out of scope",
    "exclusions",
    "scope exclusions",
    "anti goals",
    "what we will not do",
    "out of scope items",
    "non objectives",
    "out of scope requirements",
    "non requirements",
  ],
  requirements: ["requirements", "requirement"],
  "acceptance criteria": [
    "acceptance criteria",
    "acceptance criterion",
    "acceptance",
    "acceptance tests",
    "acceptance conditions",
    "definition of done",
  ],
  risks: [
    "risks",
    "risk",
    "known risks",
    "risk analysis",
    "risk assessment",
    "risk register",
    "main risks",
    "key risks",
  ],
  rollout: [
    "rollout",
    "roll out",
    "rollout plan",
    "roll out plan",
    "rollout strategy",
    "release plan",
    "launch plan",
    "deployment plan",
    "launch",
    "deployment",
    "release",
    "rolling out",
    "delivery plan",
    "go live",
    "rollout and rollback",
  ],
};
const trace = /^(?:requirements? )?(?:traceability|trace)(?: (?:matrix|table))?$/;
const aside =
  /^(?:notes?|assumptions?|background|context|definitions?|glossary|terms|terminology|rationale|motivation|open questions?|questions|dependencies|references|examples?|history|changelog|change log|appendix|overview|summary|introduction|problem|problem statement|why)$/;
/** "Functional requirements", "Performance requirements": what kind of requirements they are. */
const kindOfRequirements = /^(?:[\p{L}]+ ){1,3}requirements$/u;

/** A heading's words without numbering, marks and case. */
export function normalizeHeading(text: string): string {
  const words = text
    .slice(0, 200)
    .replace(/[*_`~#:.'’]+/g, (marks) => (marks.includes(".") ? "." : ""))
    .toLowerCase()
    .trim()
    .replace(
      /^(?:section |§ ?)?(?:\d{1,3}(?:\.\d{1,3})*|[ivx]{1,5}(?=[.)])|[a-z](?=[.)]))[.)]? *[-–—]? ?/,
      "",
    );
  return words
    .replace(/[^\p{L}\p{N}&/,+()]+/gu, " ")
    .replace(/ \([^)]*\)$/, "")
    .trim();
}

/** The places a heading opens: none for one that only divides the section around it. */
export function classifyHeading(text: string): SectionPlace[] {
  const plain = normalizeHeading(text);
  if (trace.test(plain)) return ["trace"];
  if (aside.test(plain)) return ["aside"];
  const parts = plain.split(/ and | & |[/,+&]/).map((part) => part.trim());
  const found = requiredSections.filter((name) =>
    [plain, ...parts].some((part) => names[name].includes(part)),
  );
  const isKind = found.length === 0 && parts.some((part) => kindOfRequirements.test(part));
  return isKind ? ["requirements"] : found;
}

export interface PlacedBlock {
  readonly block: Block;
  readonly places: readonly SectionPlace[];
  /** The nearest heading above that opened these places. */
  readonly under: Heading | undefined;
}

/** Every block with the places it stands in: those of the nearest heading around it that opens any. */
export function placeBlocks(blocks: readonly Block[]): PlacedBlock[] {
  const title = findTitle(blocks);
  let open: { heading: Heading; places: readonly SectionPlace[] }[] = [];
  return blocks.map((block) => {
    if (block.kind === "heading") {
      open = open.filter(({ heading }) => heading.level < block.level);
      const places = block === title ? [] : classifyHeading(block.text);
      if (places.length > 0) open.push({ heading: block, places });
    }
    const near = open.at(-1);
    return { block, places: near?.places ?? [], under: near?.heading };
  });
}

/** The only heading of the first level, if it stands above all others and is not simply called like a section. */
function findTitle(blocks: readonly Block[]): Heading | undefined {
  const headings = blocks.filter((block) => block.kind === "heading");
  const [first, second] = headings;
  if (first?.level !== 1 || !second || headings.filter(({ level }) => level === 1).length > 1)
    return undefined;
  const plain = normalizeHeading(first.text);
  return requiredSections.some((name) => names[name].includes(plain)) ? undefined : first;
}
