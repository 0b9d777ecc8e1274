// What is wrong with a document, in the one form all its checks use.
import { findUnclosedBlock, type UnclosedBlock } from "../text/markdown.ts";
import { type Block, parseBlocks } from "./markdown.ts";
import { type PlacedBlock, placeBlocks } from "./sections.ts";

export interface DocumentProblem {
  /** As an editor counts, from 1. */
  readonly line: number;
  /** One sentence about what stands there. */
  readonly message: string;
  /** What would fix it. */
  readonly hint: string;
}

/** A document after reading, as every check gets it. */
export interface DocumentReading {
  readonly blocks: readonly Block[];
  readonly placed: readonly PlacedBlock[];
  /** A comment or code block that continues to the end. */
  readonly unclosed?: UnclosedBlock;
}

/** Reads a document once for all checks. */
export function readDocument(markdown: string): DocumentReading {
  const blocks = parseBlocks(markdown);
  const unclosed = findUnclosedBlock(markdown);
  return { blocks, placed: placeBlocks(blocks), ...(unclosed ? { unclosed } : {}) };
}
