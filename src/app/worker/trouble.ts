// What went wrong, in one line of a worker that goes on.

export const describeTrouble = (error: unknown): string => {
  const { message, hint } = error as { message?: string; hint?: string };
  return `${message ?? error}${hint ? ` (${hint})` : ""}`;
};
