import type { EventLog } from '../../diagnostics/log-event.ts';
import type { GroupAssignment } from '../../platform/group-membership.ts';
import type { Timer } from '../../time/clock.ts';
import { type PluginRegistry, simpleName } from '../config/plugin-registry.ts';
import type { AskWorker, ConnectRuntimeOptions } from '../port/connect-runtime.ts';
import type { runtimeEvents } from '../port/runtime-events.ts';
import {
  type ConfiguredConnectors,
  classOf,
  lackingClasses,
  lackingSentences,
  ownLacking,
} from './lacking-classes.ts';

type RuntimeOptions = Pick<ConnectRuntimeOptions, 'askWorker' | 'workerUrl' | 'version' | 'clock'>;

/** What a {@link GroupCheck} reads and writes. */
export interface GroupCheckParts {
  readonly configs: ConfiguredConnectors;
  readonly registry: PluginRegistry;
  readonly log: EventLog<typeof runtimeEvents>;
}

/** What another worker says of itself. `closed`: it answers, but does not say that. */
type Peer =
  | { readonly kind: 'open'; readonly version: string; readonly classes: PeerClasses }
  | { readonly kind: 'closed' }
  | { readonly kind: 'silent'; readonly reason: string };

interface PeerClasses {
  /** By every name that it accepts. */
  readonly names: ReadonlySet<string>;
  /** Workers before Kafka Connect 3.2 list connectors alone. */
  readonly complete: boolean;
}

/** A member of the group, by the id that the coordinator gave it. */
export interface MetMember {
  readonly id: string;
  readonly url: string;
}

/** Between two checks of the other workers. */
const CHECK_MS = 30_000;
/** Longest for one question. While the leader asks, the group waits for its assignment. */
const ASK_MS = 2_000;

/**
 * Whether the workers of a group fit together, before a change fails because they do not: the leader asks every member, and every member
 * the leader and itself, over the addresses that they advertise. It also knows which members have which connectors.
 */
export class GroupCheck {
  readonly #options: RuntimeOptions & GroupCheckParts;
  readonly #peers = new Map<string, Peer>();
  /** Id of the member that was asked at a URL. */
  readonly #met = new Map<string, string>();
  #assignment: GroupAssignment | undefined;
  #findings: readonly string[] = [];
  #timer: Timer | undefined;
  #closed = false;

  constructor({ askWorker, workerUrl, version, clock }: RuntimeOptions, parts: GroupCheckParts) {
    this.#options = { askWorker, workerUrl, version, clock, ...parts };
  }

  /** What does not fit, as sentences without a full stop; empty when all is well. */
  get findings(): readonly string[] {
    return this.#findings;
  }

  /** This worker has another place in the group; undefined: none. */
  assigned(assignment: GroupAssignment | undefined): void {
    this.#assignment = assignment;
    void this.#check();
  }

