// A turn spoken in the Agent Client Protocol: initialize, open a session, one prompt, and what the agent asks meanwhile.
// Everything follows from the lines heard, in their order, so that reading them again says the same again.

import * as v from "valibot";
import type { TurnEnd } from "../../../core/model/turn-end.ts";
import { keepEnd, keepStart } from "../../../core/model/value/sizes.ts";
import type { Conversation, ConversationHost, TurnRequest } from "../../../ports/agent/adapter.ts";
import { addAnswerForm, findAnswer } from "../answer-text.ts";
import { describeCrash } from "../process-output.ts";
import { findTrouble } from "./failure.ts";
import { createPeer, type Peer } from "./peer.ts";
import { describeCommandLimits } from "./permission.ts";
import { createRequests, type RefusedTool, type Requests } from "./requests.ts";
import {
  findResumeMethod,
  Initialized,
  listSessionWishes,
  NewSession,
  Opened,
  type SessionWish,
} from "./session.ts";
import { createUpdates, Prompted, type Updates } from "./updates.ts";
import { buildPromptUsage } from "./usage.ts";
import { formatNotification, parseMessage } from "./wire.ts";

const protocolVersion = 1;

/** Files and terminals are not offered: the agent works on disk by itself, where it is watched and compared. */
const clientCapabilities = {
  fs: { readTextFile: false, writeTextFile: false },
  terminal: false,
  elicitation: { form: {} },
};

interface AcpConversation {
  readonly turn: TurnRequest;
  readonly peer: Peer;
  readonly updates: Updates;
  readonly requests: Requests;
  /** The agent's id of the session, once it is open. */
  session?: string;
  /** Nothing was said in it before this turn. */
  isNew: boolean;
  /** The agent's own name. */
  agent: string;
}

export function createAcpConversation(
  host: ConversationHost,
  turn: TurnRequest,
  version: string,
): Conversation {
  const peer = createPeer(host);
  const updates = createUpdates(
    (text) => peer.tell({ type: "doing", text: keepStart(text, 200) }),
    (reasons) => endOutOfReach(peer, reasons),
  );
  const requests = createRequests({ turn, send: peer.send, tell: peer.tell, toolCall: updates.toolCall });
  const talk: AcpConversation = { turn, peer, updates, requests, isNew: false, agent: "" };
  return {
    begin() {
      const clientInfo = { name: "pairflow", title: "Pairflow", version };
      const introduction = { protocolVersion, clientCapabilities, clientInfo };
      peer.request("initialize", introduction, Initialized, (agent) => open(talk, agent));
    },

    heard(line) {
      const message = peer.isOver() ? undefined : parseMessage(line);
      if (message?.kind === "request") requests.heard(message);
      if (message?.kind === "result" || message?.kind === "error") peer.answered(message);
      if (message?.kind === "notification" && message.method === "session/update")
        updates.heard(message.params);
    },

    closed: (exit) => peer.lost(describeCrash(updates.message(), exit)),
    answer: requests.answer,

    interrupt() {
      requests.cancel();
      const { session: sessionId } = talk;
      if (sessionId !== undefined) peer.send(formatNotification("session/cancel", { sessionId }));
    },
  };
}

/** Retries in a row after which a provider that is out of reach is taken to stay so. The referee has a try of its own. */
const mostRetries = 3;

function endOutOfReach(peer: Peer, reasons: readonly string[]): void {
  const trouble = findTrouble(reasons.at(-1) ?? "");
  if (trouble?.outcome === "unreachable" && reasons.length >= mostRetries) peer.end(trouble);
}

function open(talk: AcpConversation, agent: v.InferOutput<typeof Initialized>): void {
  const { peer, turn } = talk;
  const goOn = turn.fresh ? undefined : findResumeMethod(agent);
  talk.agent = agent.agentInfo?.name ?? "";
  if (agent.protocolVersion !== protocolVersion)
    peer.end({
      outcome: "misconfigured",
      detail: `it speaks version ${agent.protocolVersion} of the protocol, not ${protocolVersion}`,
    });
  else if (goOn) goOnIn(talk, goOn);
  else {
    if (!turn.fresh)
      peer.tell({ type: "doing", text: "begins a new session: it cannot continue in an earlier one" });
    talk.isNew = true;
    const place = { cwd: turn.worktree, mcpServers: [] };
    peer.request("session/new", place, NewSession, (offers) => noteOpened(talk, offers.sessionId, offers));
  }
}

