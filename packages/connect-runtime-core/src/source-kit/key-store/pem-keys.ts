import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readDer } from './der.ts';
import { openEncryptedKey } from './pkcs12.ts';
import { WorkBudget } from './work-budget.ts';

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';
const ENCRYPTED = 'ENCRYPTED PRIVATE KEY';

export interface PemBlock {
  readonly label: string;
  readonly text: string;
}

/** The private keys of a PEM text, in its order. Other blocks are passed over, and what follows a block without an end is not read. */
export function privateKeyBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, at)) {
    const end = text.indexOf(END, at);
    if (end < 0) break;
    const start = text.lastIndexOf(BEGIN, end);
    const label = text.slice(start + BEGIN.length, text.indexOf(DASHES, start + BEGIN.length));
    const close = END + label + DASHES;
    at = end + END.length;
    if (!/^(?:[A-Z0-9]+ )?PRIVATE KEY$/.test(label) || !text.startsWith(close, end)) continue;
    blocks.push({ label, text: text.slice(start, end + close.length) });
  }
  return blocks;
}

/** Opens the keys of a PEM text. Empty password: none. Throws an Error for the first that cannot be opened. */
export function openPrivateKeys(blocks: readonly PemBlock[], password: string): readonly KeyObject[] {
  const budget = new WorkBudget();
  return blocks.map(({ label, text }) => {
    if (password === '') return createPrivateKey(text);
    if (label !== ENCRYPTED) return createPrivateKey({ key: text, passphrase: password });
    // OpenSSL would run as many rounds as the key says.
    const der = Buffer.from(text.slice(text.indexOf('\n'), text.lastIndexOf(END)), 'base64');
    const key = openEncryptedKey(readDer(der, budget), [password], { read: readPkcs8, budget });
    if (key === undefined) throw new Error('the password is wrong');
    return key;
  });
}

export function readPkcs8(key: Buffer): KeyObject {
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}
