// What Codex requests from its client in the middle of a turn: permission to do something outside its sandbox, or answers from a
// human.

import type { AgentQuestion } from "../../../core/model/turn-end.ts";
import { keepStart } from "../../../core/model/value/sizes.ts";
import { checkWishLength, getWholeWish, shortenWish } from "../permission-text.ts";
import { type Fields, toFields, toList, toText } from "./wire.ts";

/** Something only a human can answer. */
export interface Questions {
  readonly kind: "questions";
  readonly questions: readonly AgentQuestion[];
  reply(answers: Readonly<Record<string, string>>): Fields;
}

/** Something that is allowed or not; the two replies in the form this wish wants. */
export interface Leave {
  readonly kind: "leave";
  /** What it wants to do, in a few words. */
  readonly tool: string;
  readonly context: string;
  /** Whether Codex tells afterwards that it was declined. */
  readonly isShown: boolean;
  readonly allow: Fields;
  readonly deny: Fields;
}

/** Something that nobody can give here. */
export interface Impossible {
  readonly kind: "impossible";
  readonly tool: string;
  /** Absent: without a terminal nobody can do it. */
  readonly why?: string;
  readonly deny: Fields;
}

export type ClientWish = Questions | Leave | Impossible;

type Reader = (params: Fields, item: Fields) => ClientWish;

const decisions = { isShown: true, allow: { decision: "accept" }, deny: { decision: "decline" } };

const readers: Readonly<Record<string, Reader>> = {
  "item/tool/requestUserInput": (params) =>
    buildQuestions(toList(params.questions).filter(({ id }) => toText(id))),
  "item/commandExecution/requestApproval": ({ command, reason, cwd }) => {
    const whole = unwrapCommand(toText(command));
    return buildLeave(whole, {
      kind: "leave",
      tool: `run outside the sandbox: ${shortenWish(whole)}`,
      context: joinLines(toText(reason), cwd && `in ${toText(cwd)}`, getWholeWish(whole)),
      ...decisions,
    });
  },
  "item/fileChange/requestApproval": ({ reason }, item) => ({
    kind: "leave",
    tool: `change files it may not write: ${listItemFiles(item) || "unnamed"}`,
    context: toText(reason),
    ...decisions,
  }),
  "item/permissions/requestApproval": ({ reason, permissions }) => {
    const whole = JSON.stringify(permissions) ?? "";
    return buildLeave(whole, {
      kind: "leave",
      tool: `have more permissions: ${shortenWish(whole)}`,
      context: joinLines(toText(reason), getWholeWish(whole)),
      isShown: false,
      allow: { permissions: toFields(permissions), scope: "turn" },
      deny: { permissions: {}, scope: "turn" },
    });
  },
  "mcpServer/elicitation/request": readElicitation,
};

/** A wish that cannot be shown whole cannot be allowed. */
function buildLeave(whole: string, leave: Leave): Leave | Impossible {
  const why = checkWishLength(whole);
  return why === undefined ? leave : { kind: "impossible", tool: leave.tool, why, deny: leave.deny };
}

/** The wish behind a request, or undefined where this client has nothing to give. */
export function readWish(method: string, params: Fields, item: Fields): ClientWish | undefined {
  return Object.hasOwn(readers, method) ? readers[method]?.(params, item) : undefined;
}

/** The question to a human whether something may be done. */
export function buildWishQuestion({ tool, context }: Leave): AgentQuestion {
  return {
    id: "permission",
    question: `May it ${tool}?`,
    options: ["allow", "deny"],
    ...(context === "" ? {} : { context }),
  };
}

/** Only a clear yes allows; a person may add a word to it, after a colon. */
export function isAllowed(words: string | undefined): boolean {
  return /^(allow|yes|y|accept|ok)(:|$)/i.test((words ?? "").trim());
}

function buildQuestions(asked: readonly Fields[]): Questions | Impossible {
  // Nobody would ever answer nothing.
  if (asked.length === 0)
    return { kind: "impossible", tool: "answers to no question", deny: { answers: {} } };
  return {
    kind: "questions",
    questions: asked.map(buildUserQuestion),
    reply(answers) {
      const given = asked.map(({ id }) => [toText(id), { answers: [answers[toText(id)] ?? ""] }]);
      return { answers: Object.fromEntries(given) };
    },
  };
}

function buildUserQuestion(asked: Fields): AgentQuestion {
  const options = toList(asked.options);
  const context = joinLines(
    toText(asked.header),
    ...options.map(({ label, description }) => description && `${toText(label)}: ${toText(description)}`),
    asked.isSecret === true && "It takes the answer for a secret; what you write here is recorded.",
  );
  return {
    id: toText(asked.id),
    question: toText(asked.question) || toText(asked.header) || toText(asked.id),
    ...(options.length === 0 ? {} : { options: options.map(({ label }) => toText(label)) }),
    ...(context === "" ? {} : { context }),
  };
}

/** A tool server's wish: leave for a call, or a form, which nobody can fill in here. */
function readElicitation(params: Fields): ClientWish {
  const { codex_approval_kind: kind, tool_params: input } = toFields(params._meta);
  const server = toText(params.serverName);
  const deny = { action: "decline", content: null, _meta: null };
  if (kind !== "mcp_tool_call") return { kind: "impossible", tool: `a form of ${server}`, deny };
  const whole = JSON.stringify(input ?? {});
  return buildLeave(whole, {
    kind: "leave",
    tool: `use a tool of ${server}`,
    context: joinLines(toText(params.message), whole),
    isShown: true,
    allow: { action: "accept", content: {}, _meta: null },
    deny,
  });
}

/** The command as the model wrote it, without the shell that Codex wraps around it. */
export const shortenCommand = (command: string): string => keepStart(unwrapCommand(command), 300);

function unwrapCommand(command: string): string {
  const inner = /^\S*\/?(?:ba|z|da)?sh -l?c '([\s\S]*)'$/.exec(command)?.[1];
  return inner?.replaceAll("'\\''", "'") ?? command;
}

/** The files of a change. */
export function listItemFiles(item: Fields): string {
  return toList(item.changes)
    .map(({ path }) => toText(path))
    .join(", ");
}

function joinLines(...parts: readonly unknown[]): string {
  return parts.filter((part) => typeof part === "string" && part !== "").join("\n");
}
