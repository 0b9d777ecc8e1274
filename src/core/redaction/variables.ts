// Which variables of an environment hold secrets, and which names an agent's settings may ask for.
import { shortestSecret } from "./redact.ts";

/** How the names of secret variables end, whatever number comes behind. Plain texts: every short command asks this. */
const endings = "KEY TOKEN SECRET PASSWORD PASSWD PASSPHRASE CREDENTIAL CREDENTIALS _PASS _AUTH _PAT".split(
  " ",
);

/** What of this variable is secret; undefined when nothing is. */
export function extractSecret(name: string, value: string): string | undefined {
  if (name === "PAIRFLOW_TURN") return value.split(":")[2];
  if (value.includes("://")) {
    const password = /^\s*[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i.exec(value)?.[1];
    if (password !== undefined) return isTelling(password) ? password : undefined;
  }
  return isCalledSecret(name) && isTelling(value.trim()) ? value.trim() : undefined;
}

function isCalledSecret(name: string): boolean {
  const last = name.charCodeAt(name.length - 1);
  const isNumbered = last >= 48 && last <= 57;
  const word = (isNumbered ? name.replace(/_?\d+$/, "") : name).toUpperCase();
  return endings.some((ending) => word.endsWith(ending));
}

/** A plain word such as `postgres` protects nothing, and taking it out of every sentence would spoil the record. */
function isTelling(value: string): boolean {
  if (value.length < shortestSecret) return false;
  return (
    value.length >= 20 ||
    /\d/.test(value) ||
    (/[a-z]/.test(value) && /[A-Z]/.test(value)) ||
    /[^\w.:/-]/.test(value)
  );
}

/** What is wrong with a name under `variables` of an agent, or undefined. */
export function checkVariableName(name: string): string | undefined {
  if (/^\w+=/.test(name))
    return `give the name of a variable alone (${name.slice(0, name.indexOf("="))}); its value comes from your environment`;
  if (!/^[A-Za-z_]\w*$/.test(name)) return "must be the name of a variable: letters, digits and _";
  if (name.startsWith("PAIRFLOW_")) return `${name} is Pairflow's own and is not handed on`;
  return undefined;
}
