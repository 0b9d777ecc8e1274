// What went wrong, in one line; the worker continues.

export const describeTrouble = (error: unknown): string => {
  const { message, hint } = error as { message?: string; hint?: string };
  return `${message ?? error}${hint ? ` (${hint})` : ""}`;
};
