// pairflow conventions list: what reviewers noticed, how often, and what people said to it.
import { buildUsageError } from "../../../app/host/usage.ts";
import { buildConventionsView } from "../../../app/world/conventions.ts";
import { learnFromEnded } from "../../../engine/front/effects.ts";
import { conventionFlags, conventionsToCommit, createProjectWorld } from "../../operator/conventions.ts";
import { renderConventions } from "../../render/conventions.ts";
import { buildLook } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const conventionsList = defineVerb({
  words: "conventions list",
  about: "List the project's conventions: accepted, waiting for you, and counted so far",
  access: "operator",
  example: "pairflow conventions list --all",
  flags: {
    ...conventionFlags,
    all: { kind: "switch", about: "also those that were dismissed or retired, and all evidence" },
  },
  async run(shell, { flags }) {
    const world = createProjectWorld(shell, flags);
    await learnFromEnded(world);
    const { known, problems, isCommitted } = await buildConventionsView(world.repo, world.conventions);
    const shown = known.filter(({ status }) => flags.all || (status !== "dismissed" && status !== "retired"));
    if (!isCommitted && !shell.json)
      shell.say(`Not committed, so it does not count yet: ${conventionsToCommit}`);
    return {
      text: renderConventions(shown, {
        look: buildLook(shell, world.clock.now()),
        all: flags.all,
        hidden: known.length - shown.length,
        problems,
      }),
      json: { conventions: shown, problems, committed: isCommitted },
      ...(problems[0] === undefined
        ? {}
        : {
            refusal: buildUsageError("conventions.invalid", problems[0], undefined, problems.slice(1)),
            isTold: true,
          }),
    };
  },
});
