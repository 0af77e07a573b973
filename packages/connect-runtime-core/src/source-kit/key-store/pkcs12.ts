import { childOf, type Der, octetsOf, oidOf, readDer } from './der.ts';
import { trustedEntries } from './java-entries.ts';
import { decrypt, isMacRight, type Password } from './password-encryption.ts';
import { WorkBudget } from './work-budget.ts';

/** What a PKCS12 store holds, in the order of the file. */
export interface Pkcs12 {
  readonly keys: readonly KeyBag[];
  /** In DER. */
  readonly certificates: readonly Buffer[];
  /** Those of them that Java trusts, in DER. */
  readonly trusted: readonly Buffer[];
}

interface BagNames {
  /** Links a key to its certificate. */
  readonly localKeyId: Buffer | undefined;
  readonly friendlyName: string | undefined;
}

export interface KeyBag extends BagNames {
  readonly kind: 'key';
  /**
   * Reads the key, as PKCS8, with the first of the passwords that fits: decrypted text may look right by chance, and `read` throws then. Undefined
   * when none does. Throws what `read` throws for a key that is not encrypted.
   */
  readonly open: <Key>(passwords: readonly string[], read: (pkcs8: Buffer) => Key) => Key | undefined;
}

export interface CertificateBag extends BagNames {
  readonly kind: 'certificate';
  readonly der: Buffer;
  /** Java marks those that are trusted, OpenSSL 3.2 and newer when it is asked to. */
  readonly isTrusted: boolean;
  /** True for the first bag of its part of the file. */
  readonly isFirst: boolean;
}

export type Bag = KeyBag | CertificateBag;

const pkcs7 = { data: '1.2.840.113549.1.7.1', encryptedData: '1.2.840.113549.1.7.6' };
const bags = {
  key: '1.2.840.113549.1.12.10.1.1',
  encryptedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  nested: '1.2.840.113549.1.12.10.1.6',
};
const attributes = {
  friendlyName: '1.2.840.113549.1.9.20',
  localKeyId: '1.2.840.113549.1.9.21',
  trustedKeyUsage: '2.16.840.1.113894.746875.1.1',
};
const x509Certificate = '1.2.840.113549.1.9.22.1';

/**
 * Reads a store (RFC 7292). `wrong-password`: the password does not fit; a store without a digest may also be damaged. Throws an Error for what is
 * no store, is damaged, needs an algorithm that is not known, or takes too much work.
 */
export function readPkcs12(bytes: Buffer, password: string): Pkcs12 | 'wrong-password' {
  const budget = new WorkBudget();
  const store = readDer(bytes, budget);
  const content = dataOf(childOf(store, 1));
  const mac = store.children[2];
  for (const form of formsOf(password, budget)) {
    if (mac !== undefined && !isMacRight(mac, content, form)) continue;
    const found = readBags(content, form);
    if (found === undefined) continue;
    const certificates = found.filter((bag) => bag.kind === 'certificate').map(({ der }) => der);
    const keys = found.filter((bag) => bag.kind === 'key');
    return { keys, certificates, trusted: trustedEntries(found) };
  }
  return 'wrong-password';
}

/** Undefined: the password is wrong, or the data is damaged. */
function readBags(content: Buffer, form: Password): readonly Bag[] | undefined {
  const found: Bag[] = [];
  for (const info of readDer(content, form.budget).children) {
    if (oidOf(childOf(info, 0)) !== pkcs7.encryptedData) {
      found.push(...bagsIn(dataOf(info), form.budget));
      continue;
    }
    const encrypted = childOf(childOf(childOf(info, 1), 0), 1);
    const decrypted = decrypt(childOf(encrypted, 1), octetsOf(childOf(encrypted, 2)), form);
    if (decrypted === undefined) return undefined;
    try {
      found.push(...bagsIn(decrypted, form.budget));
    } catch {
      form.budget.checkLeft();
      // One wrong password of 256 leaves a right padding.
      return undefined;
    }
  }
  return found;
}

