// Repeating a call to a server that does not answer at the moment: it restarts, or another one is about to take its place.

/**
 * Repeats `call` while the server does not answer, for as long as whoever made this is ready to wait; then throws Failure
 * `store.unreachable`. Whatever else `call` throws comes through at once. What is called must be harmless when done twice.
 */
export type Patience = <T>(call: () => Promise<T>) => Promise<T>;
