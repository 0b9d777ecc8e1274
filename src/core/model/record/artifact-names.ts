// How artifacts are called, so that people find them: by round, or by the line of the transcript they belong to.

const padToThree = (value: number) => String(value).padStart(3, "0");

/** Diff of one round's handoff against the base. */
export const nameDiff = (round: number): string => `round-${padToThree(round)}.diff`;
/** Everything the gates of one round printed. */
export const nameTestOutput = (round: number): string => `round-${padToThree(round)}.tests.txt`;
/** Readable copy of a message: 007-codex-pass.md */
export const nameMessage = (seq: number, sender: string, kind: string): string =>
  `messages/${padToThree(seq)}-${sender}-${kind}.md`;
/** What an agent was told at the start of a turn. */
export const namePrompt = (turn: string, attempt: number, agent: string): string =>
  `prompts/${turn}.${attempt}-${agent}.md`;
/** What a critic or a gate changed and the referee undid. */
export const namePatch = (round: number, what: string): string => `round-${padToThree(round)}.${what}.patch`;
/** The repository's git settings at the start, or as they were found later, by their hash. */
export const nameGitSettings = (sha256?: string): string =>
  sha256 === undefined ? "git-settings.json" : `git-settings-${sha256.slice(0, 12)}.json`;
/** A passkey's proof, by what was signed: the same proof is the same file. */
export const nameProof = (challenge: string): string => `proofs/${challenge.slice(0, 16)}.json`;
/** Everything the gates printed on the clean checkout that an approval rests on. */
export const finalGatesName = "final-gates.txt";
/** Everything they printed on the untouched base. */
export const baseGatesName = "base-gates.txt";
