// The sender of a line or question, as screens name it.

/** The record's sender `orchestrator` is called the referee on every screen; agents and people have their own names. */
export const nameSender = (sender: string): string => (sender === "orchestrator" ? "referee" : sender);
