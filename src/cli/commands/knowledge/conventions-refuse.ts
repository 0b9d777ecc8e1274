// pairflow conventions dismiss and retire: a person says no, before or after a convention was accepted. It is counted on, told to
// nobody and never asked again.
import type { DecideConvention } from "../../../app/world/conventions.ts";
import { dismiss, retire } from "../../../core/knowledge/learning/consent.ts";
import {
  conventionFlags,
  conventionsToCommit,
  createProjectWorld,
  decideNamed,
} from "../../operator/conventions.ts";
import { toPlainLine } from "../../terminal/style.ts";
import { defineVerb, type Verb } from "../../verb/declaration.ts";

interface RefusalVerb {
  readonly verb: "dismiss" | "retire";
  readonly about: string;
  /** The reason of the example, and what the flag asks for. */
  readonly example: string;
  readonly reason: { readonly about: string; readonly required: boolean };
  readonly deciding: DecideConvention;
  readonly describe: (name: string) => readonly string[];
}

function defineRefusal({ verb, about, example, reason, deciding, describe }: RefusalVerb): Verb {
  return defineVerb({
    words: `conventions ${verb}`,
    about,
    access: "operator",
    example: `pairflow conventions ${verb} "Context timeout in handlers" --reason "${example}"`,
    takes: "<name>",
    flags: {
      ...conventionFlags,
      reason: { kind: "text", value: '"<text>"', ...reason },
    },
    async run(shell, { flags, words }) {
      const world = createProjectWorld(shell, flags);
      const done = await decideNamed(world, verb, words, { via: "cli", reason: flags.reason, deciding });
      if ("refusal" in done) return { refusal: done.refusal };
      const { name } = done.known;
      const text = describe(JSON.stringify(name)).map(toPlainLine).join("\n");
      return { text, json: { [verb === "dismiss" ? "dismissed" : "retired"]: name } };
    },
  });
}

export const conventionsDismiss = defineRefusal({
  verb: "dismiss",
  about: "Say no to a convention that reviewers noticed: nobody is told, and you are not asked again",
  example: "only in this package",
  reason: { about: "why, for people who look at the list", required: false },
  deciding: dismiss,
  describe: (name) => [`Dismissed ${name}: it is not asked again`],
});

export const conventionsRetire = defineRefusal({
  verb: "retire",
  about: "Take an accepted convention back: later reviewers are not told it, and it is not asked again",
  example: "the router sets it now",
  reason: { about: "why it holds no more", required: true },
  deciding: retire,
  describe: (name) => [`Retired ${name}`, `Bubbles read it from their base commit: ${conventionsToCommit}`],
});
