import { X509Certificate } from 'node:crypto';

/**
 * All certificates of a PEM text, in its order; other blocks are passed over. Throws an Error for the first that cannot be read: Node takes a list
 * of authorities only up to there, silently, and trusts none of the rest.
 */
export function pemCertificates(text: string): readonly X509Certificate[] {
  const blocks = text.split(/(?=-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----)/);
  return blocks
    .filter((block) => /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/.test(block))
    .map((block) => new X509Certificate(block));
}
