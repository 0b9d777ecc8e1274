// pairflow ui: serves the page, until Ctrl-C.
import { findRepo } from "../../../app/host/locate.ts";
import { rememberRepository } from "../../../app/host/repositories/list.ts";
import { readOutsidePage, sayOutside } from "../../operator/outside.ts";
import { askAtTerminal } from "../../operator/page-grants.ts";
import { catchInterrupts } from "../../terminal/interrupt.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const ui = defineVerb({
  words: "ui",
  about: "Serve the page: everything that waits for you, over all repositories, in the browser",
  access: "operator",
  example: "pairflow ui /b/shop/fix-cart",
  takes: "[path]",
  flags: {
    repo: bubbleFlags.repo,
    port: { kind: "number", value: "N", about: "this port of the machine; a free one if left out" },
    new: { kind: "switch", about: "end all sessions of the page that are open" },
    host: {
      kind: "text",
      value: "<name>",
      about: "other machines reach the page by this name of yours, with a password; see docs/security.md",
    },
    cert: { kind: "text", value: "<file>", about: "with --host: the certificate of that name (PEM): HTTPS" },
    "cert-key": { kind: "text", value: "<file>", about: "with --cert: its private key (PEM)" },
    "password-file": {
      kind: "text",
      value: "<file>",
      about: "with --host: the file whose first line is the password; one is made if left out",
    },
  },
  async run(shell, { flags, words }) {
    const repo = findRepo(flags.repo ?? shell.cwd);
    if (repo) rememberRepository(repo, shell.env);
    const { servePage: serve } = await import("../../../server/site/serve.ts");
    const host = flags.host === undefined ? undefined : readOutsidePage(flags.host, flags);
    const { signal, over } = catchInterrupts();
    const served = await serve({
      env: shell.env,
      port: flags.port,
      isNew: flags.new,
      say: shell.say,
      host,
      askTerminal: shell.interactive && !host ? askAtTerminal(shell, signal) : undefined,
    });
    const address = served.address(words[0]);
    if (shell.json)
      shell.print(JSON.stringify({ address, port: served.port, words: served.words, pid: process.pid }));
    else {
      shell.print(`${served.words}\n  ${address}\n`);
      if (host) sayOutside(shell, host);
      else shell.say("The address opens one page, within a minute. Ctrl-C ends it.");
    }
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    over();
    served.close();
    return undefined;
  },
});
