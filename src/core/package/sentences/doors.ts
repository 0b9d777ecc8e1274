// Through which doors people's words came in, as far as that was looked up.
import type { SentenceRule } from "../sentence.ts";

const unproven: SentenceRule = {
  code: "door.unproven",
  appears: "something was granted at a terminal that nothing shows to be a person's",
  say: ({ unproven: words = [] }) =>
    words.map(({ seq, what, why }) => ({
      text: `door unproven: ${what} (message ${seq}) came from a terminal that may be nobody's: ${why}`,
      facts: { seq, what, why },
    })),
};

export const doorSentences: readonly SentenceRule[] = [unproven];
