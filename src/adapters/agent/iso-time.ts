// A moment that a CLI names, in the record's form.

/** The time as ISO text, or undefined when it is none: figures of other programs may be anything. */
export function formatIsoTime(milliseconds: number): string | undefined {
  const moment = new Date(milliseconds);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
