// One part of a project's knowledge as it was found: what can be used, what is wrong, and what people should know.
import type { UsageError } from "../host/usage.ts";

export interface Source {
  readonly file: string;
  readonly text: string;
}

export interface KnowledgePart<T> {
  readonly value: T;
  readonly problems: readonly UsageError[];
  readonly notes: readonly string[];
}
