import type { ReachableBroker } from '../broker/broker.ts';
import type { SharedBrokerAnswer, SharedBrokerOptions } from './broker-desk.ts';

/** Asks a desk for the shared broker with these options. `worker` counts the test runner's workers from 1. */
export async function sharedBroker(
  desk: string,
  options: SharedBrokerOptions,
  worker: number,
): Promise<ReachableBroker> {
  const response = await fetch(`${desk}?${encodeURIComponent(JSON.stringify(options))}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const { version, folder, certificates, proxies, endpoints } = JSON.parse(text) as SharedBrokerAnswer;
  const proxied = proxies[(worker - 1) % proxies.length];
  const endpoint: ReachableBroker['endpoint'] = (name) => {
    const found = endpoints[name];
    if (found === undefined) throw new Error(`the shared broker has no listener "${name}"`);
    return found;
  };
  if (proxied === undefined) throw new Error('the shared broker has no proxy');
  return { version, folder, certificates, proxied, endpoint, bootstrap: endpoint('PLAINTEXT') };
}
