import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import { type BackoffPolicy, backoffDelay } from '@levada/connect-runtime-core/platform';
import { Cluster, type ClusterOptions } from '../cluster/cluster.ts';
import type { BrokerLink } from '../wire/broker-link.ts';
import type { ClusterMetadata, KafkaCalls } from '../wire/kafka-calls.ts';
import { type BrokerNode, brokerNode } from './broker-node.ts';

/** What a producer's brokers need. */
export interface BrokerNodesOptions extends Pick<ClusterOptions, 'bootstrap' | 'link'> {
  readonly backoff: BackoffPolicy;
  readonly clock: Clock;
  readonly random: () => number;
  /** Ends everything that waits. */
  readonly signal: AbortSignal;
  /** A link to a node was made or lost. */
  readonly onLink: (node: BrokerNode) => void;
  /** With an error: no connection could be made or kept. Without: a broker answers. */
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
    const onLinkClosed = (closed: BrokerLink, error: ConnectorError): void => this.#lost(closed, error);
    this.#cluster = new Cluster({ bootstrap, link, onLinkClosed, onUnreachable: onHealth });
  }

  [Symbol.iterator](): Iterator<BrokerNode> {
    return this.#nodes.values();
  }

  node(id: number): BrokerNode | undefined {
    return this.#nodes.get(id);
  }

  /** Brokers answer: that is all well, unless one that is needed cannot be reached all the same. */
  reached(): void {
    for (const { attempts, ready } of this.#nodes.values()) if (attempts > 0 && ready.size > 0) return;
    this.#options.onHealth(undefined);
  }

  /** Asks for topics, which brokers may create, and takes over the brokers named. Rejects with `closed` only. */
  async metadata(topics: readonly string[]): Promise<ClusterMetadata> {
    const answer = await this.#patiently(() => this.#cluster.metadata(topics, { create: true }));
    this.#adopt(answer.brokers);
    return answer;
  }

  /** Makes a small request of any broker, again and again until one answers. Rejects with `closed` only. */
  async ask<Name extends keyof KafkaCalls>(
    name: Name,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer']> {
    const answer = await this.#patiently(() => this.#cluster.ask(name, args));
    this.reached();
    return answer;
  }

  /** Waits for the back-off of that attempt. Ends early, without an error, when the signal aborts. */
  async pause(attempt: number): Promise<void> {
    const { backoff, random, clock, signal } = this.#options;
    await clock.sleep(backoffDelay(backoff, attempt, random), signal).catch(() => {
      // Whoever waited looks at the signal.
    });
  }

  /** Makes a link to a node in the background, after the back-off due. `onLink` tells of it. */
  connect(node: BrokerNode): void {
    if (node.connecting || this.#options.signal.aborted) return;
    node.connecting = true;
    void this.#connect(node);
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
        // The cluster told of it.
        await this.pause(attempt);
      }
    }
    throw new ConnectorError('closed', 'the producer is closed');
  }

  /** One that moved is another one. */
  #adopt(brokers: ClusterMetadata['brokers']): void {
    for (const { nodeId, host, port } of brokers) {
      const known = this.#nodes.get(nodeId);
      if (known !== undefined && known.address.host === host && known.address.port === port) continue;
      const fresh = brokerNode(nodeId, { host, port });
      for (const partition of known?.ready ?? []) fresh.ready.add(partition);
      this.#nodes.set(nodeId, fresh);
      known?.link?.close();
    }
  }

  async #connect(node: BrokerNode): Promise<void> {
    const { signal, onHealth, onLink } = this.#options;
    if (node.attempts > 0) await this.pause(node.attempts);
    try {
      if (signal.aborted) return;
      const link = await this.#cluster.link(node.id, 'produce');
      if (link.closed !== undefined) throw link.closed;
      // The broker may have moved meanwhile; then this node is not asked for any more.
      if (this.#nodes.get(node.id) === node) node.link = link;
      node.attempts = 0;
      this.reached();
    } catch (thrown) {
      node.attempts += 1;
      // That a broker is away which nobody needs is no trouble.
      if (!signal.aborted && node.ready.size > 0) onHealth(ConnectorError.from(thrown, 'connection_failed'));
    } finally {
      node.connecting = false;
      onLink(node);
    }
  }

  #lost(link: BrokerLink, error: ConnectorError): void {
    for (const node of this.#nodes.values()) {
      if (node.link !== link) continue;
      node.link = undefined;
      // Brokers end connections that are idle for long, and links that were closed on purpose say nothing either.
      if (node.inFlight > 0 && error.code !== 'closed') this.#options.onHealth(error);
      this.#options.onLink(node);
    }
  }
}
