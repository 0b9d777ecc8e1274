// pairflow, with nothing behind it: what needs you, what is running, what to type next.
import { homeView } from "../../../app/doctor/home.ts";
import { findRepo } from "../../../app/host/locate.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { renderHome, renderNowhere } from "../../render/home.ts";
import { lookOf, screenWidth } from "../../terminal/style.ts";
import { version } from "../../verb/run.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const home = verb({
  words: "home",
  about: "Show what needs you and what is running; the same as pairflow alone",
  access: "read",
  flags: { repo: bubbleFlags.repo },
  async run(shell, { flags }) {
    const repo = findRepo(flags.repo ?? shell.cwd);
    if (!repo) return { text: renderNowhere(version, screenWidth()), json: { version, repo: null } };
    const view = await homeView(repo);
    const look = lookOf(shell, recordWorld(repo).clock.now());
    return { text: renderHome(view, version, look), json: { version, ...view } };
  },
});
