import type { Validator } from '@levada/connect-runtime-core';
import type { Endpoint } from './transport/channel.ts';

/** A list of `host:port`; IPv6 addresses in brackets. */
export const endpointList: Validator = {
  allowed: 'host:port, host:port',
  check: (value) => {
    const bad = (Array.isArray(value) ? value : []).find((text: string) => parseEndpoint(text) === undefined);
    return bad === undefined
      ? undefined
      : `"${bad}" is not host:port with a DNS name or IP address and a port of 1 to 65535`;
  },
};

/** The endpoint that a text of the form `host:port` names; undefined when it is none. */
export function parseEndpoint(text: string): Endpoint | undefined {
  const match = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(text);
  if (match === null) return undefined;
  const [, written = '', digits] = match;
  const port = Number(digits);
  if (port < 1 || port > 65_535) return undefined;
  return { host: written.replace(/^\[|\]$/g, ''), port };
}

/** `host:port`, with brackets around an IPv6 address. */
export function endpointText({ host, port }: Endpoint): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
