// How the work of a bubble gets from one machine to another: pinned commits, without their base, which every clone has.
import type { WorkspacePlace } from "../workspace.ts";

/** A commit under refs/pairflow/<bubble>/. */
export interface TravellingPin {
  readonly ref: string;
  readonly commit: string;
}

/** A commit that was sent; of a bubble, or the base of some. */
export interface SentCommit {
  readonly bubble?: string;
  readonly commit: string;
  /** When, in milliseconds. */
  readonly at: number;
}

/**
 * V1 what publish has returned for can be fetched by every machine whose clone has the base commit
 * V2 what was fetched is the same commit under the same ref, durable; anything else is a failure and changes no ref
 * V3 either of them done twice is done once
 * V4 no branch, no tag and no setting of a remote is touched
 */
export interface Travel {
  publish(place: WorkspacePlace, pin: TravellingPin): Promise<void>;
  /** Throws Failure `travel.unknown` when nobody published it, `travel.base-missing` when this clone lacks the base. */
  fetch(place: WorkspacePlace, pin: TravellingPin): Promise<void>;
  /**
   * Brings the commit that a bubble began with into a clone that lacks it; false where nobody has sent it yet: then whoever has it
   * is asked to.
   */
  fetchBase(place: WorkspacePlace): Promise<boolean>;
  /** Sends that commit with its history, once, if somebody asked for it and this clone has it. */
  sendWantedBase(place: WorkspacePlace): Promise<void>;
  /** Everything that was sent and is kept beside the records; nothing, where it is kept elsewhere. */
  listSent(): Promise<SentCommit[]>;
  /** Takes away what no record names: it was sent by a machine that was lost before it could say so. */
  takeBack(sent: Pick<SentCommit, "bubble" | "commit">): Promise<void>;
  /** Where it rests on something beside the store: says what, or throws what publish would throw in this clone. */
  probe?(repo: string): Promise<string>;
}
