// What is owed now. After a crash there is nothing to repair: fold the log and ask again; the keys are the same.

import type { Delivery, State, Turn } from "../model/state.ts";
import { currentStep } from "../workflow/interpret.ts";
import { isFinal } from "./lifecycle.ts";

export type Effect =
  | { readonly kind: "prepare"; readonly key: string }
  | { readonly kind: "start-turn"; readonly key: string; readonly turn: Turn }
  | { readonly kind: "watch-turn"; readonly key: string; readonly turn: Turn }
  | { readonly kind: "snapshot"; readonly key: string; readonly turn: Turn }
  | { readonly kind: "gates"; readonly key: string; readonly tree: string }
  | { readonly kind: "package"; readonly key: string; readonly tree: string }
  | { readonly kind: "deliver"; readonly key: string; readonly delivery: Delivery }
  | {
      readonly kind: "notify";
      readonly key: string;
      readonly event: "waiting-human" | "converged" | "failed";
      readonly text: string;
    }
  | { readonly kind: "close"; readonly key: string };

export type EffectOf<K extends Effect["kind"]> = Extract<Effect, { kind: K }>;

/** Starting an attempt and watching it share a key: it is watched only once it has been started. */
const attemptKey = (turn: Turn, attempt: number) => `turn:${turn.id}.${attempt}`;

/** Every effect the bubble owes, each with a key that is the same after any replay. */
export function due(state: State): Effect[] {
  if (isFinal(state.lifecycle)) return [...failureNotice(state), { kind: "close", key: "close" }];
  if (state.lifecycle === "PREPARING_WORKSPACE")
    return [{ kind: "prepare", key: `prepare.${state.workspaceFailures}` }];
  return [...notices(state), ...turnEffects(state), ...stepEffects(state)];
}

function failureNotice(state: State): Effect[] {
  return state.lifecycle === "FAILED"
    ? [{ kind: "notify", key: "notify:failed", event: "failed", text: state.end?.message ?? "failed" }]
    : [];
}

function notices(state: State): Effect[] {
  const questions = state.questions.map(
    (question): Effect => ({
      kind: "notify",
      key: `notify:${question.id}`,
      event: "waiting-human",
      text: question.text,
    }),
  );
  if (state.lifecycle !== "READY_FOR_APPROVAL" || !state.approval) return [...questions, ...dialog(state)];
  return [
    ...questions,
    {
      kind: "notify",
      key: `notify:a${state.approval.seq}`,
      event: "converged",
      text: `${state.bubbleId} asks for approval`,
    },
  ];
}

/** A dialog in a pane is nothing the referee can answer: a person must look. */
function dialog({ turn }: State): Effect[] {
  if (!turn?.waitsFor) return [];
  const { what, at } = turn.waitsFor;
  const text = `${turn.agent} asks in its pane: ${what}`;
  return [{ kind: "notify", key: `notify:${turn.id}.${turn.attempt}@${at}`, event: "waiting-human", text }];
}

/** While a human is asked nothing is done for a turn; what its process does meanwhile shows when the bubble runs again. */
function turnEffects(state: State): Effect[] {
  const turn = state.turn;
  if (!turn) return [];
  if (state.lifecycle !== "RUNNING") return [];
  if (turn.status === "due") return [{ kind: "start-turn", key: attemptKey(turn, turn.attempt + 1), turn }];
  if (turn.status === "claimed")
    return [{ kind: "snapshot", key: `snapshot:${turn.id}.${turn.claim?.seq}`, turn }];
  const deliveries = state.deliveries.filter((delivery) => delivery.turn === turn.id);
  return [
    { kind: "watch-turn", key: attemptKey(turn, turn.attempt), turn },
    ...deliveries.map(
      (delivery): Effect => ({
        kind: "deliver",
        key: `deliver:${delivery.message}.${delivery.status}.${delivery.tries}`,
        delivery,
      }),
    ),
  ];
}

/** A document's package is written once more when somebody has understood it. */
const understood = ({ comprehension }: State) => (comprehension ? `.${comprehension.seq}` : "");

function stepEffects(state: State): Effect[] {
  const step = currentStep(state);
  const tree = state.tree?.id;
  if (state.lifecycle !== "RUNNING" || !tree) return [];
  if (step?.kind === "approval")
    return [{ kind: "package", key: `package:${tree}.${state.position.seq}${understood(state)}`, tree }];
  if (step?.kind !== "gates") return [];
  const known = state.gates?.tree === tree && state.gates.seq > state.position.seq && !state.gates.void;
  return known
    ? []
    : [{ kind: "gates", key: `gates:${tree}.${state.position.seq}.${state.gates?.seq ?? 0}`, tree }];
}
