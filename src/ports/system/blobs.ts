// Bytes under names, kept where every machine of a project can read them.

export interface Blobs {
  /** Durable when it returns. Bytes that are there under this name stay. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  get(name: string): Promise<Uint8Array | undefined>;
  has(name: string): Promise<boolean>;
  /** All names, each with the milliseconds of its moment. */
  list(): Promise<{ readonly name: string; readonly at: number }[]>;
  /** Done twice, it is done once. */
  remove(name: string): Promise<void>;
}
