// pairflow design: the old way to write what is now the Execution of a plan.
import { oldPart } from "../../plan/deprecated.ts";

export const design = oldPart("design", "execution", "Design is now part of /plan");
