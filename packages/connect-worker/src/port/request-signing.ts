/** How the workers of a group sign their requests to each other. Algorithms by Java's names, see {@link macAlgorithms}. */
export interface RequestSigning {
  /** Algorithm that the session key is for. Connect's `inter.worker.key.generation.algorithm`. */
  readonly keyAlgorithm: string;
  /** Length of the key in bits; null: the algorithm's own. Connect's `inter.worker.key.size`. */
  readonly keyBits: number | null;
  /** Connect's `inter.worker.signature.algorithm`. */
  readonly signatureAlgorithm: string;
  /** Accepted from other workers. Connect's `inter.worker.verification.algorithms`. */
  readonly verificationAlgorithms: readonly string[];
  /** Connect's `inter.worker.key.ttl.ms`: after this time the leader distributes another key. */
  readonly keyTtlMs: number;
}

/** Java's name of each algorithm, the digest that it is made of in Node's words, and the bits of a key of Java's. */
export const macAlgorithms: ReadonlyMap<string, { readonly digest: string; readonly keyBits: number }> =
  new Map([
    ['HmacMD5', { digest: 'md5', keyBits: 512 }],
    ['HmacSHA1', { digest: 'sha1', keyBits: 512 }],
    ['HmacSHA224', { digest: 'sha224', keyBits: 224 }],
    ['HmacSHA256', { digest: 'sha256', keyBits: 256 }],
    ['HmacSHA384', { digest: 'sha384', keyBits: 384 }],
    ['HmacSHA512', { digest: 'sha512', keyBits: 512 }],
    ['HmacSHA512/224', { digest: 'sha512-224', keyBits: 224 }],
    ['HmacSHA512/256', { digest: 'sha512-256', keyBits: 256 }],
    ['HmacSHA3-224', { digest: 'sha3-224', keyBits: 224 }],
    ['HmacSHA3-256', { digest: 'sha3-256', keyBits: 256 }],
    ['HmacSHA3-384', { digest: 'sha3-384', keyBits: 384 }],
    ['HmacSHA3-512', { digest: 'sha3-512', keyBits: 512 }],
  ]);

/** The shortest key that Java generates, in bits. */
export const LEAST_KEY_BITS = 40;
