// The kinds of papers there are, by name.

import type { PaperKind } from "./kind.ts";
import { decomposition } from "./kinds/decomposition.ts";
import { plan } from "./kinds/plan.ts";
import { planRefined } from "./kinds/plan-refined.ts";
import { tasks } from "./kinds/plan-tasks.ts";
import { refinement } from "./kinds/refinement.ts";
import { userStory } from "./kinds/user-story.ts";

export const paperKinds: readonly PaperKind[] = [
  userStory,
  planRefined,
  plan,
  tasks,
  refinement,
  decomposition,
];

export const paperNames: readonly string[] = paperKinds.map(({ name }) => name);

export const findPaperKind = (name: string | undefined): PaperKind | undefined =>
  paperKinds.find((kind) => kind.name === name);
