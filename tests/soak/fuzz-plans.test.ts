// What plans are made of: their documents, the papers that agents hand in, and the files beside them.
import { plans } from "../core/fuzz-plans.ts";
import { campaignOf } from "./fuzz-campaign.ts";

campaignOf(plans);
