import type { BrokerLink } from '../wire/broker-link.ts';
import type { BrokerAddress } from '../wire/link-options.ts';
import type { PartitionState } from './partition-state.ts';

/** A broker of the cluster, and what is to be sent to it. */
export interface BrokerNode {
  readonly id: number;
  readonly address: BrokerAddress;
  link: BrokerLink | undefined;
  /** True while a connection is being made or waited for. */
  connecting: boolean;
  /** True while the link signs on anew. */
  renewing: boolean;
  /** Attempts to connect without success. */
  attempts: number;
  /** Produce requests that wait for their answer. */
  inFlight: number;
  /** Partitions led by this broker that have something to send, in turn. */
  readonly ready: Set<PartitionState>;
  /** Monotonic time until which the broker wants silence. */
  throttledUntil: number;
}

/** A broker that nothing is known of but where it is. */
export function brokerNode(id: number, address: BrokerAddress): BrokerNode {
  return {
    id,
    address,
    link: undefined,
    connecting: false,
    renewing: false,
    attempts: 0,
    inFlight: 0,
    ready: new Set(),
    throttledUntil: 0,
  };
}
