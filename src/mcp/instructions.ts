// What a client tells its model about the server, beside the tools. It stands apart because it is measured with them.

/** What a client tells its model about the server. */
export const instructions = `Your prompt says which role you have in this Pairflow bubble and what its fields mean. End your turn with exactly one call.
A refused call changes nothing and says what is wrong: correct it and call again. After an accepted one do nothing more.`;
