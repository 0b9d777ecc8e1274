// What may fail without being an error: a file that is not there, a text that is no JSON.

/** The value, or the other one where computing it throws. Only for failures that mean the same as the other value. */
export function tryOr<Value, Other>(compute: () => Value, other: Other): Value | Other {
  try {
    return compute();
  } catch {
    return other;
  }
}

/** The same for a value that comes later. */
export async function tryOrLater<Value, Other>(
  compute: () => Promise<Value>,
  other: Other,
): Promise<Value | Other> {
  try {
    return await compute();
  } catch {
    return other;
  }
}
