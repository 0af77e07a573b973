import type { EventLog, Timer } from '@levada/connect-runtime-core';
import { type GroupAssignment, type GroupWork, parseTaskKey } from '@levada/connect-runtime-core/platform';
import type { PluginRegistry } from '../config/plugin-registry.ts';
import type { ConnectRuntimeOptions } from '../port/connect-runtime.ts';
import type { runtimeEvents } from '../port/runtime-events.ts';
import { type GroupMember, GroupPeers } from './group-peers.ts';
import {
  type ConfiguredConnectors,
  connectorClass,
  describeLacking,
  findLackingClasses,
  findOwnLacking,
} from './lacking-classes.ts';

type RuntimeOptions = Pick<ConnectRuntimeOptions, 'askWorker' | 'workerUrl' | 'version' | 'clock'>;

/** What a {@link GroupCheck} reads and writes. */
export interface GroupCheckParts {
  readonly configs: ConfiguredConnectors;
  readonly registry: Pick<PluginRegistry, 'fullName' | 'allNames'>;
  readonly log: EventLog<typeof runtimeEvents>;
  /** What the other workers said since the last assignment makes another one better. */
  readonly requestRebalance: () => void;
}

/** Between two checks of the other workers. */
const CHECK_INTERVAL_MS = 30_000;
/** Up to this share of the interval in addition, at random, so that workers that started together do not ask together. */
const CHECK_JITTER = 0.2;

/**
 * Whether the workers of a group fit together, before a change fails because they do not: the leader asks every member, and every member
 * the leader and itself, over the addresses that they advertise. It also knows which members have which connectors.
 */
export class GroupCheck {
  readonly #options: RuntimeOptions & GroupCheckParts;
  readonly #peers: GroupPeers;
  readonly #end = new AbortController();
  #assignment: GroupAssignment | undefined;
  #findings: readonly string[] = [];
  /** What was misplaced when a rebalance was requested for it: it is not requested twice. */
  #requestedFor = '';
  #timer: Timer | undefined;
  /** Ends the check that runs. */
  #running = new AbortController();

  constructor({ askWorker, workerUrl, version, clock }: RuntimeOptions, parts: GroupCheckParts) {
    this.#options = { askWorker, workerUrl, version, clock, ...parts };
    this.#peers = new GroupPeers({ askWorker, workerUrl, clock, registry: parts.registry });
  }

  /** What does not fit, as sentences without a full stop; empty when all is well. */
  get findings(): readonly string[] {
    return this.#findings;
  }

  /** This worker has another place in the group; undefined: none. */
  noteAssignment(assignment: GroupAssignment | undefined): void {
    this.#assignment = assignment;
    // Of a group that this worker is not in, nothing is known.
    if (assignment === undefined) this.#findings = [];
    void this.#check();
  }

  /** Asks members that are new which plugins they have. Always resolves, within 2 s. */
  async askNewMembers(members: readonly GroupMember[]): Promise<void> {
    await this.#peers.askNewMembers(members, this.#end.signal);
  }

