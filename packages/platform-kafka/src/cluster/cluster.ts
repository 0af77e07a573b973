import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import { endOf } from '../model/retrying.ts';
import { type BrokerLink, openLink } from '../wire/broker-link.ts';
import type { ClusterMetadata, KafkaCalls } from '../wire/kafka-calls.ts';
import type { BrokerAddress, LinkOptions } from '../wire/link-options.ts';

/** How a cluster is reached, and what is called when that changes. */
export interface ClusterOptions {
  readonly bootstrap: readonly BrokerAddress[];
  readonly link: LinkOptions;
  /** How long an answer may take, by purpose (milliseconds). Default: `link.requestTimeoutMs`. */
  readonly timeoutsMs?: Partial<Record<LinkPurpose, number>>;
  /** Called with each answer about the cluster. */
  readonly onReached?: (metadata: ClusterMetadata) => void;
  /** Called when no broker at all could be asked. */
  readonly onUnreachable?: (error: ConnectorError) => void;
  /** Called with each link that ended after it was open, before the requests on it fail. */
  readonly onLinkClosed?: (link: BrokerLink, error: ConnectorError) => void;
}

/**
 * A broker answers the requests of a connection one after the other: those that may take long (fetching; producing, while a
 * replica is missing; joining a group, while other members are awaited) have one of their own.
 */
export type LinkPurpose = 'ask' | 'fetch' | 'produce' | 'join';

/**
 * The brokers of a cluster, connected when needed. Nothing is retried here: a request is tried once, {@link ask} once with
 * each broker that is known. Connections stay open until they break, or until {@link close}.
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
   * Asks for topics, and for brokers, which are remembered; for brokers alone when the list is empty. Topics are never created by asking,
   * unless that is asked for.
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

  /** A request to any broker; one after the other is tried, those first that are connected. */
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
        // A refused sign-on says more than a broker that is away.
        if (failure?.code !== 'handshake_rejected') failure = ConnectorError.from(thrown, 'connection_lost');
      }
    }
    const error = failure ?? new ConnectorError('log_unavailable', 'no broker is known');
    this.#options.onUnreachable?.(error);
    throw error;
  }

  /** A request to a broker that the last metadata named; `controller` for the one that changes topics. */
  async call<Name extends keyof KafkaCalls>(
    node: number | 'controller',
    name: Name,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer']> {
    const link = await this.link(node === 'controller' ? this.#controllerId : node, 'ask');
    return await link.call(name, args);
  }

  /** A connection to a broker that the last metadata named. */
  async link(node: number, purpose: LinkPurpose): Promise<BrokerLink> {
    const address = this.#nodes.get(node);
    if (address === undefined) throw new ConnectorError('log_unavailable', `broker ${node} is not known`);
    return await this.#open(address, purpose);
  }

  /** Ends all connections; requests under way fail with `closed`. Idempotent. */
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

  /** Brokers end connections that are idle for long. A request that finds one ended is made again over a new one. */
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

  /** Brokers that are connected come first, then those that are known, then those of the configuration. */
  #candidates(): readonly BrokerAddress[] {
    const all = [...this.#nodes.values(), ...this.#options.bootstrap];
    const byName = new Map(all.map((address) => [nameOf(address), address]));
    const connected = (address: BrokerAddress): number => (this.#links.has(keyOf(address, 'ask')) ? 0 : 1);
    return [...byName.values()].sort((a, b) => connected(a) - connected(b));
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
