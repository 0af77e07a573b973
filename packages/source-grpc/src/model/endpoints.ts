import { isIPv6 } from 'node:net';
import type { Validator } from '@levada/connect-runtime-core/config';
import { hostName } from '@levada/connect-runtime-core/source-kit';
import { shownName } from './shown-name.ts';

/** Where a server is. */
export interface Endpoint {
  /** DNS name or IP literal, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** A list of `host:port`; IPv6 addresses in brackets. */
export const endpointList: Validator = {
  allowed: 'host:port, host:port',
  check: (value) => {
    const bad = (Array.isArray(value) ? value : []).find((text: string) => parseEndpoint(text) === undefined);
    return bad === undefined
      ? undefined
      : `${shownName(bad)} is not host:port with a DNS name or IP address that may be connected to and a port of 1 to 65535`;
  },
};

/** What servers are addressed by in place of host and port: a name, with a port or without. */
export const authorityName: Validator = {
  allowed: 'host or host:port',
  check: (value) =>
    typeof value === 'string' && !/^([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?$/.test(value)
      ? 'Authority must be a name or an address, with a port or without'
      : undefined,
};

/** The endpoint that a text of the form `host:port` names; undefined when it is none, or one that may not be connected to. */
export function parseEndpoint(text: string): Endpoint | undefined {
  const [, address, name, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = address ?? name;
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  if (address !== undefined && !isIPv6(address)) return undefined;
  return hostName.check(host) === undefined ? { host, port } : undefined;
}

/** `host:port`, with brackets around an IPv6 address. */
export function endpointText({ host, port }: Endpoint): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]:${port}` : `${host}:${port}`;
}
