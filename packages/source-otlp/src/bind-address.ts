import { isIP } from 'node:net';
import type { Validator } from '@levada/connect-runtime-core';

/** Where a receiver may be bound: an IP address, or localhost. Names would have to be looked up, and may mean several. */
export const bindAddress: Validator = {
  allowed: 'IP address or localhost',
  check: (value) => {
    if (typeof value !== 'string') return undefined;
    return value === 'localhost' || isIP(value) !== 0
      ? undefined
      : 'Address must be an IP address or localhost';
  },
};
