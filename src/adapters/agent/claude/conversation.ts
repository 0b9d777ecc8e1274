// The conversation with a Claude Code that has no terminal: the prompt goes in as one line, its requests for tools and
// its questions are answered on the same way, and its result is the end.

import type { Usage } from "../../../core/model/record/usage.ts";
import { keepStart } from "../../../core/model/value/sizes.ts";
import type { Conversation, ConversationHost, TurnRequest } from "../../../ports/agent/adapter.ts";
import { checkWishLength } from "../permission-text.ts";
import { type EndSigns, endOfExit, endOfResult } from "./end.ts";
import {
  type Assistant,
  type ClaudeLine,
  type ClaudeResult,
  type ControlRequest,
  readClaudeLine,
} from "./lines.ts";
import {
  allowTool,
  buildToolAnswer,
  buildToolQuestions,
  decideClaudeTool,
  denyTool,
  explainRefusal,
  renderToolInput,
  summarizeToolInput,
} from "./permission.ts";

type Kind<T extends ClaudeLine["type"]> = Extract<ClaudeLine, { type: T }>;

/** A conversation that knows nothing but its turn and the lines it has heard. */
export function createClaudeConversation(host: ConversationHost, turn: TurnRequest): Conversation {
  return new ClaudeConversation(host, turn);
}

class ClaudeConversation implements Conversation {
  private readonly host: ConversationHost;
  private readonly turn: TurnRequest;
  private readonly usage = new UsageCount();
  private readonly waiting = new Map<string, ControlRequest["request"]>();
  private signs: EndSigns = { interrupted: false };
  private session: string | undefined;
  private model: string | undefined;
  private interrupts = 0;
  private isOver = false;

  constructor(host: ConversationHost, turn: TurnRequest) {
    this.host = host;
    this.turn = turn;
  }

  begin(): void {
    const content = [{ type: "text", text: this.turn.prompt }];
    this.send({ type: "user", message: { role: "user", content } });
  }

  heard(line: string): void {
    const said = this.isOver ? undefined : readClaudeLine(line);
    if (said?.type === "system") this.system(said);
    if (said?.type === "assistant") this.assistant(said);
    if (said?.type === "rate_limit_event") this.rateLimit(said);
    if (said?.type === "control_request") this.request(said);
    if (said?.type === "control_cancel_request") this.waiting.delete(said.request_id);
    if (said?.type === "result") this.result(said);
  }

  closed(exit: { readonly code?: number; readonly stderr: string }): void {
    this.over(endOfExit(exit));
  }

  answer(id: string, answers: Readonly<Record<string, string>>): void {
    const request = this.waiting.get(id);
    if (request) this.reply(id, buildToolAnswer(request, answers));
  }

  interrupt(): void {
    this.signs = { ...this.signs, interrupted: true };
    this.interrupts += 1;
    this.control(`interrupt-${this.interrupts}`, "interrupt");
  }

  private system(said: Kind<"system">): void {
    if (said.subtype === "init" && said.session_id) {
      this.model = said.model;
      // The line comes again with every message that is sent.
      if (this.session !== said.session_id) this.host.happened({ type: "session", id: said.session_id });
      this.session = said.session_id;
    } else if (said.subtype === "permission_denied") {
      this.refused(said.tool_name ?? "a tool", "its rules do not allow it");
    } else if (said.subtype === "api_retry") {
      const text = `the model did not answer (${said.error ?? "unknown"}), try ${said.attempt} of ${said.max_retries}`;
      this.host.happened({ type: "doing", text });
    }
  }

  private assistant(said: Assistant): void {
    if (said.error) this.signs = { ...this.signs, error: said.error };
    for (const block of said.message.content) {
      const text =
        block.type === "tool_use" ? `${block.name}: ${summarizeToolInput(block.input)}` : block.text;
      if (text?.trim() && !said.error) this.host.happened({ type: "doing", text: getFirstLine(text) });
    }
    const usage = this.usage.add(said);
    if (usage) this.host.happened({ type: "usage", usage });
  }

  private rateLimit({ rate_limit_info: info }: Kind<"rate_limit_event">): void {
    if (info.status === "rejected" && info.resetsAt != null)
      this.signs = { ...this.signs, resetsAt: info.resetsAt };
  }

