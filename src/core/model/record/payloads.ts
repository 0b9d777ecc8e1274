// What each type of envelope says, one schema a type: a line counts only if the referee itself could have written it.
import { decisionPayloads } from "./payloads/decisions.ts";
import { runPayloads } from "./payloads/run.ts";
import { turnPayloads } from "./payloads/turns.ts";

export const payloads = { ...runPayloads, ...turnPayloads, ...decisionPayloads } as const;
