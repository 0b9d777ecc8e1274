// The conversation with one app-server of Codex: initialize, open or continue the thread, start the one turn, and follow it to
// its end. Everything follows from the lines read, so that a driver that takes over reaches the same state.

import type { AgentQuestion, TurnEnd } from "../../../core/model/turn-end.ts";
import { keepStart } from "../../../core/model/value/sizes.ts";
import type {
  Conversation,
  ConversationHost,
  ProcessExit,
  TurnRequest,
} from "../../../ports/agent/adapter.ts";
import { findAnswer } from "../answer-text.ts";
import { describeCrash } from "../process-output.ts";
import { buildWishQuestion, isAllowed, type Leave, type Questions, readWish } from "./client-requests.ts";
import { findResetTime, toThreadFailure, toTurnFailure } from "./failure.ts";
import { getCodexPermission } from "./flags.ts";
import { describeActivity, findRefusedTool, type RefusedItem } from "./items.ts";
import { buildInitialize, buildSteerRequest, buildThreadRequest, buildTurnStart } from "./requests.ts";
import { Meter } from "./usage.ts";
import {
  type Fields,
  formatCodexNotification,
  formatCodexRefusal,
  formatCodexReply,
  formatCodexRequest,
  type Heard,
  ids,
  readCodexLine,
  toFields,
  toList,
  toText,
} from "./wire.ts";

type Reply = Extract<Heard, { kind: "reply" }>;
type Request = Extract<Heard, { kind: "request" }>;
type News = Extract<Heard, { kind: "news" }>;

export class CodexConversation implements Conversation {
  private thread = "";
  private turn: string | undefined;
  private message = "";
  private refused: RefusedItem | undefined;
  private resetsAt: number | undefined;
  private steered = 0;
  private isOver = false;
  private readonly meter = new Meter();
  private readonly items = new Map<string, Fields>();
  private readonly waiting = new Map<
    string,
    { readonly id: string | number; readonly wish: Questions | Leave }
  >();

  private readonly host: ConversationHost;
  private readonly asked: TurnRequest;

  constructor(host: ConversationHost, asked: TurnRequest) {
    this.host = host;
    this.asked = asked;
  }

  begin(): void {
    this.host.send(buildInitialize());
  }

  heard(line: string): void {
    const heard = this.isOver ? undefined : readCodexLine(line);
    if (heard?.kind === "reply") this.replied(heard);
    else if (heard?.kind === "request") this.wished(heard);
    else if (heard?.kind === "news") this.news(heard);
  }

  closed(exit: ProcessExit): void {
    this.over({ outcome: "crashed", detail: describeCrash("", exit) });
  }

  answer(id: string, answers: Readonly<Record<string, string>>): void {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    const { wish } = waiting;
    if (wish.kind === "questions") this.host.send(formatCodexReply(waiting.id, wish.reply(answers)));
    else this.decide(waiting.id, wish, isAllowed(answers.permission));
  }

  interrupt(): void {
    if (this.turn === undefined || this.isOver) return;
    const named = { threadId: this.thread, turnId: this.turn };
    this.host.send(formatCodexRequest(ids.interrupt, "turn/interrupt", named));
  }

  private replied({ id, result, error }: Reply): void {
    if (error !== undefined) {
      this.failedRequest(id, error);
    } else if (id === ids.initialize) {
      this.host.send(formatCodexNotification("initialized"));
      this.host.send(buildThreadRequest(this.asked));
    } else if (id === ids.thread) {
      this.opened(toText(toFields(result.thread).id));
    } else if (id === ids.turn) {
      this.turn = toText(toFields(result.turn).id);
    }
  }

  private opened(thread: string): void {
    if (thread === "") {
      this.over({ outcome: "crashed", detail: "Codex did not name the thread it opened" });
      return;
    }
    this.thread = thread;
    this.host.happened({ type: "session", id: thread });
    this.host.send(buildTurnStart(this.asked, thread));
  }

  private failedRequest(id: number, error: string): void {
    if (id === ids.thread) this.over(toThreadFailure(error));
    else if (id < ids.interrupt) this.over({ outcome: "crashed", detail: `Codex: ${keepStart(error, 500)}` });
  }

