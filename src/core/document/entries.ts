// The requirements and criteria of a document: what each is called, where it stands, and which ids it names. People
// write them as list items, headings, paragraphs or table rows; all of them are read here.
import {
  criterionPrefixes,
  findIdKeys,
  findIds,
  type Id,
  parseLeadingId,
  requirementPrefixes,
} from "./ids.ts";
import { blankCode, blankLinksAndTags, getProse } from "./inline.ts";
import type { Block } from "./markdown.ts";
import type { DocumentReading } from "./problem.ts";
import type { PlacedBlock } from "./sections.ts";

export interface Entry {
  readonly kind: "requirement" | "criterion";
  readonly id: Id | undefined;
  readonly line: number;
  readonly text: string;
  /** Keys named in it, in what belongs to it, and in the headings above it. */
  readonly refs: ReadonlySet<string>;
  readonly inTable: boolean;
}

export interface Mention {
  readonly id: Id;
  readonly line: number;
  /** It stands where only ids of this document make sense: among criteria, or in a traceability table. */
  readonly strict: boolean;
}

export interface Entries {
  readonly requirements: readonly Entry[];
  readonly criteria: readonly Entry[];
  readonly mentions: readonly Mention[];
  /** Pairs of ids that a traceability table or list puts side by side. */
  readonly links: readonly (readonly string[])[];
}

interface Draft {
  readonly kind: Entry["kind"];
  readonly id: Id | undefined;
  readonly line: number;
  readonly text: string;
  readonly refs: Set<string>;
  readonly inTable: boolean;
}
/** Who owns what follows: a heading until one of its rank, an item until one of its depth, a paragraph until the next. */
interface Owner {
  readonly rank: number;
  readonly draft: Draft;
}

interface Walk {
  readonly drafts: Draft[];
  owners: Owner[];
  /** Ids named by headings that own nothing: "### R1" above criteria. */
  above: { readonly level: number; readonly keys: readonly string[] }[];
}

const paragraphRank = 10;
const itemRank = 20;

/** Reads every requirement and criterion, and every id named anywhere. */
export function collectEntries({ placed }: DocumentReading): Entries {
  const walk: Walk = { drafts: [], owners: [], above: [] };
  for (const one of placed) visit(walk, one);
  const listed = new Set(walk.drafts.filter((draft) => !draft.inTable).map(({ kind }) => kind));
  // Where a list holds the entries of a kind, a table only tells more about them.
  const drafts = walk.drafts.filter((draft) => !draft.inTable || !listed.has(draft.kind));
  return {
    requirements: drafts.filter(({ kind }) => kind === "requirement"),
    criteria: drafts.filter(({ kind }) => kind === "criterion"),
    mentions: placed.flatMap(listMentions),
    links: placed.flatMap(listLinks),
  };
}

function visit(walk: Walk, { block, places, under }: PlacedBlock): void {
  const isHere = places.includes("requirements") || places.includes("acceptance criteria");
  if (block.kind === "heading") {
    walk.owners = walk.owners.filter(({ rank }) => rank < Math.min(block.level, paragraphRank));
    walk.above = walk.above.filter(({ level }) => level < block.level);
    if (block === under) walk.owners = [];
  }
  if (!isHere || block === under || block.kind === "code" || block.kind === "quote") return;
  if (block.kind === "row" && block.header) return;
  read(walk, block, places.includes("acceptance criteria") && !places.includes("requirements"));
}

function read(walk: Walk, block: Exclude<Block, { kind: "code" | "quote" }>, isCriteria: boolean): void {
  const rank = getRank(block);
  walk.owners = walk.owners.filter((owner) => owner.rank < rank);
  const text = getProse(block).text;
  const lead = block.kind === "row" ? findRowId(block.cells, isCriteria) : parseLeadingId(text);
  const names = findIdKeys(blankCode(blankLinksAndTags(text)));
  const isNamed = lead !== undefined && !(isCriteria && requirementPrefixes.has(lead.prefix));
  if (block.kind === "heading" && !isNamed) {
    walk.above.push({ level: block.level, keys: names });
    return;
  }
  const owner = walk.owners.at(-1)?.draft;
  const standsAlone = !owner && (block.kind !== "paragraph" || lead !== undefined);
  if (isNamed || standsAlone)
    add(walk, { block, rank, text, id: isNamed ? lead : undefined, names, isCriteria });
  else addAll(owner?.refs, names);
}

function addAll(refs: Set<string> | undefined, keys: readonly string[]): void {
  for (const key of keys) refs?.add(key);
}

/** A row may name its criterion's requirement first, or the other way round. */
function findRowId(cells: readonly string[], isCriteria: boolean): Id | undefined {
  const ids = cells.flatMap((cell) => parseLeadingId(cell) ?? []);
  const others = isCriteria ? requirementPrefixes : criterionPrefixes;
  return ids.find((id) => !others.has(id.prefix)) ?? ids[0];
}

interface Begun {
  readonly block: Block;
  readonly rank: number;
  readonly text: string;
  readonly id: Id | undefined;
  readonly names: readonly string[];
  readonly isCriteria: boolean;
}

function add(walk: Walk, { block, rank, text, id, names, isCriteria }: Begun): void {
  const kind = isCriteria || (id && criterionPrefixes.has(id.prefix)) ? "criterion" : "requirement";
  const owner = walk.owners.at(-1)?.draft;
  const refs = new Set([...names, ...walk.above.flatMap(({ keys }) => keys)]);
  // A criterion inside its requirement proves that one; a part of a requirement is answered for by the whole.
  if (owner?.id && kind === "criterion") refs.add(owner.id.key);
  const draft: Draft = { kind, id, line: block.line, text, refs, inTable: block.kind === "row" };
  walk.drafts.push(draft);
  if (!draft.inTable) walk.owners.push({ rank, draft });
}

function getRank(block: Block): number {
  if (block.kind === "heading") return block.level;
  return block.kind === "item" ? itemRank + block.depth : paragraphRank;
}

function listMentions({ block, places }: PlacedBlock): Mention[] {
  if (block.kind === "code" || block.kind === "quote") return [];
  const { text, lineAt } = getProse(block);
  const strict = places.includes("acceptance criteria") || places.includes("trace");
  return findIds(blankCode(blankLinksAndTags(text))).map((id) => ({ id, line: lineAt(id.start), strict }));
}

/** The ids of a table row, or of a line in a traceability section. */
function listLinks({ block, places }: PlacedBlock): string[][] {
  const isLink = block.kind === "row" ? !block.header : places.includes("trace") && block.kind !== "code";
  return isLink ? [findIdKeys(blankCode(blankLinksAndTags(getProse(block).text)))] : [];
}
