// A quick sum over a cache's bytes: tells a whole cache from a torn or edited one without loading node:crypto, which
// costs a status line a fifth of its time. What must withstand a forger (lines, artifacts, digests) is hashed with SHA-256.

/** 32 bits as hex. A change of one word always shows, anything else but once in four thousand million times. */
export function computeChecksum(bytes: Buffer, length: number): string {
  const words = buildWords(bytes);
  const whole = length >> 2;
  let sum = length;
  // Four bytes at a time and by index: byte by byte, V8 would find the loop worth optimising, which takes longer than
  // all of it; an iterator doubles what a listing of a thousand bubbles spends here, and so does a call for each word.
  for (let i = 0; i < whole; i++) {
    const product = Math.imul(sum ^ (words[i] as number), 0x9e3779b1);
    sum = product ^ (product >>> 15);
  }
  for (let i = whole * 4; i < length; i++) sum = mixWord(sum, bytes[i] as number);
  return (sum >>> 0).toString(16).padStart(8, "0");
}

/** Both steps can be undone, so that two sums which differ once never meet again by the same bytes. */
function mixWord(sum: number, word: number): number {
  const product = Math.imul(sum ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}

function buildWords(bytes: Buffer): Int32Array {
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Int32Array(buffer, byteOffset, bytes.length >> 2);
}
