// pairflow design: the old way to write what is now the Execution of a plan.
import { buildDeprecatedVerb } from "../../../plan/deprecated.ts";

export const design = buildDeprecatedVerb("design", "execution", "Design is now part of /plan");
