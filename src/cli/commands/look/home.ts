// pairflow, with nothing behind it: what needs you, what is running, what to type next.
import { buildHomeView } from "../../../app/doctor/first-screen.ts";
import { findRepo, isBareRepository } from "../../../app/host/locate.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import type { Clock } from "../../../ports/system/clock.ts";
import { buildListRow } from "../../render/overview/bubble-row.ts";
import { listHomeRows, renderHome, renderNowhere } from "../../render/overview/home.ts";
import { showUntilLeft } from "../../screens/live.ts";
import { buildLook, getScreenWidth } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { type CommandResult, defineVerb, type Shell } from "../../verb/declaration.ts";
import { version } from "../../verb/run.ts";

export const home = defineVerb({
  words: "home",
  about: "Show what needs you and what is running; the same as pairflow alone",
  access: "read",
  flags: {
    repo: bubbleFlags.repo,
    watch: { kind: "switch", about: "stay: move, look, reply, approve and attach by keys, until q" },
  },
  async run(shell, { flags }) {
    const repo = findRepo(flags.repo ?? shell.cwd);
    if (!repo) {
      const place = isBareRepository(shell.cwd) ? "bare" : "outside";
      return { text: renderNowhere(version, getScreenWidth(), place), json: { version, repo: null } };
    }
    const { clock } = createRecordWorld(repo);
    if (flags.watch) return watchHome(shell, repo, clock);
    const view = await buildHomeView(repo);
    const look = buildLook(shell, clock.now());
    const json = { version, ...view, bubbles: view.bubbles.map(buildListRow) };
    return { text: renderHome(view, version, look), json };
  },
});

const watchHome = (shell: Shell, repo: string, clock: Clock): Promise<CommandResult> =>
  showUntilLeft(shell, { repo, clock }, async (look) =>
    listHomeRows(await buildHomeView(repo), version, look),
  );
