// The kinds of papers there are, by name.
import { decomposition } from "./decomposition.ts";
import type { PaperKind } from "./kind.ts";
import { plan } from "./plan.ts";
import { planRefined } from "./plan-refined.ts";
import { tasks } from "./plan-tasks.ts";
import { refinement } from "./refinement.ts";
import { userStory } from "./user-story.ts";

export const paperKinds: readonly PaperKind[] = [
  userStory,
  planRefined,
  plan,
  tasks,
  refinement,
  decomposition,
];

export const paperNames: readonly string[] = paperKinds.map(({ name }) => name);

export const paperNamed = (name: string | undefined): PaperKind | undefined =>
  paperKinds.find((kind) => kind.name === name);
