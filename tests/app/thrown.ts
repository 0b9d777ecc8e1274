// What a call throws, as the usage error it has to be.
import { expect } from "vitest";
import type { UsageError } from "../../src/app/host/usage.ts";

export function thrownBy(call: () => unknown): UsageError {
  try {
    call();
  } catch (error) {
    expect(error).toMatchObject({ usage: true, code: expect.any(String), message: expect.any(String) });
    return error as UsageError;
  }
  throw new Error("nothing was thrown");
}

export const linesOf = ({ message, details = [] }: UsageError): string[] => [message, ...details];
