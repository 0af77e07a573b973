import type { Endpoint } from '../model/endpoints.ts';
import type { ChannelOptions } from './channel.ts';

/** Host and port as in a URL: IPv6 in brackets. */
export function hostAndPort({ host, port }: Endpoint): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The host of `:authority`, without its port: the name that a certificate must be for. */
export function hostOfAuthority({
  authority,
  endpoint,
}: Pick<ChannelOptions, 'authority' | 'endpoint'>): string {
  if (authority === undefined) return endpoint.host;
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(authority)?.[1];
  if (bracketed !== undefined) return bracketed;
  const port = /^[^:]*(:\d*)$/.exec(authority)?.[1] ?? '';
  return authority.slice(0, authority.length - port.length);
}
