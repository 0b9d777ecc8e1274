// Settings that changed after the start. What judges the work stands among them: the agents and their commands.
import { describeChange, readFrom } from "../../state/settings.ts";
import type { SentenceRule } from "../sentence.ts";

const changed: SentenceRule = {
  code: "settings.changed",
  appears: "a setting of bubble.toml was changed after the start; each with its value before and after",
  say: ({ settings = [] }) =>
    settings.map(({ setting, from, to, seq, readAt }) => ({
      text: `a setting changed after the start: ${describeChange({ setting, from, to })} (${readFrom(readAt)})`,
      facts: { setting, from, to, seq, read_at: readAt ?? null },
    })),
};

export const settingSentences: readonly SentenceRule[] = [changed];
