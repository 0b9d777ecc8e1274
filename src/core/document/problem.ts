// What is wrong with a document, in the one form all its checks use.
import { type Unclosed, unclosedIn } from "../text/markdown.ts";
import { type Block, blocksOf } from "./markdown.ts";
import { type Placed, placed } from "./sections.ts";

export interface DocumentProblem {
  /** As an editor counts, from 1. */
  readonly line: number;
  /** One sentence about what stands there. */
  readonly message: string;
  /** What would fix it. */
  readonly hint: string;
}

/** A document after reading, as every check gets it. */
export interface Reading {
  readonly blocks: readonly Block[];
  readonly placed: readonly Placed[];
  /** A comment or code block that continues to the end. */
  readonly unclosed?: Unclosed;
}

/** Reads a document once for all checks. */
export function readDocument(markdown: string): Reading {
  const blocks = blocksOf(markdown);
  const unclosed = unclosedIn(markdown);
  return { blocks, placed: placed(blocks), ...(unclosed ? { unclosed } : {}) };
}
