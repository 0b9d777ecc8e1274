// pairflow spec: the old way to write what is now the Mission of a plan.
import { buildDeprecatedVerb } from "../../../plan/deprecated.ts";

export const spec = buildDeprecatedVerb("spec", "mission", "Specs are now part of /plan");
