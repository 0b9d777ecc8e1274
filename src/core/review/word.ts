// In dialects with a deciding word (approved, rejected), that word decides: a rejection counts however small its findings are.
import type { Opinion } from "../model/review/verdict.ts";

/** Whether a verdict rejects in so many words. In the dialect `findings` there is no such word: what is found decides. */
export const isRejectedByWord = (opinion: Pick<Opinion, "dialect" | "decision"> | undefined): boolean =>
  opinion !== undefined && opinion.dialect !== "findings" && opinion.decision === "revise";
