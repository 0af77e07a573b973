/** The protocols of the receivers. */
export type Protocol = 'grpc' | 'http';

/** What the receivers speak, as messages call it. */
const names: Readonly<Record<Protocol, string>> = { grpc: 'OTLP/gRPC', http: 'OTLP/HTTP' };

/**
 * What a client is answered that speaks the protocol of the other receiver. `elsewhere`: where that one listens, in words;
 * undefined when it is not enabled.
 */
export function wrongPortMessage(own: Protocol, elsewhere: string | undefined): string {
  const other = names[own === 'grpc' ? 'http' : 'grpc'];
  return `this is the ${names[own]} port; ${other} is ${elsewhere === undefined ? 'not enabled' : `on ${elsewhere}`}`;
}
