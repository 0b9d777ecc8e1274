// pairflow conventions accept: a person consents; critics of bubbles made from the next commit on are told.
import { accept } from "../../../core/knowledge/learning/consent.ts";
import {
  conventionFlags,
  conventionsToCommit,
  createProjectWorld,
  decideNamed,
  requireProjectDoor,
} from "../../operator/conventions.ts";
import { grantFlags } from "../../operator/operator-call.ts";
import { toPlainLine } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const conventionsAccept = defineVerb({
  words: "conventions accept",
  about: "Accept a convention that reviewers noticed: later reviewers are told it, with the lowest priority",
  access: "granting",
  example: 'pairflow conventions accept "Context timeout in handlers"',
  takes: "<name>",
  flags: {
    ...conventionFlags,
    "operator-key": grantFlags["operator-key"],
    "applies-to": {
      kind: "list",
      value: "<glob>",
      about: "the files it is about; as the reviewers said if left out",
    },
    reason: { kind: "text", value: '"<text>"', about: "why, kept beside its evidence" },
  },
  async run(shell, { flags, words }) {
    const world = createProjectWorld(shell, flags);
    const via = await requireProjectDoor(world, flags["operator-key"]);
    const done = await decideNamed(world, "accept", words, {
      via,
      reason: flags.reason,
      deciding: (kept, name, said) => accept(kept, name, said, flags["applies-to"]),
    });
    if ("refusal" in done) return { refusal: done.refusal };
    const { convention, known } = done;
    const text = [
      `Accepted ${JSON.stringify(known.name)} for ${(convention?.applies_to ?? []).join(", ")}, by ${convention?.accepted_by}`,
      `Bubbles read it from their base commit: ${conventionsToCommit}`,
    ];
    return { text: text.map(toPlainLine).join("\n"), json: { accepted: convention } };
  },
});
