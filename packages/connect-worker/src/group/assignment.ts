import { type GroupAssignment, type GroupWork, parseTaskKey } from '@levada/connect-runtime-core/platform';

/** What of one connector is to run here: the connector itself, and which of its tasks. */
interface Part {
  connector: boolean;
  readonly tasks: Set<number>;
}

/** Which connectors and tasks this worker is to run. Nothing before the first assignment. */
export class Assignment {
  #all = false;
  #parts: ReadonlyMap<string, Part> = new Map();
  #group: Omit<GroupAssignment, 'work'> | undefined;
  readonly #confirmed: () => boolean;

  /** `confirmed` is false while it is uncertain that this worker is still a member of its group. */
  constructor(confirmed: () => boolean) {
    this.#confirmed = confirmed;
  }

  /**
   * Replaces it; undefined: this worker is not a member of a group. Takes effect at once. Returns which of the given connectors have
   * another part than before.
   */
  set(assignment: GroupAssignment | undefined, names: Iterable<string>): readonly string[] {
    const known = [...names];
    const before = known.map((name) => this.#shown(name));
    this.#group = assignment;
    this.#all = assignment?.work === 'all';
    this.#parts =
      assignment === undefined || assignment.work === 'all' ? new Map() : partsOf(assignment.work);
    return known.filter((name, at) => this.#shown(name) !== before[at]);
  }

  connector(name: string): boolean {
    return this.#all || this.#parts.get(name)?.connector === true;
  }

  task(name: string, task: number): boolean {
    return this.#all || this.#parts.get(name)?.tasks.has(task) === true;
  }

  /** As {@link task}, by the task's key. */
  taskOf(key: string): boolean {
    const { connector, task } = parseTaskKey(key);
    return this.task(connector, task);
  }

  /** Whether anything of a connector is to run here. */
  any(name: string): boolean {
    return this.#all || this.#parts.has(name);
  }

  /** Whether this worker is the one that changes configurations. */
  get leads(): boolean {
    return this.#group?.isLeader === true && (this.#all || this.#confirmed());
  }

  /** Whether this worker has no others beside it. */
  get isAlone(): boolean {
    return this.#all;
  }

  /** False while it is uncertain that this worker is still a member of its group. */
  get confirmed(): boolean {
    return this.#confirmed();
  }

  /** Whether the group demands that its workers sign their requests to each other. */
  get signed(): boolean {
    return this.#group?.signed !== false;
  }

  /** Base URL of the leader's REST interface, with trailing slash; undefined while it is unknown. */
  get leaderUrl(): string | undefined {
    return this.#group?.leaderUrl;
  }

  /** On the leader: ids of the other workers, which are their advertised addresses. */
  get memberIds(): readonly string[] {
    const members = this.#group?.members ?? [];
    return members.map(({ url }) => url.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/, ''));
  }

  /** On the leader: base URL of the worker that was assigned a connector, or one of its tasks; undefined while there is none. */
  ownerUrl(key: { readonly connector: string } | { readonly task: string }): string | undefined {
    const owner = this.#group?.members.find(({ work }) =>
      'connector' in key ? work.connectors.has(key.connector) : work.tasks.has(key.task),
    );
    return owner?.url;
  }

  /** On the leader: whether another worker runs a task of a connector, or may still be stopping it. */
  mayRunElsewhere(name: string): boolean {
    const isOf = (key: string): boolean => parseTaskKey(key).connector === name;
    const members = this.#group?.members ?? [];
    return members.some(({ work, stopping }) => [...work.tasks, ...stopping.tasks].some(isOf));
  }

  #shown(name: string): string {
    if (this.#all) return 'all';
    const part = this.#parts.get(name);
    return part === undefined ? '' : `${part.connector} ${[...part.tasks].sort((a, b) => a - b).join(' ')}`;
  }
}

function partsOf({ connectors, tasks }: GroupWork): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  const part = (name: string): Part => {
    const known = parts.get(name) ?? { connector: false, tasks: new Set<number>() };
    parts.set(name, known);
    return known;
  };
  for (const name of connectors) part(name).connector = true;
  for (const key of tasks) {
    const { connector, task } = parseTaskKey(key);
    part(connector).tasks.add(task);
  }
  return parts;
}
