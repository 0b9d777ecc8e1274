// What a chart is made of: a table with the column that is drawn.

/** How a column is written: as it is, a share of 1, milliseconds, tokens, dollars. */
export type Unit = "text" | "count" | "share" | "ms" | "tokens" | "usd";
export type Cell = string | number | null;

export interface InsightColumn {
  readonly name: string;
  readonly unit: Unit;
}

export interface InsightTable {
  readonly key: string;
  readonly title: string;
  /** What is counted, in one sentence. */
  readonly says: string;
  readonly columns: readonly InsightColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** The column that is drawn beside the first; null where there is nothing to compare. */
  readonly drawn: number | null;
}
