// An answer on its way: by the session, or signed by a key where it grants something. What may be said is the referee's matter.
import type { PageItem, PageOption } from "../../../src/core/views/page/inbox.ts";
import type { SignFacts } from "../../../src/core/views/page/review/sign.ts";
import { bubblePath } from "../../app/route.ts";
import { type Answer, fetchPayload, forget, gone, send } from "../../live/ask.ts";
import { grantByTouch } from "../../parts/passkey.ts";

export interface Said {
  readonly message: string;
  readonly rounds: number | undefined;
  /** Those that were left chosen. */
  readonly findings: readonly string[];
}

type Answered = Promise<Answer<{ said: string }>>;

export function sendAnswer(item: PageItem, said: Said, option: PageOption | undefined): Answered {
  const { message } = said;
  if (option?.grants && item.seal)
    return send("/api/command", {
      ...{ do: "ask-convention", repo: item.repo, name: item.title, digest: item.seal.digest, message },
    });
  if (option?.grants) return grantReply(item, said, option);
  if (item.bubble === null)
    return send("/api/command", {
      ...{ do: "convention", repo: item.repo, name: item.title, choice: option?.key, message },
    });
  return send("/api/command", {
    ...{ do: "reply", repo: item.repo, bubble: item.bubble, question: item.id, message },
    ...(option ? { choice: option.key } : {}),
    ...(option?.takes_rounds && said.rounds ? { rounds: said.rounds } : {}),
  });
}

/** The key signs the answer, and where the record stood when it was given. */
async function grantReply(
  { repo, bubble, id: question, findings: asked }: PageItem,
  { message, findings }: Said,
  { key: choice, waives_gates: gates, takes_findings: takesFindings }: PageOption,
): Answered {
  const at = { repo, bubble: bubble ?? "" };
  const path = `/api${bubblePath(at.repo, at.bubble, "sign")}`;
  forget(path);
  const facts = await fetchPayload<SignFacts>(path);
  if (!facts?.ok) return facts ?? gone;
  const isPart = takesFindings && findings.length < asked.length;
  return grantByTouch({
    ...{ do: "reply", ...at, head: facts.head, question, choice, message },
    ...(isPart ? { findings: [...findings] } : {}),
    ...(gates.length > 0 ? { waive_gates: [...gates] } : {}),
  });
}