  private wished({ id, method, params }: Request): void {
    const wish = readWish(method, params, this.items.get(toText(params.itemId)) ?? {});
    const permission = getCodexPermission(this.asked);
    if (wish === undefined) {
      this.host.send(formatCodexRefusal(id, method));
    } else if (wish.kind === "impossible") {
      this.host.send(formatCodexReply(id, wish.deny));
      this.refuse({ tool: wish.tool, why: wish.why ?? "nobody can do that without a terminal" });
    } else if (wish.kind === "questions") {
      this.ask(id, wish, wish.questions);
    } else if (permission === "ask") {
      this.ask(id, wish, [buildWishQuestion(wish)]);
    } else {
      this.decide(id, wish, permission === "allow");
    }
  }

  private ask(id: string | number, wish: Questions | Leave, questions: readonly AgentQuestion[]): void {
    const key = `request-${id}`;
    this.waiting.set(key, { id, wish });
    this.host.happened({ type: "asked", id: key, questions });
  }

  private decide(id: string | number, wish: Leave, isGranted: boolean): void {
    this.host.send(formatCodexReply(id, isGranted ? wish.allow : wish.deny));
    if (!isGranted && !wish.isShown) this.refuse({ tool: wish.tool, why: "it was denied" });
  }

  private refuse(refused: RefusedItem): void {
    this.refused = refused;
    this.host.happened({ type: "refused-tool", ...refused });
  }

  private news({ method, params, at }: News): void {
    if (method === "thread/tokenUsage/updated") {
      const usage = this.meter.read(params, this.thread, this.turn);
      if (usage !== undefined) this.host.happened({ type: "usage", usage });
    } else if (method === "account/rateLimits/updated") {
      this.resetsAt = findResetTime(toFields(params.rateLimits)) ?? this.resetsAt;
    } else if (method === "turn/completed") {
      this.completed(params, at);
    } else if (method === "item/started" || method === "item/completed") {
      this.item(method, params);
    }
    const doing = describeActivity(method, params, this.asked.worktree);
    if (doing !== undefined) this.host.happened({ type: "doing", text: doing });
  }

  private item(method: string, params: Fields): void {
    const item = toFields(params.item);
    if (method === "item/started") {
      this.items.set(toText(item.id), item);
      return;
    }
    this.items.delete(toText(item.id));
    const refused = findRefusedTool(item);
    if (refused !== undefined) this.refuse(refused);
    if (item.type !== "agentMessage" || !this.isOurs(params)) return;
    if (isAside(item)) this.steer();
    else this.message = toText(item.text);
  }

  private steer(): void {
    if (this.turn === undefined) return;
    this.host.send(buildSteerRequest(this.thread, this.turn, this.steered));
    this.steered += 1;
  }

  /** Sub-agents have threads of their own on the same wire. */
  private isOurs(params: Fields): boolean {
    return toText(params.threadId) === this.thread;
  }

  private completed(params: Fields, at: number): void {
    const turn = toFields(params.turn);
    if (!this.isOurs(params) || toText(turn.id) !== this.turn) return;
    if (turn.status === "failed") {
      this.over(toTurnFailure({ error: toFields(turn.error), at, resetsAt: this.resetsAt }));
    } else if (turn.status === "interrupted") {
      this.over({ outcome: "unfinished", detail: "it was interrupted before it was ready" });
    } else {
      const last = toList(turn.items).findLast((item) => item.type === "agentMessage" && !isAside(item));
      this.over(buildEnd(last === undefined ? this.message : toText(last.text), this.refused));
    }
  }

  private over(end: TurnEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    this.host.happened({ type: "over", end });
  }
}

/** A question in passing, which looks like a final message. */
function isAside({ delivery }: Fields): boolean {
  return delivery === "async";
}

/** Codex hands the schema to the model and checks nothing: what came may be anything. */
function buildEnd(message: string, refused: RefusedItem | undefined): TurnEnd {
  const found = findAnswer(message);
  if (found !== undefined) return { outcome: "answered", ...found };
  if (refused !== undefined) {
    const detail = `it ended without an answer after it was refused: ${refused.tool} (${refused.why})`;
    return { outcome: "refused-tool", detail };
  }
  const said = message.trim() === "" ? "it said nothing" : `it said: ${keepStart(message.trim(), 300)}`;
  return {
    outcome: "garbage",
    detail: `its last message is not the JSON answer that was asked for; ${said}`,
  };
}
