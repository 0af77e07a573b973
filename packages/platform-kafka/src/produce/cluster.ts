import { type BackoffPolicy, backoffDelay, ConnectorError } from '@levada/connect-runtime-core';
import { type BrokerLink, openLink } from '../wire/broker-link.ts';
import type { KafkaCalls } from '../wire/kafka-calls.ts';
import type { BrokerAddress, LinkOptions } from '../wire/link-options.ts';
import { type BrokerNode, brokerNode } from './broker-node.ts';

/** What a producer's view of the cluster needs. */
export interface ClusterOptions {
  readonly bootstrap: readonly BrokerAddress[];
  readonly link: LinkOptions;
  readonly backoff: BackoffPolicy;
  readonly random: () => number;
  /** Ends everything that waits. */
  readonly signal: AbortSignal;
  /** A link to a node was made or lost. */
  readonly onLink: (node: BrokerNode) => void;
  /** With an error: no connection could be made or kept. Without: a broker answers. */
  readonly onHealth: (error: ConnectorError | undefined) => void;
}

/** The brokers of a cluster and the links to them. */
export class Cluster {
  readonly #options: ClusterOptions;
  readonly #nodes = new Map<number, BrokerNode>();

  constructor(options: ClusterOptions) {
    this.#options = options;
  }

  get nodes(): Iterable<BrokerNode> {
    return this.#nodes.values();
  }

  node(id: number): BrokerNode | undefined {
    return this.#nodes.get(id);
  }

  /** Takes over the brokers that an answer to Metadata names. One that moved is another one. */
  adopt(brokers: KafkaCalls['Metadata']['answer']['brokers']): void {
    for (const { nodeId, host, port } of brokers) {
      const known = this.#nodes.get(nodeId);
      if (known !== undefined && known.address.host === host && known.address.port === port) continue;
      const fresh = brokerNode(nodeId, { host, port });
      for (const partition of known?.ready ?? []) fresh.ready.add(partition);
      this.#nodes.set(nodeId, fresh);
      known?.link?.close();
    }
  }

  /** Makes a small request of any broker, again and again until one answers. Rejects with `closed` when the signal aborts. */
  async ask<Name extends keyof KafkaCalls>(
    name: Name,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer']> {
    for (let attempt = 1; !this.#options.signal.aborted; attempt++) {
      const answer = await this.#askOnce(name, args);
      if (answer !== undefined) return answer;
      await this.pause(attempt);
    }
    throw new ConnectorError('closed', 'the producer is closed');
  }

  /** Waits for the back-off of that attempt. Ends early, without an error, when the signal aborts. */
  async pause(attempt: number): Promise<void> {
    const { backoff, random, link, signal } = this.#options;
    await link.clock.sleep(backoffDelay(backoff, attempt, random), signal).catch(() => {
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
    for (const node of this.#nodes.values()) node.link?.close();
  }

  async #askOnce<Name extends keyof KafkaCalls>(
    name: Name,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer'] | undefined> {
    for (const { link } of this.#nodes.values()) {
      if (link === undefined) continue;
      const answer = await this.#try(() => link.call(name, args));
      if (answer !== undefined) return answer;
    }
    const known = [...this.#nodes.values()].map((node) => node.address);
    for (const address of [...this.#options.bootstrap, ...known]) {
      if (this.#options.signal.aborted) return undefined;
      const answer = await this.#try(() => this.#askAt(address, name, args));
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  async #askAt<Name extends keyof KafkaCalls>(
    address: BrokerAddress,
    name: Name,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer']> {
    const { link: options, signal } = this.#options;
    const link = await openLink(address, options, { signal });
    const close = (): void => link.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      return await link.call(name, args);
    } finally {
      signal.removeEventListener('abort', close);
      link.close();
    }
  }

  /** Undefined when there was no answer. */
  async #try<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await work();
      this.#options.onHealth(undefined);
      return answer;
    } catch (thrown) {
      this.#report(thrown);
      return undefined;
    }
  }

  async #connect(node: BrokerNode): Promise<void> {
    const { link: options, signal, onLink } = this.#options;
    if (node.attempts > 0) await this.pause(node.attempts);
    try {
      if (signal.aborted) return;
      const lost = (error: ConnectorError): void => this.#lost(node, error);
      const link: BrokerLink = await openLink(node.address, options, { signal, onClose: lost });
      node.link = link;
      node.attempts = 0;
      // Aborting ended the attempt to connect, not a link that was open by then.
      if (signal.aborted) link.close();
      this.#options.onHealth(undefined);
    } catch (thrown) {
      node.attempts += 1;
      this.#report(thrown);
    } finally {
      node.connecting = false;
      onLink(node);
    }
  }

  #lost(node: BrokerNode, error: ConnectorError): void {
    node.link = undefined;
    this.#report(error);
    this.#options.onLink(node);
  }

  #report(thrown: unknown): void {
    const error = ConnectorError.from(thrown, 'connection_failed');
    // Links that were closed on purpose say nothing of the cluster.
    if (error.code !== 'closed') this.#options.onHealth(error);
  }
}
