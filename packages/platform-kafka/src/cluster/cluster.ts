import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import { endOf } from '../model/retrying.ts';
import { type BrokerLink, openLink } from '../wire/broker-link.ts';
import type { ClusterMetadata, KafkaCalls } from '../wire/kafka-calls.ts';
import type { BrokerAddress, LinkOptions } from '../wire/link-options.ts';

/** How to reach a cluster, and callbacks for changes. */
export interface ClusterOptions {
  readonly bootstrap: readonly BrokerAddress[];
  readonly link: LinkOptions;
  /** Timeouts of answers by purpose, in milliseconds. Default: `link.requestTimeoutMs`. */
  readonly timeoutsMs?: Partial<Record<LinkPurpose, number>>;
  /** Called with each answer about the cluster. */
  readonly onReached?: (metadata: ClusterMetadata) => void;
  /** Called if no broker could be reached. */
  readonly onUnreachable?: (error: ConnectorError) => void;
  /** Called with each link that ended after it was open, before its requests fail. */
  readonly onLinkClosed?: (link: BrokerLink, error: ConnectorError) => void;
}

/**
 * A broker answers the requests of a connection in order. Requests that may take long have a separate connection: fetching,
 * producing (if a replica is missing) and joining a group (while others are awaited).
 */
export type LinkPurpose = 'ask' | 'fetch' | 'produce' | 'join';

/**
 * The brokers of a cluster, connected on demand. Nothing is retried here: a request is tried once, {@link ask} once with each
 * known broker. Connections stay open until they break, or until {@link close}.
 */
export class Cluster {
  readonly #options: ClusterOptions;
  readonly #links = new Map<string, Promise<BrokerLink>>();
  readonly #closed = new AbortController();
  #nodes: ReadonlyMap<number, BrokerAddress> = new Map();
  #controllerId = -1;

  constructor(options: ClusterOptions) {
    this.#options = options;
  }

  get clock(): Clock {
    return this.#options.link.clock;
  }

  /**
   * Requests metadata of topics and brokers, and remembers the brokers; only brokers if the list is empty. Creates no topics,
   * unless requested.
   */
  async metadata(
    topics: readonly string[],
    { create = false }: { readonly create?: boolean } = {},
  ): Promise<ClusterMetadata> {
    const answer = await this.ask('Metadata', {
      topics: topics.map((name) => ({ name })),
      allowAutoTopicCreation: create,
    });
    this.#learn(answer);
    return answer;
  }

  /** Sends a request to any broker. Tries one after another, connected ones first. */
  async ask<Name extends keyof KafkaCalls>(
    name: Name,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer']> {
    let failure: ConnectorError | undefined;
    for (const address of this.#candidates()) {
      try {
        return await this.#askAt(address, name, args);
      } catch (thrown) {
        if (this.#closed.signal.aborted) throw endOf(this.#closed.signal);
        // A rejected login says more than an unreachable broker
        if (failure?.code !== 'handshake_rejected') failure = ConnectorError.from(thrown, 'connection_lost');
      }
    }
    const error = failure ?? new ConnectorError('log_unavailable', 'no broker is known');
    this.#options.onUnreachable?.(error);
    throw error;
  }

  /** Sends a request to a broker of the last metadata; `controller` is the one that changes topics. */
  async call<Name extends keyof KafkaCalls>(
    node: number | 'controller',
    name: Name,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer']> {
    const link = await this.link(node === 'controller' ? this.#controllerId : node, 'ask');
    return await link.call(name, args);
  }

  /** A connection to a broker of the last metadata. */
  async link(node: number, purpose: LinkPurpose): Promise<BrokerLink> {
    const address = this.#nodes.get(node);
    if (address === undefined) throw new ConnectorError('log_unavailable', `broker ${node} is not known`);
    return await this.#open(address, purpose);
  }

  /** Ends all connections; pending requests fail with `closed`. Idempotent. */
  close(): void {
    this.#closed.abort(new ConnectorError('closed', 'the client was closed'));
    for (const opening of this.#links.values()) {
      opening.then(
        (link) => link.close(),
        () => undefined,
      );
    }
    this.#links.clear();
  }

  /** Brokers close idle connections. A request on a closed connection is repeated on a new one. */
  async #askAt<Name extends keyof KafkaCalls>(
    address: BrokerAddress,
    name: Name,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer']> {
    const wasOpen = this.#links.has(keyOf(address, 'ask'));
    try {
      return await (await this.#open(address, 'ask')).call(name, args);
    } catch (thrown) {
      if (!wasOpen || ConnectorError.from(thrown).code !== 'connection_lost') throw thrown;
      return await (await this.#open(address, 'ask')).call(name, args);
    }
  }

  /** Connected brokers first, then known ones, then those of the configuration. */
  #candidates(): readonly BrokerAddress[] {
    const all = [...this.#nodes.values(), ...this.#options.bootstrap];
    const byName = new Map(all.map((address) => [nameOf(address), address]));
    const rankOf = (address: BrokerAddress): number => (this.#links.has(keyOf(address, 'ask')) ? 0 : 1);
    return [...byName.values()].sort((a, b) => rankOf(a) - rankOf(b));
  }

  #learn(metadata: ClusterMetadata): void {
    this.#nodes = new Map(metadata.brokers.map(({ nodeId, host, port }) => [nodeId, { host, port }]));
    this.#controllerId = metadata.controllerId;
    this.#options.onReached?.(metadata);
  }

  async #open(address: BrokerAddress, purpose: LinkPurpose): Promise<BrokerLink> {
    const { signal } = this.#closed;
    if (signal.aborted) throw endOf(signal);
    const key = keyOf(address, purpose);
    const known = this.#links.get(key);
    if (known !== undefined) return await known;
    const forget = (): void => {
      if (this.#links.get(key) === opening) this.#links.delete(key);
    };
    const onClose = (error: ConnectorError, link: BrokerLink): void => {
      forget();
      this.#options.onLinkClosed?.(link, error);
    };
    const opening = openLink(address, this.#linkOptions(purpose), { onClose, signal });
    this.#links.set(key, opening);
    try {
      return await opening;
    } catch (thrown) {
      forget();
      throw thrown;
    }
  }

  #linkOptions(purpose: LinkPurpose): LinkOptions {
    const { link, timeoutsMs = {} } = this.#options;
    const requestTimeoutMs = timeoutsMs[purpose];
    return requestTimeoutMs === undefined ? link : { ...link, requestTimeoutMs };
  }
}

function nameOf({ host, port }: BrokerAddress): string {
  return `${host}:${port}`;
}

function keyOf(address: BrokerAddress, purpose: LinkPurpose): string {
  return `${purpose} ${nameOf(address)}`;
}
