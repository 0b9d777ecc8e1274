// Which programs a bubble would run, and whether a person has confirmed them.
export { proposeNetwork } from "../world/network-needs.ts";
export {
  checkTrust,
  collectPrograms,
  refuseUnconfirmed,
  requireTrust,
  type TrustSettings,
} from "../world/trust.ts";