function goOnIn(talk: AcpConversation, way: "session/load" | "session/resume"): void {
  const { session: sessionId, worktree: cwd } = talk.turn;
  talk.peer.request(way, { sessionId, cwd, mcpServers: [] }, Opened, (offers) => {
    const next = () => noteOpened(talk, sessionId, offers);
    if (way === "session/load") continueAfterHistory(talk, next);
    else next();
  });
}

/** Ways there and back without a word in between, after which a history is taken to be over. */
const quietEchoes = 2;
const mostEchoes = 5_000;

/**
 * Some agents say that a session is loaded and repeat its history afterwards. Its last message must not be taken for
 * the answer of this turn, so the prompt waits until nothing more comes.
 */
function continueAfterHistory(talk: AcpConversation, next: () => void, quiet = 0, echoes = 0): void {
  const before = talk.updates.heardSoFar();
  if (quiet === quietEchoes || echoes === mostEchoes) next();
  else
    talk.peer.echo(() => {
      const isQuiet = talk.updates.heardSoFar() === before;
      continueAfterHistory(talk, next, isQuiet ? quiet + 1 : 0, echoes + 1);
    });
}

function noteOpened(talk: AcpConversation, session: string, offers: v.InferOutput<typeof Opened>): void {
  talk.session = session;
  talk.peer.tell({ type: "session", id: session });
  const wishes = listSessionWishes(talk.turn, offers);
  if ("problem" in wishes) talk.peer.end(wishes.problem);
  else fulfil(talk, session, wishes);
}

function fulfil(talk: AcpConversation, sessionId: string, [wish, ...others]: readonly SessionWish[]): void {
  const next = () => fulfil(talk, sessionId, others);
  const done = v.unknown();
  if (!wish) sendPrompt(talk, sessionId);
  else if (wish.set === "mode")
    talk.peer.request("session/set_mode", { sessionId, modeId: wish.modeId }, done, next);
  else {
    const { configId, value } = wish;
    talk.peer.request("session/set_config_option", { sessionId, configId, value }, done, next);
  }
}

function sendPrompt(
  { turn, peer, updates, requests, isNew, agent }: AcpConversation,
  sessionId: string,
): void {
  const text = `${addAnswerForm(turn)}${describeCommandLimits(turn)}`;
  updates.beginTurn();
  peer.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }, Prompted, (done) => {
    const usage = buildPromptUsage(done, { agent, isNew, ...updates.seen() });
    if (usage) peer.tell({ type: "usage", usage });
    const saidNothing = done.usage === null && !updates.seen().usedTools;
    const trouble = saidNothing ? findTrouble(updates.message()) : undefined;
    peer.end(trouble ?? buildEnd(done.stopReason, updates.message(), requests.refused()));
  });
}

function buildEnd(stopReason: string, message: string, refused: readonly RefusedTool[]): TurnEnd {
  const said = message.trim() === "" ? "" : `; it said last: ${keepEnd(message.trim(), 400)}`;
  if (stopReason === "max_tokens" || stopReason === "max_turn_requests")
    return { outcome: "unfinished", detail: `it stopped at a limit of its own (${stopReason})${said}` };
  if (stopReason === "cancelled")
    return refused.length > 0
      ? toRefusedEnd(refused, said)
      : { outcome: "unfinished", detail: `it was interrupted${said}` };
  if (stopReason === "refusal") return { outcome: "garbage", detail: `the agent refused to continue${said}` };
  const found = findAnswer(message);
  if (found) return { outcome: "answered", ...found };
  if (refused.length > 0) return toRefusedEnd(refused, said);
  return {
    outcome: "garbage",
    detail: said === "" ? "it ended without a message" : `its last message is no JSON object${said}`,
  };
}

/** It ended without an answer after it was refused something: that is most likely why. */
function toRefusedEnd(refused: readonly RefusedTool[], said: string): TurnEnd {
  const named = [...new Set(refused.map(({ tool, why }) => `${keepStart(tool, 200)} (${why})`))];
  const list = named.slice(0, 5).join("; ");
  const more = named.length > 5 ? ` and ${named.length - 5} more` : "";
  return {
    outcome: "refused-tool",
    detail: `it was refused ${list}${more}, and ended without an answer${said}`,
  };
}
