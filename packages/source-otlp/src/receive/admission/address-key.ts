/** What clients are told apart by: their address, of IPv6 only the network, since one client has all addresses of a /64. */
export function addressKey(address: string): string {
  // Without a colon it is IPv4; with a dot, too, as IPv6 writes it.
  if (!address.includes(':') || address.includes('.')) return address;
  const [front = ''] = address.split('::');
  return front.split(':').slice(0, 4).join(':');
}
