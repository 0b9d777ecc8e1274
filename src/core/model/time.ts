// Moments are ISO strings in UTC; the core has no clock, but it may compare them.

/** Milliseconds since 1970 of an ISO 8601 UTC timestamp, by the civil calendar alone. */
export function millis(iso: string): number {
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?/.exec(iso);
  if (!found) return 0;
  const part = (i: number) => Number(found[i] ?? 0);
  const shifted = part(2) <= 2 ? part(1) - 1 : part(1);
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (part(2) + (part(2) > 2 ? -3 : 9)) + 2) / 5) + part(3) - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  const days = era * 146_097 + dayOfEra - 719_468;
  const seconds = (days * 24 + part(4)) * 3600 + part(5) * 60 + part(6);
  return seconds * 1000 + Number((found[7] ?? "0").padEnd(3, "0"));
}
