/** ASN.1 values of one store. A trusted certificate of Java has 18 of them, and one of OpenSSL with a key 22. */
const MAX_VALUES = 25_000;
/**
 * Hash calls in the key derivations of one store. A store of Java 8 takes 350,000 for a key, its certificates and the digest, newer ones 30,000. On
 * one core of 2024 this many take 3 s with SHA-1 and 5 s with SHA-512 in the derivation of PKCS12, and 0.3 s in PBKDF2.
 */
const MAX_HASHES = 2_000_000;

/** Limits the work of reading one store: reading is synchronous, and the bytes may come from a client of REST. */
export class WorkBudget {
  #values = MAX_VALUES;
  #hashes = MAX_HASHES;

  /** Throws an Error when the store has more ASN.1 values than are read. */
  spendValue(): void {
    this.#values -= 1;
    if (this.#values < 0) throw new Error(`it has more than ${MAX_VALUES} ASN.1 values`);
  }

  /** To be called before a derivation of `blocks` digests. Throws an Error when it would take too long. */
  spendRounds(rounds: number, blocks: number): void {
    if (rounds < 1 || rounds > MAX_HASHES) {
      throw new Error(`a key derivation takes ${rounds} rounds; at most ${MAX_HASHES} are run here`);
    }
    this.#hashes -= rounds * blocks;
    if (this.#hashes < 0) {
      throw new Error(`its key derivations take more than ${MAX_HASHES} hash calls together`);
    }
  }

  /** Throws an Error when more ASN.1 values were found than are read. */
  checkLeft(): void {
    if (this.#values < 0) this.spendValue();
  }
}
