// What people keep in files: configuration, SOPs, workflows and documents.
import { files } from "../core/fuzz-targets.ts";
import { campaignOf } from "./fuzz-campaign.ts";

campaignOf(files);