  /** Asks members that were not asked before, or did not answer, which plugins they have. Always resolves, within a few seconds. */
  async meet(members: readonly MetMember[]): Promise<void> {
    const unknown = members.filter(
      ({ id, url }) => this.#met.get(url) !== id || this.#peers.get(url)?.kind === 'silent',
    );
    await Promise.all(unknown.map(({ url }) => this.#ask(url)));
    for (const { id, url } of unknown) this.#met.set(url, id);
  }

  /** Whether a worker has the class of a connector, as far as is known: one that cannot be asked has every class. */
  hasClassOf(url: string, connector: string): boolean {
    const name = classOf(this.#options.configs.get(connector)?.config);
    if (name === undefined) return true;
    if (url === this.#options.workerUrl) return this.#options.registry.fullName(name) !== undefined;
    const peer = this.#peers.get(url);
    return peer?.kind !== 'open' || this.#has(peer.classes, name);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  async #check(): Promise<void> {
    this.#timer?.cancel();
    if (this.#closed) return;
    const assignment = this.#assignment;
    const urls = this.#asked();
    await Promise.all(urls.map((url) => this.#ask(url)));
    // The check of a later assignment follows.
    if (this.#closed || assignment !== this.#assignment) return;
    for (const url of this.#peers.keys()) if (!urls.includes(url)) this.#forget(url);
    this.#report(this.#find());
    // A worker that is alone and fits has nothing to look at again.
    if (urls.length + this.#findings.length > 0)
      this.#timer = this.#options.clock.after(CHECK_MS, () => void this.#check());
  }

  #forget(url: string): void {
    this.#peers.delete(url);
    this.#met.delete(url);
  }

  /** Base URLs of the workers that this one asks, itself included; none while it is alone. */
  #asked(): readonly string[] {
    const assignment = this.#assignment;
    const { workerUrl, askWorker } = this.#options;
    if (assignment === undefined || assignment.work === 'all' || askWorker === undefined) return [];
    const others = assignment.isLeader ? assignment.members.map(({ url }) => url) : [assignment.leaderUrl];
    return [...new Set([workerUrl, ...others])];
  }

  async #ask(baseUrl: string): Promise<void> {
    const { askWorker } = this.#options;
    if (askWorker === undefined) return;
    const ask = (path: string) => askWorker({ baseUrl, path, timeoutMs: ASK_MS });
    try {
      const [identity, plugins] = await Promise.all([ask(''), ask('connector-plugins?connectorsOnly=false')]);
      this.#peers.set(baseUrl, peerFrom(identity, plugins));
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      this.#peers.set(baseUrl, { kind: 'silent', reason });
    }
  }

  #report(findings: readonly string[]): void {
    const before = this.#findings;
    this.#findings = findings;
    if (findings.join('\n') === before.join('\n')) return;
    if (findings.length > 0) this.#options.log('group_mismatch', { findings });
    else this.#options.log('group_fits');
  }

  #find(): readonly string[] {
    if (this.#assignment === undefined) return this.#findings;
    const { registry, configs } = this.#options;
    return [...ownLacking(configs, registry), ...this.#addresses(), ...this.#others()];
  }

  #addresses(): readonly string[] {
    const { workerUrl } = this.#options;
    const assignment = this.#assignment;
    if (assignment === undefined || assignment.work === 'all') return [];
    if (!assignment.isLeader) {
      return assignment.leaderUrl === workerUrl
        ? [`this worker and the leader both advertise ${workerUrl}`]
        : [];
    }
    const urls = [workerUrl, ...assignment.members.map(({ url }) => url)];
    const repeated = new Set(urls.filter((url, at) => urls.indexOf(url) < at));
    return [...repeated].map((url) => `several workers advertise ${url}`);
  }

  /** What is wrong with the workers that were asked. */
  #others(): readonly string[] {
    const { workerUrl, version, configs } = this.#options;
    return this.#asked().flatMap((url) => {
      const peer = this.#peers.get(url);
      const isOwn = url === workerUrl;
      const who = isOwn ? 'this worker' : `the worker at ${url}`;
      if (peer?.kind === 'silent') {
        const at = isOwn ? ` at the address that it advertises, ${url}` : '';
        return [`${who} cannot be reached${at}: ${peer.reason}`];
      }
      if (peer?.kind !== 'open' || isOwn) return [];
      const isOther = peer.version !== '' && peer.version !== version;
      const versions = isOther ? [`${who} is of version ${peer.version}, this one of ${version}`] : [];
      // The leader validates changes of all connectors, and gives others only what they can run.
      if (this.#assignment?.isLeader === true) return versions;
      const { classes } = peer;
      return [
        ...versions,
        ...lackingSentences(
          `the leader at ${url}`,
          lackingClasses(configs, (name) => this.#has(classes, name), classes.complete),
        ),
      ];
    });
  }

  #has({ names }: PeerClasses, name: string): boolean {
    return names.has(name) || this.#options.registry.allNames(name).some((other) => names.has(other));
  }
}

function peerFrom(identity: Awaited<ReturnType<AskWorker>>, plugins: Awaited<ReturnType<AskWorker>>): Peer {
  if (identity.status !== 200 || plugins.status !== 200 || !Array.isArray(plugins.body))
    return { kind: 'closed' };
  const rows = plugins.body as readonly { readonly class?: unknown; readonly type?: unknown }[];
  const names = rows.flatMap((row) => (typeof row?.class === 'string' ? namesFor(row.class) : []));
  const { commit } = (identity.body ?? {}) as { readonly commit?: unknown };
  const [, version = ''] = /^levada-(.+)$/.exec(typeof commit === 'string' ? commit : '') ?? [];
  const complete = rows.some((row) => row?.type === 'converter');
  return { kind: 'open', version, classes: { names: new Set(names), complete } };
}

/** The names by which a Java worker finds a class: full, simple, and simple without the suffix of its kind. */
function namesFor(className: string): readonly string[] {
  const simple = simpleName(className);
  return [className, simple, simple.replace(/(?:Connector|Converter|Transformation|Predicate)$/, '')];
}
