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

const synced: SentenceRule = {
  code: "door.synced-key",
  appears: "something was granted by a passkey that its owner's other devices have too",
  say: ({ passkeys = [] }) =>
    passkeys
      .filter((use) => use.synced)
      .map(({ seq, what, name, key }) => ({
        text: `synced key: ${what} (message ${seq}) was granted by the passkey ${name}, which other devices of its owner have too`,
        facts: { seq, what, key },
      })),
};

export const doorSentences: readonly SentenceRule[] = [unproven, synced];
