// What the producers left out of their explanation.
import { listMissingPackageParts } from "../../model/record/package.ts";
import { listDescribedWork } from "../../state/work.ts";
import type { SentenceRule } from "../sentence.ts";

const incomplete: SentenceRule = {
  code: "package.incomplete",
  appears: "a producer left out one of the five parts of its package",
  say: (state) =>
    listDescribedWork(state).flatMap(([key, pack], _i, all) => {
      const missing = listMissingPackageParts(pack);
      const whose = all.length > 1 ? `the package of ${key}` : "the package";
      return missing.length === 0
        ? []
        : [{ text: `${whose} lacks: ${missing.join(", ")}`, facts: { task: key, missing } }];
    }),
};

export const packageSentences: readonly SentenceRule[] = [incomplete];
