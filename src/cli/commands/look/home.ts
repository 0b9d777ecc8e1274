// pairflow, with nothing behind it: what needs you, what is running, what to type next.
import { buildHomeView } from "../../../app/doctor/first-screen.ts";
import { findRepo, isBareRepository } from "../../../app/host/locate.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { buildListRow } from "../../render/overview/bubble-row.ts";
import { renderHome, renderNowhere } from "../../render/overview/home.ts";
import { buildLook, getScreenWidth } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";
import { version } from "../../verb/run.ts";

export const home = defineVerb({
  words: "home",
  about: "Show what needs you and what is running; the same as pairflow alone",
  access: "read",
  flags: { repo: bubbleFlags.repo },
  async run(shell, { flags }) {
    const repo = findRepo(flags.repo ?? shell.cwd);
    if (!repo) {
      const place = isBareRepository(shell.cwd) ? "bare" : "outside";
      return { text: renderNowhere(version, getScreenWidth(), place), json: { version, repo: null } };
    }
    const view = await buildHomeView(repo);
    const look = buildLook(shell, createRecordWorld(repo).clock.now());
    const json = { version, ...view, bubbles: view.bubbles.map(buildListRow) };
    return { text: renderHome(view, version, look), json };
  },
});
