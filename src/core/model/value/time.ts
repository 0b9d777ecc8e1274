// Moments are ISO strings in UTC; the core has no clock, but it may compare them.

/** Milliseconds since 1970 of an ISO 8601 UTC timestamp, by the civil calendar alone; 0 where it is none. */
export function parseTime(iso: string): number {
  const [year, month, day] = [parseDigits(iso, 0, 4), parseDigits(iso, 5, 7), parseDigits(iso, 8, 10)];
  const [hour, minute, second] = [
    parseDigits(iso, 11, 13),
    parseDigits(iso, 14, 16),
    parseDigits(iso, 17, 19),
  ];
  const isTime = iso[4] === "-" && iso[7] === "-" && iso[10] === "T" && iso[13] === ":" && iso[16] === ":";
  const seconds = (getDaysSince1970(year, month, day) * 24 + hour) * 3600 + minute * 60 + second;
  return isTime && !Number.isNaN(seconds) ? seconds * 1000 + parseFraction(iso) : 0;
}

/** A limit as it is said: `90 s`, `20 min`, `3 h`; what is no whole number of the larger unit stays in the smaller one. */
export function describeSeconds(seconds: number): string {
  const [unit, size] = (
    [
      ["h", 3600],
      ["min", 60],
    ] as const
  ).find(([, size]) => seconds >= 2 * size && seconds % size === 0) ?? ["s", 1];
  return `${seconds / size} ${unit}`;
}

function getDaysSince1970(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Up to three digits behind the seconds. */
function parseFraction(iso: string): number {
  let value = 0;
  for (let [at, unit] = [20, 100]; iso[19] === "." && unit >= 1; at++, unit /= 10) {
    const digit = parseDigits(iso, at, at + 1);
    if (Number.isNaN(digit)) break;
    value += digit * unit;
  }
  return value;
}

/** The number in a part of a text; every fold reads times, so this is no regular expression. */
function parseDigits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Clocks of honest machines differ by less. */
const tolerableMs = 5 * 60_000;

/** How far a log's newest line lies in the future; 0 when it does not, or by so little that it means nothing. */
export function measureAheadMs(lastAt: string, now: string): number {
  const ahead = parseTime(lastAt) - parseTime(now);
  return ahead > tolerableMs ? ahead : 0;
}

/** The inverse: the ISO timestamp of a moment, to the millisecond. */
export function formatTime(moment: number): string {
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
