import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import { type BackoffPolicy, backoffDelay } from '@levada/connect-runtime-core/platform';
import { Cluster, type ClusterOptions } from '../cluster/cluster.ts';
import { TransactionCoordinator } from '../cluster/transaction-coordinator.ts';
import type { BrokerLink } from '../wire/broker-link.ts';
import type { ClusterMetadata, KafkaCalls } from '../wire/kafka-calls.ts';
import type { BrokerAddress } from '../wire/link-options.ts';
import type { PartitionState } from './partition-state.ts';

type Connection =
  /** Consecutive failed attempts to connect. */
  | { readonly phase: 'closed' | 'connecting'; readonly failures: number }
  | { readonly phase: 'open' | 'signing-on-again'; readonly link: BrokerLink };

/** A broker of the cluster, with the partitions to send. */
export interface BrokerNode {
  readonly id: number;
  readonly address: BrokerAddress;
  connection: Connection;
  /** Unanswered produce requests. */
  inFlight: number;
  /** Partitions of this leader with batches to send, in turn. */
  readonly ready: Set<PartitionState>;
  /** Monotonic time until which the broker is throttling. */
  throttledUntil: number;
}

export interface BrokerNodesOptions extends Pick<ClusterOptions, 'bootstrap' | 'link'> {
  readonly backoff: BackoffPolicy;
  readonly clock: Clock;
  readonly random: () => number;
  /** Whether brokers may create requested topics. */
  readonly createTopics: boolean;
  /** Ends all waits. */
  readonly signal: AbortSignal;
  /** Called when a link to a node was opened or lost. */
  readonly onLink: (node: BrokerNode) => void;
  /** Called with an error if no connection could be opened or kept, and without one when a broker answers. */
  readonly onHealth: (error: ConnectorError | undefined) => void;
}

/** The brokers that a producer writes to. Requests to any of them are repeated until one answers. */
export class BrokerNodes implements Iterable<BrokerNode> {
  readonly #options: BrokerNodesOptions;
  readonly #cluster: Cluster;
  readonly #nodes = new Map<number, BrokerNode>();

  constructor(options: BrokerNodesOptions) {
    this.#options = options;
    const { bootstrap, link, onHealth } = options;
    const onLinkClosed = (closed: BrokerLink, error: ConnectorError): void => this.#onLinkLost(closed, error);
    this.#cluster = new Cluster({ bootstrap, link, onLinkClosed, onUnreachable: onHealth });
  }

  [Symbol.iterator](): Iterator<BrokerNode> {
    return this.#nodes.values();
  }

  node(id: number): BrokerNode | undefined {
    return this.#nodes.get(id);
  }

  /** Brokers answer: the state is healthy unless a required one is unreachable. */
  noteReached(): void {
    for (const { connection, ready } of this.#nodes.values())
      if (failuresOf(connection) > 0 && ready.size > 0) return;
    this.#options.onHealth(undefined);
  }

  /** Requests metadata of topics and adopts the brokers in it. Rejects only with `closed`. */
  async metadata(topics: readonly string[]): Promise<ClusterMetadata> {
    const { createTopics: create } = this.#options;
    const answer = await this.#patiently(() => this.#cluster.metadata(topics, { create }));
    this.#adopt(answer.brokers);
    return answer;
  }

  /** Sends a small request to any broker, repeatedly until one answers. Rejects only with `closed`. */
  async ask<Name extends keyof KafkaCalls>(
    name: Name,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer']> {
    const answer = await this.#patiently(() => this.#cluster.ask(name, args));
    this.noteReached();
    return answer;
  }

  /** The transaction coordinator of an id, over the connections of these brokers. */
  coordinator(transactionalId: string): TransactionCoordinator {
    return new TransactionCoordinator(this.#cluster, transactionalId);
  }

  /** Waits for the back-off of this attempt. Ends early without an error when the signal aborts. */
  async pause(attempt: number): Promise<void> {
    const { backoff, random, clock, signal } = this.#options;
    await clock.sleep(backoffDelay(backoff, attempt, random), signal).catch(() => {
      // The caller checks the signal
    });
  }

  /** Opens a link to a node in the background, after the back-off. Calls `onLink` afterwards. */
  connect(node: BrokerNode): void {
    const { connection } = node;
    if (connection.phase !== 'closed' || this.#options.signal.aborted) return;
    node.connection = { ...connection, phase: 'connecting' };
    void this.#connect(node, connection.failures);
  }

  close(): void {
    this.#cluster.close();
  }

  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#options;
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        return await work();
      } catch {
        // The cluster reported it
        await this.pause(attempt);
      }
    }
    throw new ConnectorError('closed', 'the producer is closed');
  }

  /** A broker with a new address is a new node. */
  #adopt(brokers: ClusterMetadata['brokers']): void {
    for (const { nodeId, host, port } of brokers) {
      const known = this.#nodes.get(nodeId);
      if (known !== undefined && known.address.host === host && known.address.port === port) continue;
      this.#nodes.set(nodeId, {
        id: nodeId,
        address: { host, port },
        connection: { phase: 'closed', failures: 0 },
        inFlight: 0,
        ready: new Set(known?.ready),
        throttledUntil: 0,
      });
      if (known !== undefined) linkOf(known.connection)?.close();
    }
  }

  async #connect(node: BrokerNode, failures: number): Promise<void> {
    const { signal, onHealth, onLink } = this.#options;
    try {
      if (failures > 0) await this.pause(failures);
      if (signal.aborted) return;
      const link = await this.#cluster.link(node.id, 'produce');
      if (link.closed !== undefined) throw link.closed;
      // The broker may have moved meanwhile; then this node is obsolete
      const current = this.#nodes.get(node.id) === node;
      node.connection = current ? { phase: 'open', link } : { phase: 'closed', failures: 0 };
      this.noteReached();
    } catch (thrown) {
      node.connection = { phase: 'closed', failures: failures + 1 };
      // An unreachable broker without batches is not a problem
      if (!signal.aborted && node.ready.size > 0) onHealth(ConnectorError.from(thrown, 'connection_failed'));
    } finally {
      onLink(node);
    }
  }

  #onLinkLost(link: BrokerLink, error: ConnectorError): void {
    for (const node of this.#nodes.values()) {
      if (linkOf(node.connection) !== link) continue;
      node.connection = { phase: 'closed', failures: 0 };
      // Brokers close idle connections, and a link that was closed on purpose is not a problem
      if (node.inFlight > 0 && error.code !== 'closed') this.#options.onHealth(error);
      this.#options.onLink(node);
    }
  }
}

function linkOf(connection: Connection): BrokerLink | undefined {
  return 'link' in connection ? connection.link : undefined;
}

function failuresOf(connection: Connection): number {
  return 'failures' in connection ? connection.failures : 0;
}
