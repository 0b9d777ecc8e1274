// Parts of the driver's work that an operator's command asks for by itself: lessons, a report, a prompt.
export { runInCleanCheckout } from "../gates/clean/checkout.ts";
export { runConfined, setupLayer } from "../gates/confine.ts";
export { learn, learnFromEnded } from "../steps/learn.ts";
export { buildWholeReport } from "../steps/report.ts";
export { hashLockedArtifacts } from "../turns/artifact-lock.ts";
export { buildTurnPrompt, type PromptOptions } from "../turns/prompt/build.ts";
export { chooseAdapter } from "../turns/prompt/request.ts";
export { putBack } from "../turns/snapshot.ts";
export { findUnansweredGitChanges, putBackSettings } from "../watch/git.ts";
export { findLastSign } from "../watch/silence.ts";
export { isHeldBack } from "../watch/tree-budget.ts";
export { ensureWorktree } from "../watch/worktree.ts";
