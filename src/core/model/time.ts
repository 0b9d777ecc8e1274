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

/** Clocks of honest machines differ by less. */
const tolerableMs = 5 * 60_000;

/** How far a log's newest line lies in the future; 0 when it does not, or by so little that it means nothing. */
export function aheadMs(lastAt: string, now: string): number {
  const ahead = millis(lastAt) - millis(now);
  return ahead > tolerableMs ? ahead : 0;
}

/** The inverse: the ISO timestamp of a moment, to the millisecond. */
export function iso(moment: number): string {
  const days = Math.floor(moment / 86_400_000);
  const rest = Math.floor(moment - days * 86_400_000);
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const two = (value: number) => String(value).padStart(2, "0");
  const seconds = Math.floor(rest / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(":");
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${clock}.${String(rest % 1000).padStart(3, "0")}Z`;
}
