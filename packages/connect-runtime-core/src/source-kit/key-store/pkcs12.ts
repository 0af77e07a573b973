import { childOf, type Der, octetsOf, oidOf, readDer } from './der.ts';
import { decrypt, isMacRight, type Password } from './password-encryption.ts';

/** What a PKCS12 store holds, in the order of the file. */
export interface Pkcs12 {
  readonly keys: readonly KeyBag[];
  readonly certificates: readonly CertificateBag[];
}

export interface KeyBag {
  /** The key as PKCS8, by the first of the passwords that fits; undefined when none does. */
  readonly open: (passwords: readonly string[]) => Buffer | undefined;
}

export interface CertificateBag {
  readonly der: Buffer;
  /** Java marks those that are trusted, OpenSSL 3.2 and newer when it is asked to. */
  readonly isTrusted: boolean;
  /** True for the first certificate of a key's chain. */
  readonly isOfKey: boolean;
}

const pkcs7 = { data: '1.2.840.113549.1.7.1', encryptedData: '1.2.840.113549.1.7.6' };
const bags = {
  key: '1.2.840.113549.1.12.10.1.1',
  encryptedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  nested: '1.2.840.113549.1.12.10.1.6',
};
const attributes = { localKeyId: '1.2.840.113549.1.9.21', trustedKeyUsage: '2.16.840.1.113894.746875.1.1' };
const x509Certificate = '1.2.840.113549.1.9.22.1';

/**
 * Reads a store (RFC 7292). `wrong-password`: the password does not fit; a store without a digest may also be damaged. Throws an Error for what is
 * no store, is damaged, or needs an algorithm that is not known.
 */
export function readPkcs12(bytes: Buffer, password: string): Pkcs12 | 'wrong-password' {
  const store = readDer(bytes);
  const content = dataOf(childOf(store, 1));
  const mac = store.children[2];
  const fits = (form: Password): boolean => mac === undefined || isMacRight(mac, content, form);
  const form = formsOf(password).find(fits);
  if (form === undefined) return 'wrong-password';
  const keys: KeyBag[] = [];
  const certificates: CertificateBag[] = [];
  for (const info of readDer(content).children) {
    const safe = safeOf(info, form);
    if (safe === undefined) return 'wrong-password';
    for (const bag of bagsOf(readDer(safe))) {
      const key = keyBag(bag);
      const certificate = certificateBag(bag);
      if (key !== undefined) keys.push(key);
      if (certificate !== undefined) certificates.push(certificate);
    }
  }
  return { keys, certificates };
}

/** The forms of a password. An empty one may be written as an empty text, or as no text. */
function formsOf(password: string): readonly Password[] {
  const text = Buffer.from(password);
  const wide = Buffer.from(`${password}\0`, 'utf16le').swap16();
  return password === ''
    ? [
        { text, wide },
        { text, wide: Buffer.alloc(0) },
      ]
    : [{ text, wide }];
}

/** The octets of a ContentInfo that is not encrypted. */
function dataOf(info: Der): Buffer {
  const type = oidOf(childOf(info, 0));
  if (type !== pkcs7.data) throw new Error(`it is protected by a public key, or by ${type}`);
  return octetsOf(childOf(childOf(info, 1), 0));
}

function safeOf(info: Der, password: Password): Buffer | undefined {
  if (oidOf(childOf(info, 0)) !== pkcs7.encryptedData) return dataOf(info);
  const encrypted = childOf(childOf(childOf(info, 1), 0), 1);
  return decrypt(childOf(encrypted, 1), octetsOf(childOf(encrypted, 2)), password);
}

function bagsOf(safe: Der): readonly Der[] {
  return safe.children.flatMap((bag) =>
    oidOf(childOf(bag, 0)) === bags.nested ? bagsOf(childOf(childOf(bag, 1), 0)) : [bag],
  );
}

function keyBag(bag: Der): KeyBag | undefined {
  const type = oidOf(childOf(bag, 0));
  if (type !== bags.key && type !== bags.encryptedKey) return undefined;
  const value = childOf(childOf(bag, 1), 0);
  const open = (passwords: readonly string[]): Buffer | undefined => {
    if (type === bags.key) return value.bytes;
    for (const form of passwords.flatMap(formsOf)) {
      const key = decrypt(childOf(value, 0), octetsOf(childOf(value, 1)), form);
      if (key !== undefined) return key;
    }
    return undefined;
  };
  return { open };
}

function certificateBag(bag: Der): CertificateBag | undefined {
  if (oidOf(childOf(bag, 0)) !== bags.certificate) return undefined;
  const value = childOf(childOf(bag, 1), 0);
  if (oidOf(childOf(value, 0)) !== x509Certificate) return undefined;
  return {
    der: octetsOf(childOf(childOf(value, 1), 0)),
    isOfKey: hasAttribute(bag, attributes.localKeyId),
    isTrusted: hasAttribute(bag, attributes.trustedKeyUsage),
  };
}

function hasAttribute(bag: Der, type: string): boolean {
  return bag.children[2]?.children.some((attribute) => oidOf(childOf(attribute, 0)) === type) ?? false;
}
