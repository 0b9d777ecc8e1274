// What a driver may be asked to do. Each effect has a key that is the same after any replay.
import type { Child, StepOf } from "../../model/program.ts";
import type { Delivery, Turn } from "../../model/state/turn.ts";

export type Effect =
  | { readonly kind: "prepare"; readonly key: string }
  | { readonly kind: "start-turn"; readonly key: string; readonly turn: Turn }
  | { readonly kind: "watch-turn"; readonly key: string; readonly turn: Turn }
  | { readonly kind: "snapshot"; readonly key: string; readonly turn: Turn }
  | { readonly kind: "gates"; readonly key: string; readonly tree: string }
  /** The gates on a clean checkout of the base, before any agent is started. */
  | { readonly kind: "base-gates"; readonly key: string; readonly tree: string }
  /** The gates on a clean checkout of the tree that is to be signed. */
  | { readonly kind: "final-gates"; readonly key: string; readonly tree: string }
  | { readonly kind: "package"; readonly key: string; readonly tree: string }
  | { readonly kind: "deliver"; readonly key: string; readonly delivery: Delivery }
  | {
      readonly kind: "notify";
      readonly key: string;
      readonly event: "waiting-human" | "converged" | "failed";
      readonly text: string;
    }
  /** The artifacts of the current task are hashed. */
  | { readonly kind: "lock"; readonly key: string; readonly tree: string }
  | { readonly kind: "context"; readonly key: string; readonly tree: string }
  | { readonly kind: "start-workflow"; readonly key: string; readonly step: StepOf<"start"> }
  /** A plan, its tasks or an amendment go to the project's plans. */
  | { readonly kind: "keep-plan"; readonly key: string; readonly step: StepOf<"plan"> }
  /** A child bubble is made and set going, or kept going. */
  | { readonly kind: "child"; readonly key: string; readonly child: Child }
  /** A child that is not needed any more is stopped. */
  | { readonly kind: "stop-child"; readonly key: string; readonly child: Child; readonly bubble: string }
  /** A child is paused with its parent. */
  | { readonly kind: "pause-child"; readonly key: string; readonly bubble: string }
  | { readonly kind: "join"; readonly key: string }
  /** The base branch has moved, and a person wants its newest commit in the work. */
  | { readonly kind: "update-base"; readonly key: string; readonly to: string }
  /** Steps that need nobody continue. */
  | { readonly kind: "go-on"; readonly key: string; readonly entered: number }
  /** Something is to happen at a moment, if nothing else happens before. */
  | {
      readonly kind: "clock";
      readonly key: string;
      readonly what: "wait" | "step" | "run";
      readonly at: number;
      readonly entered: number;
    }
  | { readonly kind: "pair-session"; readonly key: string; readonly task: string }
  /** A child tells its parent its result; owed until the parent's log has it. */
  | { readonly kind: "report"; readonly key: string }
  /** What its reviewers noticed is counted; nothing of this bubble's record shows whether it was. */
  | { readonly kind: "learn"; readonly key: string }
  | { readonly kind: "close"; readonly key: string };

export type EffectOf<K extends Effect["kind"]> = Extract<Effect, { kind: K }>;
