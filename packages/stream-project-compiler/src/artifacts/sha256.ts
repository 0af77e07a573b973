import { sha256 as hash } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/**
 * SHA-256 of a text in UTF-8, in hexadecimal. From a library, since the compiler also runs where there is no `node:crypto`, and the
 * hashes of browsers answer later only.
 */
export function sha256(text: string): string {
  return bytesToHex(hash(new TextEncoder().encode(text)));
}
