// Whether a gate that is red in a sandbox may be red for want of the network, so that it is worth another run with it. A
// short gate is simply tried; one that takes minutes only if its output mentions connections or of packages it cannot get.

/** Up to here a second run costs less than a missed need. */
const shortMs = 60_000;

const complaints = [
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ENETDOWN|ETIMEDOUT|ENOTCACHED)\b/,
  /\bgetaddrinfo\b|\bfetch failed\b|\bsocket hang up\b|\bdial (?:tcp|udp)\b|\bGOPROXY=off\b/,
  /network (?:is|access is|was) (?:unreachable|disabled|down|not available)|no (?:internet|network)\b/i,
  /(?:temporary failure in|could not|couldn't|cannot|failed to|unable to)[^\n]{0,20}\b(?:name resolution|resolve|connect|download|fetch)\b/i,
  /\b(?:connection|connect) (?:refused|timed out|reset|error)\b|\bConnectionError\b|\b(?:name|host) (?:or service )?not known\b|\bunknown host\b/i,
  /\boffline\b/i,
];

export function mayLackNetwork(durationMs: number, output: string): boolean {
  return durationMs <= shortMs || complaints.some((complaint) => complaint.test(output));
}
