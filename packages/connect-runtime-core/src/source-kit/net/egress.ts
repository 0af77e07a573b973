import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { ConnectorError } from '../../diagnostics/connector-error.ts';

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * Whether an address is one that no feed lives at but where a cloud keeps its secrets: link-local and metadata addresses,
 * the unspecified address, multicast, in whatever way they are written. Text that is no address is never denied.
 */
export function isDeniedAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return denied.check(address.replace(/%.*/, ''), family === 6 ? 'ipv6' : 'ipv4');
}

/** Resolves as Node does, but refuses a name that stands for a denied address. The address checked is the one connected to. */
export function guardedLookup(host: string, options: LookupOptions, callback: LookupCallback): void {
  dnsLookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const bad = addresses.find(({ address }) => isDeniedAddress(address));
    if (bad !== undefined) return callback(deniedError(host, bad.address), []);
    if (options.all === true) return callback(null, addresses);
    const [first] = addresses;
    callback(null, first?.address ?? '', first?.family);
  });
}

function deniedError(host: string, address: string): ConnectorError {
  const message = `host "${host}" stands for ${address}, a link-local, metadata, multicast or unspecified address`;
  return new ConnectorError('connection_failed', message);
}

const denied = blockList();

function blockList(): BlockList {
  const list = new BlockList();
  list.addSubnet('169.254.0.0', 16, 'ipv4');
  list.addSubnet('224.0.0.0', 4, 'ipv4');
  list.addAddress('0.0.0.0', 'ipv4');
  list.addSubnet('fe80::', 10, 'ipv6');
  list.addSubnet('ff00::', 8, 'ipv6');
  list.addAddress('::', 'ipv6');
  list.addAddress('fd00:ec2::254', 'ipv6');
  // 169.254.0.0/16 through NAT64 (RFC 6052).
  list.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
  return list;
}
