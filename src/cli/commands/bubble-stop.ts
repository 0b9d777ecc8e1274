// pairflow bubble stop: final. Turns, gates, driver and panes end; branch and record stay.
import { askGit } from "../../app/git-questions.ts";
import { stop } from "../../app/operate/end.ts";
import { openAnyDesk, operatorFlags } from "../desk.ts";
import { verb } from "../verb.ts";

export const bubbleStop = verb({
  words: "bubble stop",
  about: "End a bubble for good (CANCELLED); its branch and record stay",
  access: "operator",
  flags: { ...operatorFlags, reason: { kind: "text", value: '"<text>"', about: "why, for the record" } },
  async run(shell, { flags }) {
    const desk = await openAnyDesk(shell, flags);
    const handled = await stop(desk, flags.reason ?? "");
    if (handled.refusal) return { refusal: handled.refusal };
    const wasStopped = handled.envelopes?.length === 0;
    const done = wasStopped ? `${desk.bubble} was stopped before` : `Stopped ${desk.bubble}`;
    const branch = handled.state?.config.bubble_branch ?? "";
    const kept = (await askGit(desk.world.repo, "branch", "--list", branch))
      ? `; branch ${branch} is kept`
      : "";
    return {
      text: `${done}${kept}\nNext: pairflow bubble delete --id ${desk.bubble}`,
      json: { bubble: desk.bubble, state: handled.state?.lifecycle },
    };
  },
});
