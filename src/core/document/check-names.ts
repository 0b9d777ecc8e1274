// The names of a document's checks, apart from the checks themselves: code that only names them need not load them.
export const checkNames = ["completeness", "ambiguity", "consistency", "traceability"] as const;
export type CheckName = (typeof checkNames)[number];
