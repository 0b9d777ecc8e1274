// What is answered when Claude Code wants to use a tool that its rules leave open: the model's own questions always go
// to a human; other tools as the setting `permission` says.
import * as v from "valibot";
import type { AgentSettings } from "../../../core/model/config.ts";
import type { Asking } from "../../../core/model/outcome.ts";
import { textSetting } from "../settings.ts";
import { type ControlRequest, Questions } from "./lines.ts";

export const permissions = ["ask", "allow", "deny"] as const;
export type Permission = (typeof permissions)[number];

/** These are asked for only outside the folders of the turn, so `permission = "allow"` does not mean them. */
export const editing = ["Edit", "Write", "NotebookEdit"];

type Request = ControlRequest["request"];
type Input = Readonly<Record<string, unknown>>;

export function permissionOf(settings: AgentSettings): Permission {
  const given = textSetting(settings, "permission");
  return permissions.find((one) => one === given) ?? "ask";
}

/** Whether a tool is used, refused, or a human decides. */
export function verdictOn({ tool_name }: Request, permission: Permission): Permission {
  if (tool_name === "AskUserQuestion") return "ask";
  return permission === "allow" && editing.includes(tool_name) ? "ask" : permission;
}

/** What a human is asked. */
export function askingOf(request: Request): Asking[] {
  const own = request.tool_name === "AskUserQuestion" ? v.safeParse(Questions, request.input) : undefined;
  if (own?.success) return own.output.questions.map(questionOf);
  const context = [request.decision_reason, shown(request.input)].filter(Boolean).join("\n");
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

function questionOf({ question, options, multiSelect }: Question, index: number): Asking {
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
export function answerTo(request: Request, answers: Readonly<Record<string, string>>): Input {
  const own = request.tool_name === "AskUserQuestion" ? v.safeParse(Questions, request.input) : undefined;
  if (own?.success) {
    const said = own.output.questions.map(({ question }, index) => [
      question,
      answers[`q${index + 1}`] ?? "",
    ]);
    return allowed({ ...request.input, answers: Object.fromEntries(said) });
  }
  const words = (answers.permission ?? "").trim();
  // Whatever a person adds to a choice stands after a colon.
  if (/^(allow|yes|y)(:|$)/i.test(words)) return allowed(request.input);
  const why = words.replace(/^(deny|no|n)(: *|$)/i, "");
  return denied(why === "" ? "A human refused this." : `A human refused this: ${why}`);
}

export function allowed(updatedInput: Input): Input {
  return { behavior: "allow", updatedInput };
}

export function denied(message: string): Input {
  return { behavior: "deny", message };
}

/** A tool call in a few words. */
export function shown(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const telling = ["command", "file_path", "host", "url", "pattern", "description", "query"];
  const fields = input as Input;
  const found = telling.map((name) => fields[name]).find((value) => typeof value === "string");
  const words = typeof found === "string" ? found : JSON.stringify(input);
  return words.replaceAll(/\s+/g, " ").slice(0, 300);
}
