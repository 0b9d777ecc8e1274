// The three requests that make a turn of Codex's app-server. Sandbox, permission and model are said every time: a thread
// that continues would otherwise keep what it had.
import type { TurnRequest } from "../../../ports/agent/adapter.ts";
import { getTextSetting } from "../settings.ts";
import { getEffort, getSandboxMode } from "./flags.ts";
import { type Fields, formatCodexRequest, ids } from "./wire.ts";

/** News that nobody reads here and that would fill the output: pieces of what comes whole later, and states. */
const unwanted = [
  "item/agentMessage/delta",
  "item/plan/delta",
  "item/reasoning/textDelta",
  "item/fileChange/outputDelta",
  "item/fileChange/patchUpdated",
  "turn/diff/updated",
  "thread/started",
  "thread/status/changed",
  "thread/readState/changed",
  "thread/settings/updated",
  "remoteControl/status/changed",
];

export function buildInitialize(): string {
  return formatCodexRequest(ids.initialize, "initialize", {
    clientInfo: { name: "pairflow", title: "Pairflow", version: "1" },
    capabilities: { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: unwanted },
  });
}

/** A new thread, or the one that continues. */
export function buildThreadRequest(turn: TurnRequest): string {
  const how = {
    cwd: turn.worktree,
    sandbox: getSandboxMode(turn),
    ...buildPermission(turn),
    ...buildModel(turn),
  };
  if (turn.fresh) return formatCodexRequest(ids.thread, "thread/start", how);
  return formatCodexRequest(ids.thread, "thread/resume", {
    threadId: turn.session,
    excludeTurns: true,
    ...how,
  });
}

export function buildTurnStart(turn: TurnRequest, threadId: string): string {
  const effort = getEffort(turn.settings);
  return formatCodexRequest(ids.turn, "turn/start", {
    threadId,
    input: [{ type: "text", text: turn.prompt }],
    cwd: turn.worktree,
    ...buildPermission(turn),
    ...buildModel(turn),
    ...(effort === undefined ? {} : { effort }),
    outputSchema: turn.answerSchema,
  });
}

/**
 * The reply to a question that does not wait for one. Its answer would come when the turn is long over, so the agent is
 * told how to ask instead.
 */
export function buildSteerRequest(threadId: string, expectedTurnId: string, count: number): string {
  const text = `Nobody answers questions that do not wait. If you cannot continue without an answer, ask with
request_user_input, or end your turn now and put the questions into your final answer.`;
  const input = [{ type: "text", text: text.replace("\n", " ") }];
  return formatCodexRequest(ids.steer + count, "turn/steer", { threadId, expectedTurnId, input });
}

/** A critic cannot even ask; everybody else asks us, whatever reviewer the person's configuration names. */
function buildPermission(turn: TurnRequest): Fields {
  const approvalPolicy = turn.readOnly ? "never" : "on-request";
  return { approvalPolicy, approvalsReviewer: "user" };
}

function buildModel({ settings }: TurnRequest): Fields {
  const name = getTextSetting(settings, "model");
  return name === undefined ? {} : { model: name };
}
