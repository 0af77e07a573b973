import { X509Certificate } from 'node:crypto';

/** Certificates of one store or file; a list of the public authorities has about 150. */
export const MAX_CERTIFICATES = 1000;

/**
 * All certificates of a PEM text, in its order; other blocks are passed over. Throws an Error for the first that cannot be read: Node takes a list
 * of authorities only up to there, silently, and trusts none of the rest.
 */
export function pemCertificates(text: string): readonly X509Certificate[] {
  const blocks = text.split(/(?=-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----)/);
  const certificates = blocks.filter((block) =>
    /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/.test(block),
  );
  if (certificates.length > MAX_CERTIFICATES) {
    throw new Error(`there are more than ${MAX_CERTIFICATES} certificates`);
  }
  return certificates.map((block) => new X509Certificate(block));
}
