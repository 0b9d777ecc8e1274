// The talk with one app-server of Codex: greet it, open or take up the thread, start the one turn, and follow it to its
// end. Everything follows from the lines heard, so that a driver that takes over comes to stand in the same place.

import type { Asking, TurnEnd } from "../../../core/model/outcome.ts";
import { keepStart } from "../../../core/model/sizes.ts";
import type { Conversation, ConversationHost, Exit, TurnRequest } from "../../../ports/agent.ts";
import { answerIn } from "../answer-text.ts";
import { crashDetail } from "../process-output.ts";
import { failure, noThread, resetOf } from "./failure.ts";
import { permissionOf } from "./flags.ts";
import { doingOf, type Refused, refusedIn } from "./items.ts";
import { greeting, steerRequest, threadRequest, turnRequest } from "./requests.ts";
import { Meter } from "./usage.ts";
import {
  type Fields,
  fields,
  type Heard,
  ids,
  list,
  notification,
  readLine,
  refusal,
  reply,
  request,
  text,
} from "./wire.ts";
import { askingFor, isAllowed, type Leave, type Questions, wishOf } from "./wishes.ts";

type Reply = Extract<Heard, { kind: "reply" }>;
type Request = Extract<Heard, { kind: "request" }>;
type News = Extract<Heard, { kind: "news" }>;

export class CodexConversation implements Conversation {
  private thread = "";
  private turn: string | undefined;
  private message = "";
  private refused: Refused | undefined;
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
    this.host.send(greeting());
  }

  heard(line: string): void {
    const heard = this.isOver ? undefined : readLine(line);
    if (heard?.kind === "reply") this.replied(heard);
    else if (heard?.kind === "request") this.wished(heard);
    else if (heard?.kind === "news") this.news(heard);
  }

  closed(exit: Exit): void {
    this.over({ outcome: "crashed", detail: crashDetail("", exit) });
  }

  answer(id: string, answers: Readonly<Record<string, string>>): void {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    const { wish } = waiting;
    if (wish.kind === "questions") this.host.send(reply(waiting.id, wish.reply(answers)));
    else this.decide(waiting.id, wish, isAllowed(answers.permission));
  }

  interrupt(): void {
    if (this.turn === undefined || this.isOver) return;
    const named = { threadId: this.thread, turnId: this.turn };
    this.host.send(request(ids.interrupt, "turn/interrupt", named));
  }

  private replied({ id, result, error }: Reply): void {
    if (error !== undefined) {
      this.failedRequest(id, error);
    } else if (id === ids.initialize) {
      this.host.send(notification("initialized"));
      this.host.send(threadRequest(this.asked));
    } else if (id === ids.thread) {
      this.opened(text(fields(result.thread).id));
    } else if (id === ids.turn) {
      this.turn = text(fields(result.turn).id);
    }
  }

  private opened(thread: string): void {
    if (thread === "") {
      this.over({ outcome: "crashed", detail: "Codex did not name the thread it opened" });
      return;
    }
    this.thread = thread;
    this.host.happened({ type: "session", id: thread });
    this.host.send(turnRequest(this.asked, thread));
  }

  private failedRequest(id: number, error: string): void {
    if (id === ids.thread) this.over(noThread(error));
    else if (id < ids.interrupt) this.over({ outcome: "crashed", detail: `Codex: ${keepStart(error, 500)}` });
  }

  private wished({ id, method, params }: Request): void {
    const wish = wishOf(method, params, this.items.get(text(params.itemId)) ?? {});
    const permission = permissionOf(this.asked);
    if (wish === undefined) {
      this.host.send(refusal(id, method));
    } else if (wish.kind === "impossible") {
      this.host.send(reply(id, wish.deny));
      this.refuse({ tool: wish.tool, why: wish.why ?? "nobody can do that without a terminal" });
    } else if (wish.kind === "questions") {
      this.ask(id, wish, wish.questions);
    } else if (permission === "ask") {
      this.ask(id, wish, [askingFor(wish)]);
    } else {
      this.decide(id, wish, permission === "allow");
    }
  }

  private ask(id: string | number, wish: Questions | Leave, questions: readonly Asking[]): void {
    const key = `request-${id}`;
    this.waiting.set(key, { id, wish });
    this.host.happened({ type: "asked", id: key, questions });
  }

  private decide(id: string | number, wish: Leave, isGranted: boolean): void {
    this.host.send(reply(id, isGranted ? wish.allow : wish.deny));
    if (!isGranted && !wish.isShown) this.refuse({ tool: wish.tool, why: "it was denied" });
  }

  private refuse(refused: Refused): void {
    this.refused = refused;
    this.host.happened({ type: "refused-tool", ...refused });
  }

  private news({ method, params, at }: News): void {
    if (method === "thread/tokenUsage/updated") {
      const usage = this.meter.read(params, this.thread, this.turn);
      if (usage !== undefined) this.host.happened({ type: "usage", usage });
    } else if (method === "account/rateLimits/updated") {
      this.resetsAt = resetOf(fields(params.rateLimits)) ?? this.resetsAt;
    } else if (method === "turn/completed") {
      this.completed(params, at);
    } else if (method === "item/started" || method === "item/completed") {
      this.item(method, params);
    }
    const doing = doingOf(method, params, this.asked.worktree);
    if (doing !== undefined) this.host.happened({ type: "doing", text: doing });
  }

  private item(method: string, params: Fields): void {
    const item = fields(params.item);
    if (method === "item/started") {
      this.items.set(text(item.id), item);
      return;
    }
    this.items.delete(text(item.id));
    const refused = refusedIn(item);
    if (refused !== undefined) this.refuse(refused);
    if (item.type !== "agentMessage" || !this.isOurs(params)) return;
    if (isAside(item)) this.steer();
    else this.message = text(item.text);
  }

  private steer(): void {
    if (this.turn === undefined) return;
    this.host.send(steerRequest(this.thread, this.turn, this.steered));
    this.steered += 1;
  }

  /** Sub-agents have threads of their own on the same wire. */
  private isOurs(params: Fields): boolean {
    return text(params.threadId) === this.thread;
  }

  private completed(params: Fields, at: number): void {
    const turn = fields(params.turn);
    if (!this.isOurs(params) || text(turn.id) !== this.turn) return;
    if (turn.status === "failed") {
      this.over(failure({ error: fields(turn.error), at, resetsAt: this.resetsAt }));
    } else if (turn.status === "interrupted") {
      this.over({ outcome: "unfinished", detail: "it was interrupted before it was ready" });
    } else {
      const last = list(turn.items).findLast((item) => item.type === "agentMessage" && !isAside(item));
      this.over(answerOf(last === undefined ? this.message : text(last.text), this.refused));
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
function answerOf(message: string, refused: Refused | undefined): TurnEnd {
  const found = answerIn(message);
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
