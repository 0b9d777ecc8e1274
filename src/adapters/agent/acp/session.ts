// How a session of an agent is opened: what it says it can do, and the model and mode that the settings ask for. A wish
// that the agent cannot fulfil ends the turn; working with another model than the one asked for would be worse.
import type { InitializeResponse, LoadSessionResponse, NewSessionResponse } from "@agentclientprotocol/sdk";
import * as v from "valibot";
import type { TurnTrouble } from "../../../core/model/turn-end.ts";
import { suggestWord } from "../../../core/text/nearest.ts";
import type { TurnRequest } from "../../../ports/agent/adapter.ts";
import { getTextSetting } from "../settings.ts";
import { defineReader } from "./wire.ts";

export const Initialized = defineReader<InitializeResponse>()(
  v.looseObject({
    protocolVersion: v.number(),
    agentInfo: v.nullish(v.looseObject({ name: v.string() })),
    agentCapabilities: v.nullish(
      v.looseObject({
        loadSession: v.nullish(v.boolean()),
        sessionCapabilities: v.nullish(v.looseObject({ resume: v.nullish(v.looseObject({})) })),
      }),
    ),
  }),
);

/** How the agent continues in an earlier session, or undefined when it cannot. */
export function findResumeMethod({
  agentCapabilities,
}: v.InferOutput<typeof Initialized>): "session/resume" | "session/load" | undefined {
  if (agentCapabilities?.sessionCapabilities?.resume) return "session/resume";
  return agentCapabilities?.loadSession ? "session/load" : undefined;
}

const Choice = v.looseObject({ value: v.string(), name: v.string() });
const Offer = v.looseObject({
  id: v.string(),
  category: v.nullish(v.string()),
  // Groups of choices are read as one list; switches have none.
  options: v.optional(v.array(v.union([Choice, v.looseObject({ options: v.array(Choice) })]))),
});
export const Opened = defineReader<LoadSessionResponse>()(
  v.looseObject({
    modes: v.nullish(
      v.looseObject({ availableModes: v.array(v.looseObject({ id: v.string(), name: v.string() })) }),
    ),
    configOptions: v.nullish(v.array(Offer)),
  }),
);
type Opened = v.InferOutput<typeof Opened>;
export const NewSession = defineReader<NewSessionResponse>()(
  v.looseObject({ sessionId: v.pipe(v.string(), v.minLength(1)), ...Opened.entries }),
);

export type SessionWish =
  | { readonly set: "mode"; readonly modeId: string }
  | { readonly set: "option"; readonly configId: string; readonly value: string };

/** A wish that the agent cannot fulfil. */
interface Unmet {
  readonly problem: TurnTrouble;
}

/** What is to be set before the prompt, or what the agent does not offer. */
export function listSessionWishes(turn: TurnRequest, opened: Opened): readonly SessionWish[] | Unmet {
  const mode = getTextSetting(turn.settings, turn.readOnly ? "read_only_mode" : "mode");
  const model = getTextSetting(turn.settings, "model");
  const wishes = [
    ...(mode === undefined ? [] : [buildModeWish(mode, opened)]),
    ...(model === undefined ? [] : [buildOptionWish("model", model, opened)]),
  ];
  const problem = wishes.find((wish) => "problem" in wish);
  return problem && "problem" in problem ? problem : wishes.filter((wish) => "set" in wish);
}

function buildModeWish(wanted: string, opened: Opened): SessionWish | Unmet {
  const modes = opened.modes?.availableModes ?? [];
  const found = modes.find(({ id, name }) => id === wanted || name === wanted);
  if (found) return { set: "mode", modeId: found.id };
  return modes.length === 0
    ? buildOptionWish("mode", wanted, opened)
    : toUnmet(
        "mode",
        wanted,
        modes.map(({ id }) => id),
      );
}

function buildOptionWish(
  category: "mode" | "model",
  wanted: string,
  { configOptions }: Opened,
): SessionWish | Unmet {
  const offer = configOptions?.find((one) => one.category === category);
  const choices = (offer?.options ?? []).flatMap((one) =>
    "options" in one ? listGroupChoices(one.options) : listGroupChoices([one]),
  );
  const found = choices.find(({ value, name }) => value === wanted || name === wanted);
  if (offer && found) return { set: "option", configId: offer.id, value: found.value };
  return toUnmet(
    category,
    wanted,
    choices.map(({ value }) => value),
  );
}

/** The choices of a group; a lone choice is a group of its own. */
function listGroupChoices(options: unknown): readonly v.InferOutput<typeof Choice>[] {
  return v.is(v.array(Choice), options) ? options : [];
}

function toUnmet(what: "mode" | "model", wanted: string, known: readonly string[]): Unmet {
  if (known.length === 0) {
    const detail = `the agent offers no choice of its ${what} over the protocol; say ${wanted} in its command line instead`;
    return { problem: { outcome: "misconfigured", detail } };
  }
  const outcome = what === "model" ? "unknown-model" : "misconfigured";
  const detail = `the agent has no ${what} ${wanted}${suggestWord(wanted, known)}`;
  return { problem: { outcome, detail } };
}
