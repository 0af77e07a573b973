import type { RawConfig } from '@levada/connect-runtime-core';
import type { RestartRequest } from '../port/herder.ts';
import type { TargetState } from '../port/status.ts';
import {
  type ConfigRecordKey,
  parseConfigKey,
  readCommit,
  readLoggerLevel,
  readProperties,
  readRestart,
  readSessionKey,
  readTargetState,
  readTaskCount,
  type SessionKey,
} from './config-records.ts';

/** A connector as the config topic has it. */
export interface StoredConnector {
  readonly name: string;
  readonly config: RawConfig;
  /** Offset of the record that brought the connector to life: another one after a delete and a new create. */
  readonly epoch: number;
  readonly target: TargetState;
  /** Task configurations, by task id; undefined while none were committed, or an incomplete set. */
  readonly tasks: readonly RawConfig[] | undefined;
}

/** The change that a record made. */
export type ConfigChange =
  | {
      readonly kind: 'connector' | 'tasks' | 'target';
      readonly name: string;
      /** There is a connector or task more or less than before, so the group has to share them out again. */
      readonly changesWork: boolean;
    }
  | { readonly kind: 'restart'; readonly name: string; readonly request: RestartRequest }
  | { readonly kind: 'logger'; readonly logger: string; readonly level: string }
  | { readonly kind: 'session' };

/** What came of a record: a change, nothing of interest, or something that does not belong in a config topic. */
export type Applied = ConfigChange | 'ignored' | 'malformed';

/** Tasks that may write with transactions, all before them being fenced. */
export interface FencedTasks {
  readonly tasks: number;
  /** False: the connector has got other tasks since. */
  readonly current: boolean;
}

/** Values of this many characters are shared by the configurations that have them, such as a base64 file of Protobuf types. */
const LONG_VALUE = 1024;

interface Entry {
  config: RawConfig;
  readonly epoch: number;
  tasks: readonly RawConfig[] | undefined;
}

/**
 * The config topic's records, applied in order, as in Kafka Connect's `KafkaConfigBackingStore`: task records wait for
 * their commit record, which counts only when the set is complete.
 */
export class ConfigState {
  readonly #connectors = new Map<string, Entry>();
  readonly #targets = new Map<string, TargetState>();
  /** Key of the requests between workers that the leader distributed last. */
  sessionKey: SessionKey | undefined;
  /** Offset after the last record. */
  offset = -1;
  /** Task records that no commit record has covered yet. */
  readonly #uncommitted = new Map<string, Map<number, RawConfig>>();

  readonly #fenced = new Map<string, FencedTasks>();

  /** The tasks of a connector that may write with transactions; undefined: it never had any. */
  fenced(name: string): FencedTasks | undefined {
    return this.#fenced.get(name);
  }

  /** Names in the order of creation. */
  names(): readonly string[] {
    return [...this.#connectors.keys()];
  }

  get(name: string): StoredConnector | undefined {
    const entry = this.#connectors.get(name);
    if (entry === undefined) return undefined;
    const { config, epoch, tasks } = entry;
    return { name, config, epoch, tasks, target: this.#targets.get(name) ?? 'STARTED' };
  }

  /** Whether a target state is stored for a connector that is not there: its deletion was interrupted. */
  hasOrphanTarget(name: string): boolean {
    return this.#targets.has(name) && !this.#connectors.has(name);
  }

  /** Applies one record. `value` is parsed JSON, null for a deleted key, undefined for what could not be parsed. */
  apply(key: string, value: unknown, offset: number): Applied {
    this.offset = offset + 1;
    const parsed = parseConfigKey(key);
    if (parsed === undefined || value === undefined) return 'malformed';
    switch (parsed.kind) {
      case 'connector':
        return value === null ? this.#remove(parsed.name) : this.#put(parsed.name, value, offset);
      case 'task':
        return value === null ? 'ignored' : this.#bufferTask(parsed, value);
      case 'commit':
        return value === null ? 'ignored' : this.#commit(parsed.name, value);
      case 'target':
        return this.#setTarget(parsed.name, value);
      case 'restart':
        return value === null ? 'ignored' : this.#restart(parsed.name, value);
      case 'session':
        return value === null ? 'ignored' : this.#setSessionKey(value);
      case 'fencing':
        return value === null ? 'ignored' : this.#fence(parsed.name, value);
      case 'logger':
        return value === null ? 'ignored' : setLevel(parsed.logger, value);
    }
  }

  #put(name: string, value: unknown, offset: number): Applied {
    const config = this.#read(value);
    if (config === undefined) return 'malformed';
    const known = this.#connectors.get(name);
    if (known === undefined) this.#connectors.set(name, { config, epoch: offset, tasks: undefined });
    else known.config = config;
    return { kind: 'connector', name, changesWork: known === undefined };
  }

  /**
   * A configuration whose long values are the strings that connectors have already. Each record is a text of its own, so that a value
   * would be in memory once for the connector and once for each task.
   */
  #read(value: unknown): RawConfig | undefined {
    const config = readProperties(value);
    if (config === undefined) return undefined;
    const entries = Object.entries(config);
    if (!entries.some(([, text]) => isLong(text))) return config;
    return Object.fromEntries(
      entries.map(([key, text]) => [key, isLong(text) ? this.#known(key, text) : text] as const),
    );
  }

  /** The same text, of a connector that has it under this key. */
  #known(key: string, text: string): string {
    for (const { config } of this.#connectors.values()) {
      const known = config[key];
      if (known === text) return known;
    }
    return text;
  }

  #remove(name: string): Applied {
    this.#uncommitted.delete(name);
    return this.#connectors.delete(name) ? { kind: 'connector', name, changesWork: true } : 'ignored';
  }

