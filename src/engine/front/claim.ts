// An agent's claim, on its way to the referee.
export { type Claim, type ClaimCommand, putClaim } from "../facts/claim.ts";
