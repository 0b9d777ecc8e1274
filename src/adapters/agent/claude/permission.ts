// What is answered when Claude Code wants to use a tool that its rules leave open: the model's own questions always go
// to a human; other tools as the setting `permission` says.

import * as v from "valibot";
import type { AgentSettings } from "../../../core/model/config.ts";
import type { AgentQuestion } from "../../../core/model/turn-end.ts";
import { keepStart } from "../../../core/model/value/sizes.ts";
import { getTextSetting } from "../settings.ts";
import { type ControlRequest, Questions } from "./lines.ts";

export const permissions = ["ask", "allow", "deny"] as const;
export type ClaudePermission = (typeof permissions)[number];

/** These are asked for only outside the folders of the turn, so `permission = "allow"` does not mean them. */
export const editing = ["Edit", "Write", "NotebookEdit"];

type Request = ControlRequest["request"];
type Input = Readonly<Record<string, unknown>>;

export function getClaudePermission(settings: AgentSettings): ClaudePermission {
  const given = getTextSetting(settings, "permission");
  return permissions.find((one) => one === given) ?? "ask";
}

/** A command in the sandbox wants to reach a host: many tools do so unasked and continue without it. */
const network = "SandboxNetworkAccess";

/**
 * Whether a tool is used, refused, or a human decides. Without a terminal nobody waits to be asked about a host, so that is
 * refused unless the settings say in so many words who decides.
 */
export function decideClaudeTool({ tool_name }: Request, settings: AgentSettings): ClaudePermission {
  const permission = getClaudePermission(settings);
  if (tool_name === "AskUserQuestion") return "ask";
  if (tool_name === network && mustRefuseHosts(settings)) return "deny";
  return permission === "allow" && editing.includes(tool_name) ? "ask" : permission;
}

/** Without a terminal: whether hosts are refused unasked. */
export function mustRefuseHosts(settings: AgentSettings): boolean {
  return [undefined, "deny"].includes(getTextSetting(settings, "permission"));
}

/** What a human is asked. */
export function buildToolQuestions(request: Request): AgentQuestion[] {
  const own = request.tool_name === "AskUserQuestion" ? v.safeParse(Questions, request.input) : undefined;
  if (own?.success) return own.output.questions.map(buildQuestion);
  const context = [request.decision_reason, renderToolInput(request.input)].filter(Boolean).join("\n");
  return [
    {
      id: "permission",
      question: `May it use ${request.tool_name}${request.description ? `: ${request.description}` : ""}?`,
      options: ["allow", "deny"],
      ...(context ? { context } : {}),
    },
  ];
}

type Question = v.InferOutput<typeof Questions>["questions"][number];

function buildQuestion({ question, options, multiSelect }: Question, index: number): AgentQuestion {
  const described = options.filter(({ description }) => description);
  const lines = described.map(({ label, description }) => `${label}: ${description}`);
  if (multiSelect) lines.push("More than one may be chosen, with commas between.");
  return {
    id: `q${index + 1}`,
    question,
    ...(options.length > 0 ? { options: options.map(({ label }) => label) } : {}),
    ...(lines.length > 0 ? { context: lines.join("\n") } : {}),
  };
}

/** What the CLI is told after a human has answered. */
export function buildToolAnswer(request: Request, answers: Readonly<Record<string, string>>): Input {
  const own = request.tool_name === "AskUserQuestion" ? v.safeParse(Questions, request.input) : undefined;
  if (own?.success) {
    const said = own.output.questions.map(({ question }, index) => [
      question,
      answers[`q${index + 1}`] ?? "",
    ]);
    return allowTool({ ...request.input, answers: Object.fromEntries(said) });
  }
  const words = (answers.permission ?? "").trim();
  // Whatever a person adds to a choice stands after a colon.
  if (/^(allow|yes|y)(:|$)/i.test(words)) return allowTool(request.input);
  const why = words.replace(/^(deny|no|n)(: *|$)/i, "");
  return denyTool(why === "" ? "A human refused this." : `A human refused this: ${why}`);
}

/** Why a tool is refused without asking anybody. */
export function explainRefusal({ tool_name, input }: Request): string {
  return tool_name === network
    ? `no network in this turn: ${String(input.host ?? "a host")} is not reached, and nobody is asked about it`
    : 'nobody is asked in this turn (permission = "deny")';
}

export function allowTool(updatedInput: Input): Input {
  return { behavior: "allow", updatedInput };
}

export function denyTool(message: string): Input {
  return { behavior: "deny", message };
}

/** All that a tool is called with: its command or path as it is, then every other field. */
export function renderToolInput(input: Input): string {
  const name = findTellingField(input);
  const { [name ?? ""]: _told, ...rest } = input;
  const others = Object.keys(rest).length > 0 ? JSON.stringify(rest) : "";
  return [name === undefined ? "" : String(input[name]), others].filter(Boolean).join("\n");
}

const telling = ["command", "file_path", "host", "url", "pattern", "description", "query"];
const findTellingField = (input: Input) => telling.find((name) => typeof input[name] === "string");

/** A tool call in a few words. */
export function summarizeToolInput(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const found = (input as Input)[findTellingField(input as Input) ?? ""];
  const words = typeof found === "string" ? found : JSON.stringify(input);
  return keepStart(words.replaceAll(/\s+/g, " "), 300);
}
