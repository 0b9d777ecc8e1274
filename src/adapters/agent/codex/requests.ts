// The three requests that make a turn of Codex's app-server. Sandbox, permission and model are said every time: a thread
// that continues would otherwise keep what it had.
import type { TurnRequest } from "../../../ports/agent.ts";
import { textSetting } from "../settings.ts";
import { effortOf, sandboxOf } from "./flags.ts";
import { type Fields, ids, request } from "./wire.ts";

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

export function greeting(): string {
  return request(ids.initialize, "initialize", {
    clientInfo: { name: "pairflow", title: "Pairflow", version: "1" },
    capabilities: { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: unwanted },
  });
}

/** A new thread, or the one that continues. */
export function threadRequest(turn: TurnRequest): string {
  const how = { cwd: turn.worktree, sandbox: sandboxOf(turn), ...permission(turn), ...model(turn) };
  if (turn.fresh) return request(ids.thread, "thread/start", how);
  return request(ids.thread, "thread/resume", { threadId: turn.session, excludeTurns: true, ...how });
}

export function turnRequest(turn: TurnRequest, threadId: string): string {
  const effort = effortOf(turn.settings);
  return request(ids.turn, "turn/start", {
    threadId,
    input: [{ type: "text", text: turn.prompt }],
    cwd: turn.worktree,
    ...permission(turn),
    ...model(turn),
    ...(effort === undefined ? {} : { effort }),
    outputSchema: turn.answerSchema,
  });
}

/**
 * The reply to a question that does not wait for one. Its answer would come when the turn is long over, so the agent is
 * told how to ask instead.
 */
export function steerRequest(threadId: string, expectedTurnId: string, count: number): string {
  const text = `Nobody answers questions that do not wait. If you cannot continue without an answer, ask with
request_user_input, or end your turn now and put the questions into your final answer.`;
  const input = [{ type: "text", text: text.replace("\n", " ") }];
  return request(ids.steer + count, "turn/steer", { threadId, expectedTurnId, input });
}

/** A critic cannot even ask; everybody else asks us, whatever reviewer the person's configuration names. */
function permission(turn: TurnRequest): Fields {
  const approvalPolicy = turn.readOnly ? "never" : "on-request";
  return { approvalPolicy, approvalsReviewer: "user" };
}

function model({ settings }: TurnRequest): Fields {
  const name = textSetting(settings, "model");
  return name === undefined ? {} : { model: name };
}
