// In the dialects with a word that decides, the word decides: a rejection is one, however small its findings are.
import type { Opinion } from "../model/verdict.ts";

/** Whether a verdict rejects in so many words. In the dialect `findings` there is no such word: what is found decides. */
export const rejectsByWord = (opinion: Pick<Opinion, "dialect" | "decision"> | undefined): boolean =>
  opinion !== undefined && opinion.dialect !== "findings" && opinion.decision === "revise";
