// Bytes under names, kept where every machine of a project can read them.

export interface Blobs {
  /** Durable when it returns. Bytes that are there under this name stay. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  get(name: string): Promise<Uint8Array | undefined>;
  has(name: string): Promise<boolean>;
}
