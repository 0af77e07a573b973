import { isIP } from 'node:net';
import type { Validator } from '@levada/connect-runtime-core/config';

/** One address that REST listens on. */
export interface ListenerAddress {
  readonly scheme: 'http' | 'https';
  /** Empty: every address of the machine. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

const expected = 'Expected http://host:port or https://host:port';

/** Reads `http://host:port` and `https://host:port`. Returns what is wrong with the text otherwise. */
export function parseListener(text: string): ListenerAddress | { readonly problem: string } {
  const parts = /^(https?):\/\/(\[[0-9a-f:.]*\]|[^:/\s]*):(\d{1,5})\/?$/i.exec(text);
  const [, scheme = '', host = '', port = ''] = parts ?? [];
  if (parts === null || Number(port) > 65535) return { problem: expected };
  return {
    scheme: scheme.toLowerCase() === 'https' ? 'https' : 'http',
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port),
  };
}

/** A host as URLs may contain it. */
export const advertisedHost: Validator = {
  allowed: 'host name or IP address',
  check: (value) =>
    typeof value === 'string' && isIP(value) === 0 && !/^[\w-]+(\.[\w-]+)*\.?$/.test(value)
      ? 'Expected a host name or an IP address'
      : undefined,
};

/** True for addresses that only this machine can reach. */
export function isLoopback({ host }: ListenerAddress): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** True when the address stands for all of the machine's. */
export function isWildcard({ host }: ListenerAddress): boolean {
  return host === '' || host === '0.0.0.0' || host === '::';
}
