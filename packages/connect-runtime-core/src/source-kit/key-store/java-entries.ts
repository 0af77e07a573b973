import type { Bag, CertificateBag, KeyBag } from './pkcs12.ts';

/** Java gives it to a lone key, and to the certificate next to it, where they have none. */
const loneKeyId = Buffer.from('01');

interface KeyEntry {
  readonly localKeyId: Buffer;
  readonly name: string;
}

/**
 * The certificates that Java trusts in a store: those with the mark of trust, and the first certificate of the chain of each key. A later entry
 * replaces an earlier one of the same name, and bags without a name get a number. As in `PKCS12KeyStore` and `TrustStoreUtil` of OpenJDK 17 to 25.
 */
export function trustedEntries(bags: readonly Bag[]): readonly Buffer[] {
  const entries = new Map<string, KeyEntry | Buffer>();
  const unmarked: CertificateBag[] = [];
  let [keys, unnamed] = [0, 0];
  const nameOf = ({ friendlyName }: Bag): string => {
    if (friendlyName !== undefined) return friendlyName.toLowerCase();
    unnamed += 1;
    return String(unnamed);
  };
  for (const bag of bags) {
    if (bag.kind === 'key') {
      keys += 1;
      const localKeyId = idOf(bag, keys);
      if (localKeyId === undefined) continue;
      const name = nameOf(bag);
      entries.set(name, { localKeyId, name });
    } else if (bag.isTrusted) {
      entries.set(nameOf(bag), bag.der);
    } else {
      unmarked.push({ ...bag, localKeyId: bag.isFirst ? idOf(bag, keys) : bag.localKeyId });
    }
  }
  return [...entries.values()].flatMap((entry) => {
    const der = Buffer.isBuffer(entry) ? entry : certificateOf(entry, unmarked)?.der;
    return der === undefined ? [] : [der];
  });
}

function idOf({ localKeyId }: KeyBag | CertificateBag, keys: number): Buffer | undefined {
  return localKeyId ?? (keys === 1 ? loneKeyId : undefined);
}

/** The certificate with the identifier of the key, of several the one with its name, else the last; else the last with its name. */
function certificateOf(key: KeyEntry, certificates: readonly CertificateBag[]): CertificateBag | undefined {
  const hasName = ({ friendlyName }: CertificateBag): boolean => friendlyName?.toLowerCase() === key.name;
  const sameId = certificates.filter(({ localKeyId }) => localKeyId?.equals(key.localKeyId) === true);
  return sameId.find(hasName) ?? sameId.at(-1) ?? certificates.findLast(hasName);
}
