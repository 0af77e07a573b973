import type { Clock } from '@levada/connect-runtime-core';
import { type PluginRegistry, simpleName } from '../config/plugin-registry.ts';
import type { AskWorker } from '../port/connect-runtime.ts';

/** What another worker says of itself. `closed`: it answers, but does not say that. */
export type Peer =
  | { readonly kind: 'open'; readonly version: string; readonly classes: PeerClasses }
  | { readonly kind: 'closed' }
  | { readonly kind: 'silent'; readonly reason: string };

/** The classes of another worker. */
export interface PeerClasses {
  /** By every name that it accepts. */
  readonly names: ReadonlySet<string>;
  /** Workers before Kafka Connect 3.2 list connectors alone. */
  readonly complete: boolean;
}

/** A member of the group, by the id that the coordinator gave it. */
export interface GroupMember {
  readonly id: string;
  readonly url: string;
}

export interface GroupPeersOptions {
  readonly askWorker: AskWorker | undefined;
  readonly clock: Clock;
  readonly registry: Pick<PluginRegistry, 'allNames'>;
  /** The worker's own URL. */
  readonly workerUrl: string;
}

/** Longest for one answer, and for all that the leader waits for before it assigns. */
const ANSWER_TIMEOUT_MS = 2_000;
/** Workers that are asked at the same time. */
const MOST_AT_ONCE = 4;

/** What the other workers of the group say of themselves, by their URLs. */
export class GroupPeers {
  readonly #options: GroupPeersOptions;
  readonly #peers = new Map<string, Peer>();
  /** As a worker said last: that it is silent since then changes no class. */
  readonly #classes = new Map<string, PeerClasses>();
  /** URLs of members that were asked when they were new, by id. */
  #askedMembers: ReadonlyMap<string, string> = new Map();

  constructor(options: GroupPeersOptions) {
    this.#options = options;
  }

  /** The last answer from a URL; undefined: none was asked for. */
  at(url: string): Peer | undefined {
    return this.#peers.get(url);
  }

  /** Whether the worker at a URL has a class; undefined: it never said. */
  hasClass(url: string, name: string): boolean | undefined {
    const classes = this.#classes.get(url);
    if (classes === undefined) return undefined;
    const { names } = classes;
    return names.has(name) || this.#options.registry.allNames(name).some((other) => names.has(other));
  }

  /** Asks members that are new. Those that do not answer are not asked here again, because the group waits. Always resolves, within 2 s. */
  async askNewMembers(members: readonly GroupMember[], signal: AbortSignal): Promise<void> {
    const { workerUrl, clock } = this.#options;
    const others = members.filter(({ url }) => url !== workerUrl);
    const fresh = others.filter(({ id }) => !this.#askedMembers.has(id)).map(({ url }) => url);
    this.#askedMembers = new Map(others.map(({ id, url }) => [id, url]));
    if (fresh.length === 0) return;
    // Another process, perhaps with other plugins, at a known URL.
    for (const url of fresh) this.#classes.delete(url);
    const limit = new AbortController();
    const timer = clock.after(ANSWER_TIMEOUT_MS, () => limit.abort());
    await this.ask(fresh, AbortSignal.any([signal, limit.signal]));
    timer.cancel();
  }

  /** Asks the workers at these URLs. Always resolves; what is not answered when the signal aborts is not known. */
  async ask(urls: readonly string[], signal: AbortSignal): Promise<void> {
    const rest = new Set(urls).values();
    const askRest = async (): Promise<void> => {
      for (const url of rest) {
        if (signal.aborted) return;
        await this.#askOne(url, signal);
      }
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, askRest));
  }

  /** Forgets what workers at other URLs said, except for members of the last round. */
  keepOnly(urls: readonly string[]): void {
    const kept = new Set([...urls, ...this.#askedMembers.values()]);
    for (const url of [...this.#peers.keys(), ...this.#classes.keys()]) {
      if (kept.has(url)) continue;
      this.#peers.delete(url);
      this.#classes.delete(url);
    }
  }

  async #askOne(baseUrl: string, signal: AbortSignal): Promise<void> {
    const { askWorker } = this.#options;
    if (askWorker === undefined) return;
    const ask = (path: string) => askWorker({ baseUrl, path, timeoutMs: ANSWER_TIMEOUT_MS, signal });
    try {
      const [identity, plugins] = await Promise.all([ask(''), ask('connector-plugins?connectorsOnly=false')]);
      if (signal.aborted) return;
      const peer = peerFrom(identity, plugins);
      this.#peers.set(baseUrl, peer);
      if (peer.kind === 'open') this.#classes.set(baseUrl, peer.classes);
    } catch (thrown) {
      if (signal.aborted) return;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      this.#peers.set(baseUrl, { kind: 'silent', reason });
    }
  }
}

function peerFrom(identity: Awaited<ReturnType<AskWorker>>, plugins: Awaited<ReturnType<AskWorker>>): Peer {
  if (identity.status !== 200 || plugins.status !== 200 || !Array.isArray(plugins.body))
    return { kind: 'closed' };
  const rows = plugins.body as readonly { readonly class?: unknown; readonly type?: unknown }[];
  const names = rows.flatMap((row) => (typeof row?.class === 'string' ? namesFor(row.class) : []));
  const { commit } = (identity.body ?? {}) as { readonly commit?: unknown };
  // People read it in logs and in `/health`: a foreign server must not be able to write any text there.
  const [, version = ''] = /^levada-([\w.+-]{1,64})$/.exec(typeof commit === 'string' ? commit : '') ?? [];
  const complete = rows.some((row) => row?.type === 'converter');
  return { kind: 'open', version, classes: { names: new Set(names), complete } };
}

/** The names by which a Java worker finds a class: full, simple, and simple without the suffix of its kind. */
function namesFor(className: string): readonly string[] {
  const simple = simpleName(className);
  return [className, simple, simple.replace(/(?:Connector|Converter|Transformation|Predicate)$/, '')];
}
