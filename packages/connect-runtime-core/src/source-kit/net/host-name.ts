import { isIP } from 'node:net';
import type { Validator } from '../../config/validators.ts';
import { isDeniedAddress } from './egress.ts';

/** Longest DNS name, in characters (RFC 1035). */
const MAX_NAME = 253;

/**
 * A host to connect to: a DNS name (ASCII; an international one in its `xn--` form) or an IP address, IPv6 with or without
 * brackets. No scheme, port or user info, and no address that {@link isDeniedAddress}.
 */
export const hostName: Validator = {
  allowed: 'DNS name or IP address',
  check: (value) => {
    if (typeof value !== 'string') return undefined;
    if (value === '') return 'String must be non-empty';
    const address = value.replace(/^\[(.*:.*)\]$/, '$1');
    if (isIP(address) === 0) return isDnsName(value) ? undefined : 'Host must be a DNS name or an IP address';
    if (address.includes('%')) return 'Host must be an IP address without a zone';
    if (!isDeniedAddress(address)) return undefined;
    return 'Host must not be a link-local, metadata, multicast or unspecified address';
  },
};

/** Underscores are allowed, because names of containers have them. */
function isDnsName(text: string): boolean {
  const name = text.replace(/\.$/, '');
  if (name.length > MAX_NAME) return false;
  const labels = name.split('.');
  // Resolvers take a number for an address, in ways of their own: 2852039166 is 169.254.169.254.
  if (/^(\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? '')) return false;
  return labels.every((label) => label.length <= 63 && /^\w([\w-]*\w)?$/.test(label));
}
