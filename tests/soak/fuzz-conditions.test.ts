// What workflows say in small: conditions, and references in texts.
import { conditionTargets } from "../core/fuzz-condition.ts";
import { campaignOf } from "./fuzz-campaign.ts";

campaignOf(conditionTargets);
