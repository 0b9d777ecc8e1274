// What the producers left out of their explanation.
import { missingParts } from "../../model/package.ts";
import { describedWork } from "../../state/work.ts";
import type { SentenceRule } from "../sentence.ts";

const incomplete: SentenceRule = {
  code: "package.incomplete",
  appears: "a producer left out one of the five parts of its package",
  say: (state) =>
    describedWork(state).flatMap(([key, pack], _i, all) => {
      const missing = missingParts(pack);
      const whose = all.length > 1 ? `the package of ${key}` : "the package";
      return missing.length === 0
        ? []
        : [{ text: `${whose} lacks: ${missing.join(", ")}`, facts: { task: key, missing } }];
    }),
};

export const packageSentences: readonly SentenceRule[] = [incomplete];