/** The forms of a password. An empty one may be written as an empty text, or as no text. */
function formsOf(password: string, budget: WorkBudget): readonly Password[] {
  const text = Buffer.from(password);
  const wide = Buffer.from(`${password}\0`, 'utf16le').swap16();
  return password === ''
    ? [
        { text, wide, budget },
        { text, wide: Buffer.alloc(0), budget },
      ]
    : [{ text, wide, budget }];
}

/** The octets of a ContentInfo that is not encrypted. */
function dataOf(info: Der): Buffer {
  const type = oidOf(childOf(info, 0));
  if (type !== pkcs7.data) throw new Error(`it is protected by a public key, or by ${type}`);
  return octetsOf(childOf(childOf(info, 1), 0));
}

function bagsIn(content: Buffer, budget: WorkBudget): readonly Bag[] {
  const safe = readDer(content, budget);
  if (safe.tag !== 0x30) throw new Error('an ASN.1 value is not a sequence of bags');
  return flatten(safe).flatMap((bag, index) => {
    const found = keyBag(bag, budget) ?? certificateBag(bag, index === 0);
    return found === undefined ? [] : [found];
  });
}

function flatten(safe: Der): readonly Der[] {
  return safe.children.flatMap((bag) =>
    oidOf(childOf(bag, 0)) === bags.nested ? flatten(childOf(childOf(bag, 1), 0)) : [bag],
  );
}

function keyBag(bag: Der, budget: WorkBudget): KeyBag | undefined {
  const type = oidOf(childOf(bag, 0));
  if (type !== bags.key && type !== bags.encryptedKey) return undefined;
  const value = childOf(childOf(bag, 1), 0);
  return {
    kind: 'key',
    ...namesOf(bag),
    open: (passwords, read) =>
      type === bags.key ? read(value.bytes) : openEncryptedKey(value, passwords, { read, budget }),
  };
}

/** Reads an EncryptedPrivateKeyInfo (RFC 5208) with the first of the passwords that fits. */
export function openEncryptedKey<Key>(
  value: Der,
  passwords: readonly string[],
  { read, budget }: { readonly read: (pkcs8: Buffer) => Key; readonly budget: WorkBudget },
): Key | undefined {
  for (const form of passwords.flatMap((password) => formsOf(password, budget))) {
    const pkcs8 = decrypt(childOf(value, 0), octetsOf(childOf(value, 1)), form);
    try {
      if (pkcs8 !== undefined) return read(pkcs8);
    } catch {
      // One wrong password of 256 leaves a right padding.
    }
  }
  return undefined;
}

function certificateBag(bag: Der, isFirst: boolean): CertificateBag | undefined {
  if (oidOf(childOf(bag, 0)) !== bags.certificate) return undefined;
  const value = childOf(childOf(bag, 1), 0);
  if (oidOf(childOf(value, 0)) !== x509Certificate) return undefined;
  return {
    kind: 'certificate',
    ...namesOf(bag),
    der: octetsOf(childOf(childOf(value, 1), 0)),
    isTrusted: attributeOf(bag, attributes.trustedKeyUsage) !== undefined,
    isFirst,
  };
}

function namesOf(bag: Der): BagNames {
  const name = attributeOf(bag, attributes.friendlyName);
  const id = attributeOf(bag, attributes.localKeyId);
  return {
    localKeyId: id && octetsOf(childOf(id, 0)),
    // A BMPString: UTF-16, in an even number of octets.
    friendlyName: name && textOf(childOf(name, 0).content),
  };
}

function textOf(bmp: Buffer): string {
  return Buffer.from(bmp.subarray(0, bmp.length & ~1))
    .swap16()
    .toString('utf16le');
}

/** The values of an attribute. */
function attributeOf(bag: Der, type: string): Der | undefined {
  const found = bag.children[2]?.children.find((attribute) => oidOf(childOf(attribute, 0)) === type);
  return found && childOf(found, 1);
}
