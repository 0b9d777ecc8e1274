// What the record and git's objects say: reviews, pinned knowledge, the task, the document.
export { readPinnedDocument } from "../facts/document.ts";
export { readPinnedKnowledge, readTaskText } from "../facts/knowledge.ts";
export { buildReviewFacts } from "../facts/review.ts";