  /** Whether a worker has the class of a connector, as far as is known: one that never said has every class. */
  hasClassOf(url: string, connector: string): boolean {
    const name = connectorClass(this.#options.configs.get(connector)?.config);
    if (name === undefined) return true;
    if (url === this.#options.workerUrl) return this.#options.registry.fullName(name) !== undefined;
    return this.#peers.hasClass(url, name) !== false;
  }

  close(): void {
    this.#end.abort();
    this.#running.abort();
    this.#timer?.cancel();
  }

  async #check(): Promise<void> {
    this.#timer?.cancel();
    this.#running.abort();
    if (this.#end.signal.aborted || this.#assignment === undefined) return;
    const running = new AbortController();
    this.#running = running;
    const urls = this.#urlsToAsk();
    await this.#peers.ask(urls, running.signal);
    // The check of a later assignment follows.
    if (running.signal.aborted) return;
    this.#peers.keepOnly(urls);
    this.#report(this.#find());
    this.#requestRebalance();
    // A worker that is alone and fits has nothing to look at again.
    if (urls.length + this.#findings.length === 0) return;
    const delayMs = CHECK_INTERVAL_MS * (1 + CHECK_JITTER * Math.random());
    this.#timer = this.#options.clock.after(delayMs, () => void this.#check());
  }

  /** Base URLs of the workers that this one asks, itself included; none while it is alone. */
  #urlsToAsk(): readonly string[] {
    const assignment = this.#assignment;
    const { workerUrl, askWorker } = this.#options;
    if (assignment === undefined || assignment.work === 'all' || askWorker === undefined) return [];
    const others = assignment.isLeader ? assignment.members.map(({ url }) => url) : [assignment.leaderUrl];
    return [...new Set([workerUrl, ...others])];
  }

  #report(findings: readonly string[]): void {
    const before = this.#findings;
    this.#findings = findings;
    if (findings.join('\n') === before.join('\n')) return;
    if (findings.length > 0) this.#options.log('group_mismatch', { findings });
    else this.#options.log('group_fits');
  }

  /** Members may say only after the assignment which classes they have. */
  #requestRebalance(): void {
    const assignment = this.#assignment;
    if (assignment?.isLeader !== true || assignment.work === 'all') return;
    const { workerUrl, requestRebalance } = this.#options;
    const owners = [{ url: workerUrl, work: assignment.work }, ...assignment.members];
    const canRunSomewhere = (name: string): boolean =>
      owners.some((owner) => this.hasClassOf(owner.url, name));
    const misplaced = owners.flatMap(({ url, work }) =>
      connectorsOf(work)
        .filter((name) => !this.hasClassOf(url, name) && canRunSomewhere(name))
        .map((name) => `${name} ${url}`),
    );
    const text = misplaced.toSorted().join('\n');
    const isNew = text !== this.#requestedFor;
    this.#requestedFor = text;
    if (isNew && misplaced.length > 0) requestRebalance();
  }

  #find(): readonly string[] {
    const { registry, configs } = this.#options;
    return [...findOwnLacking(configs, registry), ...this.#findSharedUrls(), ...this.#judgePeers()];
  }

  #findSharedUrls(): readonly string[] {
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
  #judgePeers(): readonly string[] {
    const { workerUrl, version } = this.#options;
    return this.#urlsToAsk().flatMap((url) => {
      const peer = this.#peers.at(url);
      const isOwn = url === workerUrl;
      const who = isOwn ? 'this worker' : `the worker at ${url}`;
      if (peer?.kind === 'silent') {
        const at = isOwn ? ` at the address that it advertises, ${url}` : '';
        return [`${who} cannot be reached${at}: ${peer.reason}`];
      }
      if (peer?.kind !== 'open' || isOwn) return [];
      const isOther = peer.version !== '' && peer.version !== version;
      const versions = isOther ? [`${who} is of version ${peer.version}, this one of ${version}`] : [];
      return [...versions, ...this.#describeLackingOf(url, peer.classes.complete)];
    });
  }

  /** The leader validates changes of all connectors; other members run only what they were assigned. */
  #describeLackingOf(url: string, isComplete: boolean): readonly string[] {
    const { configs } = this.#options;
    const isLeader = this.#assignment?.isLeader === true;
    const works = this.#assignment?.members.filter((member) => member.url === url) ?? [];
    const assigned = new Set(works.flatMap(({ work }) => connectorsOf(work)));
    const lacking = findLackingClasses(configs, {
      names: isLeader ? configs.names().filter((name) => assigned.has(name)) : configs.names(),
      has: (name) => this.#peers.hasClass(url, name) !== false,
      all: isComplete,
    });
    return describeLacking(isLeader ? `the worker at ${url}` : `the leader at ${url}`, lacking);
  }
}

/** The connectors of which a member runs the connector or a task. */
function connectorsOf({ connectors, tasks }: GroupWork): readonly string[] {
  return [...new Set([...connectors, ...[...tasks].map((task) => parseTaskKey(task).connector)])];
}
