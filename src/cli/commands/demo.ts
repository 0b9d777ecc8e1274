// pairflow demo: a whole bubble in a throw-away repository, live in the terminal, in seconds.
import { type Demo, demoAnswer, prepareDemo, showCommit } from "../../app/demo.ts";
import { findProgram } from "../../app/doctor/programs.ts";
import { stateOf } from "../../app/operate/desk.ts";
import { decideAndDrive } from "../../app/operate/driver.ts";
import { approve, commit, signable } from "../../app/operate/sign.ts";
import { start } from "../../app/operate/start.ts";
import type { Envelope } from "../../core/model/envelope.ts";
import type { State } from "../../core/model/state.ts";
import { explain } from "../../core/views/explain.ts";
import { packageView } from "../../core/views/package.ts";
import { Failure } from "../../ports/failure.ts";
import { askKey, askLine } from "../ask.ts";
import { tellAndDrive } from "../drive-here.ts";
import { renderPackage } from "../render/package.ts";
import { screenWidth, wrap } from "../render/style.ts";
import { type Shell, verb } from "../verb.ts";

export const demo = verb({
  words: "demo",
  about: "Watch two scripted agents take a real bug to a commit in a throw-away repository",
  access: "operator",
  flags: { yes: { kind: "switch", about: "answer and approve without asking, also at a terminal" } },
  async run(shell, { flags }) {
    const asks = shell.interactive && !flags.yes;
    const run = await prepareDemo();
    shell.print(
      `A throw-away repository with a bug: ${run.repo}\nTwo scripted agents, codex and claude, work against each other on it.\n`,
    );
    await start(run, "process");
    for (;;) {
      const state = await tellAndDrive({ ...shell, say: shell.print }, run);
      if (state.lifecycle === "WAITING_HUMAN") await answer(shell, run, state, asks);
      else if (state.lifecycle === "READY_FOR_APPROVAL") {
        if (await sign(shell, run, asks)) break;
        return {
          text: `Nothing was signed. The bubble waits: pairflow bubble status --repo ${run.repo} --id ${run.bubble}`,
        };
      } else
        throw new Failure(
          "demo.stuck",
          `the demo stopped in ${state.lifecycle}: ${state.end?.message ?? state.position.why}`,
          { hint: `pairflow bubble resume --repo ${run.repo} --id ${run.bubble} --headless` },
        );
    }
    return {
      text: await ending(run),
      json: { repo: run.repo, bubble: run.bubble, commit: (await stateOf(run)).commit },
    };
  },
});

async function answer(shell: Shell, run: Demo, state: State, asks: boolean): Promise<void> {
  const question = state.questions[0];
  shell.print(`\n  ${question?.from} asks: ${question?.text}`);
  const said = asks ? await askLine(`  your answer [${demoAnswer}] `) : undefined;
  if (!asks) shell.print(`  the demo answers: ${demoAnswer}\n`);
  const replied = await decideAndDrive(run, { type: "reply", message: said?.trim() || demoAnswer }, false);
  if (replied.refusal) throw new Failure(replied.refusal.code, replied.refusal.message);
}

async function sign(shell: Shell, run: Demo, asks: boolean): Promise<boolean> {
  const { state, digest, head } = await signable(run);
  shell.print(
    `\n${renderPackage(packageView(state), { digest, head, colour: shell.colour, width: screenWidth() })}`,
  );
  if (asks && (await askKey("[a]pprove  [q]uit ", ["a", "q"])) !== "a") return false;
  if (!asks) shell.print("  the demo approves with its own operator key");
  const signed = await approve({ ...run, via: asks ? "terminal" : "operator-key" }, digest, "");
  if (signed.refusal) throw new Failure(signed.refusal.code, signed.refusal.message);
  const done = await commit(run);
  if (done.refusal) throw new Failure(done.refusal.code, done.refusal.message);
  return true;
}

async function ending(run: Demo): Promise<string> {
  const state = await stateOf(run);
  const envelopes: Envelope[] = [];
  for await (const batch of run.world.log.read(run.bubble)) envelopes.push(...batch.envelopes);
  const why = explain(envelopes).map((line) => wrap(`  ${line.text}`, screenWidth(), 4));
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
    `What just happened   pairflow log --repo ${run.repo} --id ${run.bubble}`,
    `With your own agents ${findProgram("pairflow", "/") ? "" : "npm link && "}cd your-repo && pairflow init && pairflow bubble create --id first --task "…"`,
    "Where to read more   README.md, docs/architecture.md, docs/cli.md",
  ].join("\n");
}
