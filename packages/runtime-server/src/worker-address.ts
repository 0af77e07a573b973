import { isWildcard, type ListenerAddress } from './config/listener-address.ts';
import type { WorkerConfig } from './config/worker-config.ts';

/** `<advertised host>:<port>`: how people and statuses name the worker. */
export function workerAddress(config: WorkerConfig, listener: ListenerAddress, hostName: string): string {
  const host =
    config.values['rest.advertised.host.name'] ?? (isWildcard(listener) ? hostName : listener.host);
  const port = config.values['rest.advertised.port'] ?? listener.port;
  return `${bracketed(host)}:${port}`;
}

/** URL at which a listener can be reached from this machine. */
export function localUrl(listener: ListenerAddress): string {
  return `http://${bracketed(isWildcard(listener) ? 'localhost' : listener.host)}:${listener.port}`;
}

/** IPv6 addresses stand in brackets wherever a port may follow. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
