// Times as people say them. Exact ones are in --json.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `4 s`, `2 min 10 s`, `12 min`, `3 h 5 min`, `2 d 4 h`: two units while the smaller one still matters. */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < minute) return `${Math.floor(whole / second)} s`;
  if (whole < 10 * minute) return formatUnits(whole, [minute, "min"], [second, "s"]);
  if (whole < hour) return `${Math.floor(whole / minute)} min`;
  return whole < day
    ? formatUnits(whole, [hour, "h"], [minute, "min"])
    : formatUnits(whole, [day, "d"], [hour, "h"]);
}

type Unit = readonly [ms: number, name: string];

function formatUnits(ms: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((ms % large) / small);
  const first = `${Math.floor(ms / large)} ${largeName}`;
  return rest > 0 ? `${first} ${rest} ${smallName}` : first;
}

/** How long ago a moment is; a clock that was set back counts as now. */
export function formatAge(iso: string, now: string): string {
  return formatDuration(Date.parse(now) - Date.parse(iso));
}

/** A countdown as on a clock: `2:46`, `1:02:46`. */
export function formatCountdown(ms: number): string {
  const seconds = Math.ceil(Math.max(0, ms) / second);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return h > 0 ? `${h}:${padTwo(m)}:${padTwo(s)}` : `${m}:${padTwo(s)}`;
}

/** Time of day on the reader's clock. */
export function formatTimeOfDay(iso: string): string {
  const at = new Date(iso);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(padTwo).join(":");
}

/** Day and time of day on the reader's clock. */
export function formatDayAndTime(iso: string): string {
  const at = new Date(iso);
  return `${at.getFullYear()}-${padTwo(at.getMonth() + 1)}-${padTwo(at.getDate())} ${formatTimeOfDay(iso)}`;
}

const padTwo = (value: number): string => String(value).padStart(2, "0");
