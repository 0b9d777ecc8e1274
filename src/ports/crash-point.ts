// Named places between effects where a test may end the process. Does nothing outside fault campaigns.

export type CrashPoint = (name: string) => void;
