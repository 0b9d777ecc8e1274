// SHA-256 (FIPS 180-4) for a handful of short texts. Node's own is faster for each of them, and loading it takes longer than
// all the rest of a short command; so the first few hashes of a process are made here.

const roundConstants = Uint32Array.of(
  ...[0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5],
  ...[0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174],
  ...[0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da],
  ...[0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967],
  ...[0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85],
  ...[0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070],
  ...[0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3],
  ...[0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2],
);

const few = 12;
const shortBytes = 2048;
/** In all: beyond that V8 finds the loops worth optimising, which takes five times as long as loading Node's own. */
const mostBytes = 1536;

/**
 * A hash function that leaves everything but the first few short texts to `native`. A line that is written is read back, and the
 * line before it is looked at twice: bytes that were hashed before are compared, which is far cheaper than to hash them again.
 */
export function createHash(
  native: (bytes: Uint8Array) => string,
  isEqual: (one: Uint8Array, other: Uint8Array) => boolean,
): (bytes: Uint8Array) => string {
  const made: { readonly bytes: Uint8Array; readonly hash: string }[] = [];
  let left = mostBytes;
  return (bytes) => {
    if (bytes.length > shortBytes) return native(bytes);
    const known = made.find((one) => one.bytes.length === bytes.length && isEqual(one.bytes, bytes));
    if (known) return known.hash;
    left -= bytes.length;
    if (made.length >= few || left < 0) return native(bytes);
    const hash = computeSha256(bytes);
    // The caller may use its bytes for something else.
    made.push({ bytes: new Uint8Array(bytes), hash });
    return hash;
  };
}

/** The hash in lower-case hex. */
export function computeSha256(bytes: Uint8Array): string {
  const hash = Uint32Array.of(
    ...[0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19],
  );
  const padded = new DataView(pad(bytes).buffer);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = padded.getUint32(at + 4 * i);
    extend(words);
    compress(hash, words);
  }
  return Array.from(hash, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** The message, a one bit, zeros and the message's length in bits, in whole blocks of 64 bytes. */
function pad(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(padded.length - 4, bytes.length << 3);
  return padded;
}

/** The message schedule: 48 more words from the 16 of a block. */
function extend(words: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15] as number;
    const y = words[i - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = (words[i - 16] as number) + s0 + (words[i - 7] as number) + s1;
  }
}

/** One block into the hash. It runs before anything is optimised: plain assignments, no pairs. */
function compress(hash: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    ...[number, number, number, number],
    ...[number, number, number, number],
  ];
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (roundConstants[i] as number) + (words[i] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) hash[i] = (hash[i] as number) + value;
}
