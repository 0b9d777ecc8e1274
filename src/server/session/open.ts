// Opening the page: the code from the terminal becomes a session, once.

import { OpenBody } from "../../core/model/page/command.ts";
import { refuse } from "../../core/model/refusal.ts";
import { check } from "../../core/model/value/validate.ts";
import { tryParseJson } from "../../core/text/json.ts";
import { answerRefusal, answerResult } from "../http/answers.ts";
import type { PageRequest, WholeAnswer } from "../http/request.ts";
import { cookieName, type Reach } from "./fence.ts";
import type { PasswordDoor } from "./password.ts";
import type { Sessions } from "./sessions.ts";

export interface OpeningOptions {
  readonly sessions: Sessions;
  readonly reach: Reach;
  readonly password?: PasswordDoor | undefined;
  /** Tells the person at the terminal. */
  say(line: string): void;
}

const again = "pairflow ui";

export function openSession(opening: OpeningOptions, request: PageRequest): WholeAnswer {
  const { sessions, say } = opening;
  const given = check(OpenBody, tryParseJson(request.body));
  if (!given.ok) return answerRefusal(400, refuse("page.body", "this is no code", again));
  const { code, password } = given.value;
  if (opening.password && code === undefined)
    return openByPassword(opening, opening.password, password ?? "");
  const opened = sessions.open(code ?? "");
  if ("token" in opened) return answerWithCookie(opening, opened.token);
  if (opened.refused === "used") {
    say(
      "The address that opens the page was used twice. Both sessions have ended; if you did not do that, somebody else did.",
    );
    return answerRefusal(
      403,
      refuse("page.code-used", "this address was used before; its session has ended", again),
    );
  }
  return answerRefusal(403, refuse("page.code", "this address is good for one minute and one use", again));
}

function answerWithCookie({ sessions, reach }: OpeningOptions, token: string): WholeAnswer {
  const secure = reach.scheme === "https" ? "; Secure" : "";
  const cookie = `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200${secure}`;
  const answer = answerResult({ words: sessions.words });
  return { ...answer, headers: { ...answer.headers, "set-cookie": cookie } };
}

/** Guessing takes for ever: few tries a minute, and the person at the terminal is told. */
function openByPassword(opening: OpeningOptions, door: PasswordDoor, password: string): WholeAnswer {
  const tried = door.try(password);
  if (tried === "right") return answerWithCookie(opening, opening.sessions.newSession());
  if (tried === "asked")
    return answerRefusal(401, refuse("page.password", "this page asks for its password"));
  if (tried === "wrong") return answerRefusal(403, refuse("page.password-wrong", "this is not the password"));
  opening.say("Somebody guesses the password of the page; nobody is let in for a minute.");
  return answerRefusal(429, refuse("page.password-limit", "too many wrong passwords; wait a minute"));
}
