// What may fail without being an error: a file that is not there, a text that is no JSON.

/** The value, or the other one where computing it throws. Only for failures that mean the same as the other value. */
export function tryOr<Value, Other>(compute: () => Value, other: Other): Value | Other {
  try {
    return compute();
  } catch {
    return other;
  }
}