  #bufferTask(key: ConfigRecordKey & { kind: 'task' }, value: unknown): Applied {
    const config = this.#read(value);
    if (config === undefined) return 'malformed';
    const tasks = this.#uncommitted.get(key.name) ?? new Map<number, RawConfig>();
    tasks.set(key.index, config);
    this.#uncommitted.set(key.name, tasks);
    return 'ignored';
  }

  #commit(name: string, value: unknown): Applied {
    const count = readCommit(value);
    const entry = this.#connectors.get(name);
    const tasks = this.#uncommitted.get(name);
    this.#uncommitted.delete(name);
    if (count === undefined) return 'malformed';
    // Left over from a connector of that name that was deleted.
    if (entry === undefined) return 'ignored';
    const fenced = this.#fenced.get(name);
    if (fenced !== undefined) this.#fenced.set(name, { ...fenced, current: false });
    const before = entry.tasks?.length ?? 0;
    entry.tasks = completeSet(count, { old: entry.tasks, fresh: tasks });
    return { kind: 'tasks', name, changesWork: before !== (entry.tasks?.length ?? 0) };
  }

  #setTarget(name: string, value: unknown): Applied {
    const target = value === null ? null : readTargetState(value);
    if (target === undefined) return 'malformed';
    if (target === null) this.#targets.delete(name);
    else this.#targets.set(name, target);
    return this.#connectors.has(name) ? { kind: 'target', name, changesWork: false } : 'ignored';
  }

  #setSessionKey(value: unknown): Applied {
    const key = readSessionKey(value);
    if (key === undefined) return 'malformed';
    this.sessionKey = key;
    return { kind: 'session' };
  }

  #fence(name: string, value: unknown): Applied {
    const count = readTaskCount(value);
    if (count === undefined) return 'malformed';
    this.#fenced.set(name, { tasks: count, current: true });
    return 'ignored';
  }

  #restart(name: string, value: unknown): Applied {
    const request = readRestart(value);
    if (request === undefined) return 'malformed';
    return this.#connectors.has(name) ? { kind: 'restart', name, request } : 'ignored';
  }
}

function isLong(text: string | null): text is string {
  return text !== null && text.length >= LONG_VALUE;
}

function setLevel(logger: string, value: unknown): Applied {
  const level = readLoggerLevel(value);
  return level === undefined || logger === '' ? 'malformed' : { kind: 'logger', logger, level };
}

/** Tasks 0 to count-1. A task that was not written again keeps its configuration; a missing one makes the set void. */
function completeSet(
  count: number,
  {
    old,
    fresh,
  }: { old: readonly RawConfig[] | undefined; fresh: ReadonlyMap<number, RawConfig> | undefined },
): readonly RawConfig[] | undefined {
  const tasks: RawConfig[] = [];
  for (let i = 0; i < count; i += 1) {
    const config = fresh?.get(i) ?? old?.[i];
    if (config === undefined) return undefined;
    tasks.push(config);
  }
  return tasks;
}
