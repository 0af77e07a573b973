import { sha256 as hash } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/**
 * SHA-256 of a text in UTF-8, in hexadecimal: by Node where there is Node, which takes a tenth of the time. Elsewhere by a library,
 * since the hashes of browsers answer later only.
 */
export function sha256(text: string): string {
  if (nodeCrypto !== undefined) return nodeCrypto.hash('sha256', text, 'hex');
  return bytesToHex(hash(new TextEncoder().encode(text)));
}

const nodeCrypto = globalThis.process?.getBuiltinModule?.('node:crypto');
