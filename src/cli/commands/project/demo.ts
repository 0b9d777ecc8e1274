// pairflow demo: a whole bubble in a throw-away repository, live in the terminal, in seconds.
import { join } from "node:path";
import { findPackageRoot } from "../../../app/host/package-root.ts";
import { findProgram } from "../../../app/host/programs.ts";
import { decideAndDrive } from "../../../app/operate/driver.ts";
import { approveBubble, commitBubble, prepareSigning } from "../../../app/operate/sign.ts";
import { startBubble } from "../../../app/operate/start.ts";
import {
  type Demo,
  demoAnswer,
  makeDemoFolder,
  prepareDemo,
  removeDemo,
  showCommit,
} from "../../../app/rehearsal/demo.ts";
import { loadCallState } from "../../../app/trust/operator-call.ts";
import type { Envelope } from "../../../core/model/record/envelope.ts";
import type { State } from "../../../core/model/state.ts";
import { buildPackageView } from "../../../core/signing/package.ts";
import { explain } from "../../../core/views/history/explain.ts";
import { Failure } from "../../../ports/failure.ts";
import { renderPackage } from "../../render/bubble/package.ts";
import { tellAndDrive } from "../../screens/drive-here.ts";
import { askKey, askLine } from "../../terminal/ask.ts";
import { catchInterrupts, interrupted, isInterrupted } from "../../terminal/interrupt.ts";
import { getScreenWidth, shortenPath, wrap } from "../../terminal/style.ts";
import { type CommandResult, defineVerb, type Shell } from "../../verb/declaration.ts";

export const demo = defineVerb({
  words: "demo",
  about: "Watch two scripted agents take a real bug to a commit in a throw-away repository",
  access: "operator",
  flags: {
    yes: { kind: "switch", about: "answer and approve without asking, also at a terminal" },
    keep: { kind: "switch", about: "leave the throw-away repository and its record where they are" },
  },
  async run(shell, { flags }) {
    const interrupt = catchInterrupts();
    const folder = makeDemoFolder();
    let run: Demo | undefined;
    try {
      run = await prepareDemo(folder);
      const how = { asks: shell.interactive && !flags.yes, keep: flags.keep, signal: interrupt.signal };
      const result = await play(shell.json ? { ...shell, print: shell.say } : shell, run, how);
      if (!flags.keep) await removeDemo(folder, run);
      return result;
    } catch (error) {
      // What went wrong can be looked at; what was left on purpose cannot be wanted.
      if (flags.keep || !isInterrupted(error)) shell.say(`The demo's folder is kept: ${folder}`);
      else await removeDemo(folder, run);
      throw error;
    } finally {
      interrupt.over();
    }
  },
});

interface How {
  /** A person answers and signs. */
  readonly asks: boolean;
  readonly keep: boolean;
  readonly signal: AbortSignal;
}

async function play(shell: Shell, run: Demo, how: How): Promise<CommandResult> {
  shell.print(
    `A throw-away repository with a bug: ${run.repo}\nTwo scripted agents, codex and claude, work against each other on it.\n`,
  );
  await startBubble(run, "process", { signal: how.signal });
  for (;;) {
    const state = await tellAndDrive({ ...shell, say: shell.print }, run, [], how.signal);
    if (how.signal.aborted) throw interrupted;
    if (state.lifecycle === "WAITING_HUMAN") await answer(shell, run, state, how);
    else if (state.lifecycle === "READY_FOR_APPROVAL") {
      if (!(await sign(shell, run, how)))
        return { text: describeUnsigned(run, how), json: buildAnswer(run, how, null) };
      break;
    } else
      throw new Failure(
        "demo.stuck",
        `the demo stopped in ${state.lifecycle}: ${state.end?.message ?? state.position.why}`,
        { hint: `pairflow bubble resume --repo ${run.repo} --id ${run.bubble} --headless` },
      );
  }
  return {
    text: await describeEnding(run, how),
    json: buildAnswer(run, how, (await loadCallState(run)).commit?.id ?? null),
  };
}

const buildAnswer = ({ repo, bubble }: Demo, { keep }: How, commit: string | null) => ({
  ...{ repo: keep ? repo : null, bubble, commit },
});

function describeUnsigned({ repo, bubble }: Demo, { keep }: How): string {
  return keep
    ? `Nothing was signed. The bubble waits: pairflow bubble status --repo ${repo} --id ${bubble}`
    : "Nothing was signed, and nothing of the demo is left. To look around afterwards: pairflow demo --keep";
}

async function answer(shell: Shell, run: Demo, state: State, { asks, signal }: How): Promise<void> {
  const question = state.questions[0];
  shell.print(`\n  ${question?.from} asks: ${question?.text}`);
  const said = asks ? await askLine(`  your answer [${demoAnswer}] `, signal) : undefined;
  if (!asks) shell.print(`  the demo answers: ${demoAnswer}\n`);
  const replied = await decideAndDrive(run, { type: "reply", message: said?.trim() || demoAnswer }, false);
  if (replied.refusal) throw new Failure(replied.refusal.code, replied.refusal.message);
}

async function sign(shell: Shell, run: Demo, { asks, signal }: How): Promise<boolean> {
  const { state, digest, head } = await prepareSigning(run);
  shell.print(
    `\n${renderPackage(buildPackageView(state), { digest, head, colour: shell.colour, width: getScreenWidth() })}`,
  );
  if (asks && (await askKey("[a]pprove  [q]uit ", ["a", "q"], undefined, signal)) !== "a") return false;
  if (!asks) shell.print("  the demo approves with its own operator key");
  const signed = await approveBubble({ ...run, via: asks ? "terminal" : "operator-key" }, digest, "");
  if (signed.refusal) throw new Failure(signed.refusal.code, signed.refusal.message);
  const done = await commitBubble(run);
  if (done.refusal) throw new Failure(done.refusal.code, done.refusal.message);
  return true;
}

/** They are in the package, wherever that is installed. */
const pages = ["README.md", "docs/architecture.md", "docs/cli.md"];

async function describeEnding(run: Demo, { keep }: How): Promise<string> {
  const state = await loadCallState(run);
  const envelopes: Envelope[] = [];
  for await (const batch of run.world.log.read(run.bubble)) envelopes.push(...batch.envelopes);
  const why = explain(envelopes).map((line) => wrap(`  ${line.text}`, getScreenWidth(), 4));
  const log = (await showCommit(run.repo, state.commit?.branch ?? ""))
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`);
  return [
    "",
    `$ git log -1 --stat ${state.commit?.branch}`,
    ...log,
    "",
    `$ pairflow explain --id ${run.bubble}`,
    ...why,
    "",
    keep
      ? `What just happened   pairflow log --repo ${run.repo} --id ${run.bubble}`
      : "What just happened   the repository is gone again; to look into its record: pairflow demo --keep",
    `With your own agents ${findProgram("pairflow", "/") ? "" : "npm install --global --prefix ~/.local . && "}cd your-repo && pairflow init && pairflow bubble create --id first --task "…"`,
    `Where to read more   ${pages.map((page) => shortenPath(join(findPackageRoot(), page), process.cwd())).join(", ")}`,
  ].join("\n");
}
