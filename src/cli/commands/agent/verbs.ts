// What an agent says about its turn. Its own bundle holds these, and the scripted agent runs them without another process.
import { askHuman } from "./ask-human.ts";
import { converged } from "./converged.ts";
import { pass } from "./pass.ts";

export const agentVerbs = [pass, askHuman, converged];
