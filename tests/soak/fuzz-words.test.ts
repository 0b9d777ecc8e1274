// What agents say: reviews, flags, sentences of evidence and the reports of their tools.
import { words } from "../core/fuzz-targets.ts";
import { campaignOf } from "./fuzz-campaign.ts";

campaignOf(words);
