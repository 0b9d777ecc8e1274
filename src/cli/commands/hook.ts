// pairflow hook: sensors inside an agent's process; they tell that it lives and has read what was sent.
import { locate } from "../../app/locate.ts";
import { recordWorld } from "../../app/record-world.ts";
import { verb } from "../verb.ts";

export const hook = verb({
  words: "hook",
  about: "A sign of life from inside an agent's session",
  access: "agent",
  hidden: true,
  takes: "<event>",
  flags: {},
  async run(shell) {
    const { repo, bubble } = locate({}, shell.cwd, shell.env);
    await recordWorld(repo).runtime.sign(bubble);
    return {};
  },
});
