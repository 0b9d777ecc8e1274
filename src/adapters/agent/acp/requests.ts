// What the agent asks of us in the middle of a turn: leave to use a tool, or the answers to a form. What a rule can
// answer is answered at once; the rest waits for a human.
import * as v from "valibot";
import type { TurnEvent, TurnRequest } from "../../../ports/agent/adapter.ts";
import {
  buildPermissionQuestion,
  decideToolUse,
  findMeantOption,
  findNarrowestOption,
  getToolName,
  isGrantingOption,
  PermissionRequest,
  type ToolCall,
} from "./permission.ts";
import { type FormQuestions, fillForm, parseFormQuestions } from "./questions.ts";
import { formatNotOffered, formatResult, type IncomingMessage, type RequestId } from "./wire.ts";

interface Surroundings {
  readonly turn: TurnRequest;
  send(line: string): void;
  tell(event: TurnEvent): void;
  toolCall(newest: ToolCall): ToolCall;
}

type Request = Extract<IncomingMessage, { kind: "request" }>;
type Answers = Readonly<Record<string, string>>;

interface Open {
  answer(answers: Answers): void;
  cancel(): void;
}

export interface Requests {
  heard(request: Request): void;
  answer(id: string, answers: Answers): void;
  /** Nobody will answer any more: every open question is taken back. */
  cancel(): void;
  /** The tools it was refused, in their order. */
  refused(): readonly RefusedTool[];
}

export interface RefusedTool {
  readonly tool: string;
  readonly why: string;
}

export function createRequests(around: Surroundings): Requests {
  const open = new Map<string, Open>();
  const ask = (id: RequestId, questions: FormQuestions["questions"], wait: Open) => {
    open.set(String(id), wait);
    around.tell({ type: "asked", id: String(id), questions });
  };
  const leave = buildLeave(around, ask);

  return {
    heard({ id, method, params }) {
      const asked =
        method === "session/request_permission" ? v.safeParse(PermissionRequest, params) : undefined;
      const shown = method === "elicitation/create" ? parseFormQuestions(params) : undefined;
      if (asked?.success) leave.wanted(id, asked.output);
      else if (shown) ask(id, shown.questions, waitForForm(around, id, shown));
      else if (method === "elicitation/create") around.send(formatResult(id, method, { action: "decline" }));
      else around.send(formatNotOffered(id, method));
    },

    answer(id, answers) {
      const wait = open.get(id);
      open.delete(id);
      wait?.answer(answers);
    },

    cancel() {
      for (const wait of open.values()) wait.cancel();
      open.clear();
    },

    refused: leave.refused,
  };
}

function waitForForm({ send }: Surroundings, id: RequestId, { form }: FormQuestions): Open {
  return {
    answer(answers) {
      const content = fillForm(form, answers);
      const result = content ? ({ action: "accept", content } as const) : { action: "decline" };
      send(formatResult(id, "elicitation/create", result));
    },
    cancel: () => send(formatResult(id, "elicitation/create", { action: "cancel" })),
  };
}

/** Leave to use tools: granted, refused, or asked for. */
function buildLeave(
  { turn, send, tell, toolCall }: Surroundings,
  ask: (id: RequestId, questions: FormQuestions["questions"], wait: Open) => void,
) {
  const refused: RefusedTool[] = [];
  const choose = (id: RequestId, option: PermissionRequest["options"][number] | undefined) =>
    send(
      formatResult(id, "session/request_permission", {
        outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" },
      }),
    );
  const refuse = (id: RequestId, request: PermissionRequest, tool: string, why: string) => {
    refused.push({ tool, why });
    tell({ type: "refused-tool", tool, why });
    choose(id, findNarrowestOption(request.options, "deny"));
  };
  const waitForLeave = (id: RequestId, request: PermissionRequest, tool: ToolCall): Open => ({
    answer({ permission: words = "" }) {
      const option = findMeantOption(request.options, words);
      if (option && isGrantingOption(option)) choose(id, option);
      else
        refuse(
          id,
          request,
          getToolName(tool),
          words === "" ? "a human refused it" : `a human said: ${words}`,
        );
    },
    cancel: () => choose(id, undefined),
  });

  return {
    wanted(id: RequestId, request: PermissionRequest): void {
      const tool = toolCall(request.toolCall);
      const verdict = decideToolUse(tool, turn);
      if (verdict.may === "deny") refuse(id, request, verdict.tool, verdict.why);
      else if (verdict.may === "allow") choose(id, findNarrowestOption(request.options, "allow"));
      else ask(id, [buildPermissionQuestion(request, tool)], waitForLeave(id, request, tool));
    },
    refused: () => refused,
  };
}