  private request({ request_id: id, request }: ControlRequest): void {
    if (request.subtype !== "can_use_tool") {
      this.cannot(id, request.subtype);
      return;
    }
    const verdict = decideClaudeTool(request, this.turn.settings);
    if (verdict === "allow") this.reply(id, allowTool(request.input));
    if (verdict === "deny") this.deny(id, request.tool_name, explainRefusal(request));
    if (verdict !== "ask") return;
    const tooLong = checkWishLength(renderToolInput(request.input));
    if (tooLong) {
      this.deny(id, request.tool_name, tooLong);
      return;
    }
    this.waiting.set(id, request);
    this.host.happened({ type: "asked", id, questions: buildToolQuestions(request) });
  }

  private deny(id: string, tool: string, why: string): void {
    this.refused(tool, why);
    this.reply(
      id,
      denyTool(`Refused: ${why}. Continue without it, or say in your answer what you need it for.`),
    );
  }

  /** A request that nobody here understands must not keep it waiting. */
  private cannot(id: string, what: string): void {
    const error = `Pairflow does not answer ${what}.`;
    this.send({ type: "control_response", response: { subtype: "error", request_id: id, error } });
  }

  private result(said: ClaudeResult): void {
    this.host.happened({ type: "usage", usage: this.usage.total(said, this.model) });
    // Its standard input stays open for the driver that takes the turn over, so it has to be told that nothing more comes.
    this.control("over", "end_session");
    this.over(endOfResult(said, this.signs));
  }

  private over(end: ReturnType<typeof endOfExit>): void {
    if (this.isOver) return;
    this.isOver = true;
    this.host.happened({ type: "over", end });
  }

  private refused(tool: string, why: string): void {
    this.host.happened({ type: "refused-tool", tool, why });
  }

  private reply(id: string, response: Readonly<Record<string, unknown>>): void {
    this.waiting.delete(id);
    this.send({ type: "control_response", response: { subtype: "success", request_id: id, response } });
  }

  private control(id: string, subtype: string): void {
    this.send({ type: "control_request", request_id: id, request: { subtype } });
  }

  private send(line: Readonly<Record<string, unknown>>): void {
    this.host.send(JSON.stringify(line));
  }
}

function getFirstLine(text: string): string {
  return keepStart(text.trim().split("\n")[0] ?? "", 200);
}

/**
 * Adds up the lines of one process. While it works they tell the model's input alone; the output stands only in the result, which
 * counts subagents and side requests too.
 */
class UsageCount {
  private readonly seen = new Set<string>();
  private input = 0;
  private cached = 0;
  private output = 0;
  private lastInput = 0;

  /** The sum with one more message; undefined where the message was counted before or is none of the model's. */
  add({ message, parent_tool_use_id, error }: Assistant): Usage | undefined {
    const { usage, id } = message;
    if (!usage || error || this.seen.has(id)) return undefined;
    this.seen.add(id);
    const read = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
    this.input += read;
    this.cached += usage.cache_read_input_tokens;
    this.output += usage.output_tokens;
    if (parent_tool_use_id == null) this.lastInput = read;
    return { input: this.input, cached: this.cached, output: this.output };
  }

  /** The figures of the result, which are the right ones; `model` is the one that the session began with. */
  total(result: ClaudeResult, model: string | undefined): Usage {
    const models = Object.values(result.modelUsage ?? {});
    const money = result.total_cost_usd === undefined ? {} : { usd: result.total_cost_usd };
    if (models.length === 0) return { ...this.turnAlone(result), ...money };
    const sum = (amount: (one: (typeof models)[number]) => number) =>
      models.reduce((all, one) => all + amount(one), 0);
    const window = result.modelUsage?.[model ?? ""]?.contextWindow ?? models[0]?.contextWindow;
    return {
      input: sum((one) => one.inputTokens + one.cacheCreationInputTokens + one.cacheReadInputTokens),
      cached: sum((one) => one.cacheReadInputTokens),
      output: sum((one) => one.outputTokens),
      ...money,
      ...(window && this.lastInput > 0 ? { context: Math.min(1, this.lastInput / window) } : {}),
    };
  }

  private turnAlone({ usage }: ClaudeResult): Usage {
    if (!usage) return { input: this.input, cached: this.cached, output: this.output };
    const read = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
    return { input: read, cached: usage.cache_read_input_tokens, output: usage.output_tokens };
  }
}
