import { BlockList, isIP } from 'node:net';

/** A host as it is connected to: DNS name, or IP literal without brackets. */
export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
}

/**
 * Whether a list such as that of `NO_PROXY` names a target. Entries are separated by commas or blanks: a host or domain (which
 * names its subdomains, too, with or without a leading dot or `*.`), an IP address, a range such as `10.0.0.0/8`, or `*` for every
 * target; all but ranges may end in `:port`. As with curl, names are not looked up.
 */
export function namesTarget(list: string, { host, port }: ProxyTarget): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && entryNames(entry, { host: name, port }));
}

function entryNames(entry: string, { host, port }: ProxyTarget): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isWithin(host, entry);
  const [, bracketed, plain, only] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  if (only !== undefined && Number(only) !== port) return false;
  // An IPv6 address without brackets has no port.
  const named = bracketed ?? plain ?? entry;
  if (isIP(host) !== 0)
    return isIP(named) !== 0 && isWithin(host, `${named}/${isIP(named) === 6 ? 128 : 32}`);
  const domain = named.replace(/^\*?\./, '').replace(/\.$/, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function isWithin(host: string, range: string): boolean {
  const [network = '', prefix = ''] = range.split('/');
  const family = isIP(network);
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if (isIP(host) === 0 || family === 0 || bits < 0 || bits > (family === 6 ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family === 6 ? 'ipv6' : 'ipv4');
  return list.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a host is this machine. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (isIP(name) === 0) return name === 'localhost';
  return isWithin(name, '127.0.0.0/8') || isWithin(name, '::1/128');
}
