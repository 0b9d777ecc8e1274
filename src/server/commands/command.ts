// POST /api/command: one command of a person about one bubble, checked before anything is looked up.
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { ensureDriver } from "../../app/operate/driver.ts";
import { stopBubble } from "../../app/operate/end.ts";
import { openWorktree } from "../../app/operate/open.ts";
import { pauseBubble } from "../../app/operate/pause.ts";
import { startBubble } from "../../app/operate/start.ts";
import { createRecordWorld } from "../../app/record/world.ts";
import type { OperatorCall } from "../../app/trust/operator-call.ts";
import { decideConvention } from "../../app/world/conventions.ts";
import { openOperatorCall } from "../../app/world/operator-call.ts";
import { createWorld } from "../../app/world/world.ts";
import { dismiss } from "../../core/knowledge/learning/consent.ts";
import { PageCommand } from "../../core/model/page/command.ts";
import { refuse } from "../../core/model/refusal.ts";
import { check } from "../../core/model/value/validate.ts";
import { tryParseJson } from "../../core/text/json.ts";
import type { CommandReply } from "../../engine/front/command.ts";
import { answerRefusal, answerResult } from "../http/answers.ts";
import type { PageRequest, WholeAnswer } from "../http/request.ts";
import type { Notes } from "../session/notes.ts";
import type { Changes } from "../stream/changes.ts";
import type { Grants } from "./grants.ts";
import { type CommandOf, replyFromPage, resume, rework, type SpokenResult } from "./speak.ts";

export interface CommandDependencies {
  readonly repositories: () => readonly KnownRepository[];
  readonly notes: Notes;
  readonly grants: Grants;
  readonly changes: Pick<Changes, "mark">;
}

export async function runCommand(
  dependencies: CommandDependencies,
  request: PageRequest,
): Promise<WholeAnswer> {
  const read = check(PageCommand, tryParseJson(request.body));
  if (!read.ok) {
    const [issue] = read.issues;
    return answerRefusal(
      400,
      refuse("page.body", `${issue?.path.join(".") || "the command"} ${issue?.message}`),
    );
  }
  const command = read.value;
  const repository = dependencies.repositories().find(({ name }) => name === command.repo);
  if (command.do === "convention") return answerConvention(dependencies, repository, command);
  if (command.do === "ask-convention") return askForConvention(dependencies, repository, command);
  if (!repository || !(await createRecordWorld(repository.path).records.exists(command.bubble)))
    return answerRefusal(
      404,
      refuse("bubble.unknown", `there is no bubble ${command.bubble} in ${command.repo}`),
    );
  const call = await openOperatorCall({ repo: repository.path, bubble: command.bubble }, { via: "page" });
  const spoken = await speak(dependencies, repository, call, command);
  return "refusal" in spoken ? answerRefusal(409, spoken.refusal) : answerResult(spoken);
}

/** A project's own question: nobody is told of it, and it is not asked again. */
async function answerConvention(
  { changes }: CommandDependencies,
  repository: KnownRepository | undefined,
  { repo, name, message }: CommandOf<"convention">,
): Promise<WholeAnswer> {
  if (!repository) return answerRefusal(404, refuse("page.unknown", `there is no repository ${repo} here`));
  const world = createWorld(repository.path, "process");
  const answer = { via: "page", reason: message, deciding: dismiss } as const;
  const done = await decideConvention(world, name, answer);
  if ("refusal" in done) return answerRefusal(409, done.refusal);
  changes.mark("inbox");
  return answerResult({ said: `Dismissed ${done.known.name}: it is not asked again` });
}

function askForConvention(
  { grants }: CommandDependencies,
  repository: KnownRepository | undefined,
  { repo, name: convention, digest, message: reason }: CommandOf<"ask-convention">,
): WholeAnswer {
  if (!repository) return answerRefusal(404, refuse("page.unknown", `there is no repository ${repo} here`));
  const refusal = grants.ask({ repo: repository.path, name: repo, convention, digest, reason });
  return refusal ? answerRefusal(409, refusal) : answerResult({ said: "" });
}

/** What was sent is on the record now. */
function forgetComments(notes: Notes, path: string, { bubble, comments }: CommandOf<"rework">): void {
  for (const id of comments) notes.change(path, bubble, { note: "comment", id, comment: null });
}

async function speak(
  { notes, grants }: CommandDependencies,
  { name, path }: KnownRepository,
  call: OperatorCall,
  command: Exclude<PageCommand, CommandOf<"convention" | "ask-convention">>,
): Promise<SpokenResult> {
  switch (command.do) {
    case "rework": {
      const spoken = await rework(call, command, notes.read(path, call.bubble).comments);
      if ("said" in spoken) forgetComments(notes, path, command);
      return spoken;
    }
    case "ask-approval": {
      const refusal = grants.ask({ repo: path, name, bubble: call.bubble, digest: command.digest });
      return refusal ? { refusal } : { said: "asked in the terminal of pairflow ui" };
    }
    case "reply":
      return replyFromPage(call, command);
    case "start":
    case "pause":
    case "resume":
    case "stop":
      return run(call, command);
    case "open": {
      const { worktree } = await openWorktree(call, false);
      return { said: `Opened ${worktree}` };
    }
  }
}

// Starting, pausing, resuming and stopping a bubble from the page: the terminal's own functions.
type RunCommand = Extract<PageCommand, { do: "start" | "pause" | "resume" | "stop" }>;

async function run(call: OperatorCall, command: RunCommand): Promise<SpokenResult> {
  if (command.do === "resume") return resume(call, command.message);
  const { refusal, state } = await put(call, command);
  if (refusal) return { refusal };
  return { said: `${call.bubble} is ${state?.pause ? "paused" : state?.lifecycle}` };
}

async function put(
  call: OperatorCall,
  command: Exclude<RunCommand, { do: "resume" }>,
): Promise<CommandReply> {
  switch (command.do) {
    case "start": {
      const handled = await startBubble(call, call.world.seats.kind);
      // Somebody must act on it.
      if (!handled.refusal) await ensureDriver(call);
      return handled;
    }
    case "pause":
      return pauseBubble(call, { message: command.message, now: command.now });
    case "stop":
      return stopBubble(call, command.message);
  }
}
