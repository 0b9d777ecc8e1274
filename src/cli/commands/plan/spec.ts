// pairflow spec: the old way to write what is now the Mission of a plan.
import { oldPart } from "../../plan/deprecated.ts";

export const spec = oldPart("spec", "mission", "Specs are now part of /plan");
