import type { Clock } from '@levada/connect-runtime-core';
import type { LogLevel } from '@levada/connect-runtime-core/host';

/** What may be asked of a logger: Kafka Connect's words. ALL and TRACE show what DEBUG shows; FATAL what ERROR shows. */
export const logThresholds = ['ALL', 'TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL', 'OFF'] as const;

export type LogThreshold = (typeof logThresholds)[number];

/** True for Connect's words. */
export function isLogThreshold(text: string): text is LogThreshold {
  return (logThresholds as readonly string[]).includes(text);
}

/** A logger's level and when it was set. */
export interface LoggerLevel {
  readonly level: LogThreshold;
  /** Milliseconds since 1970; null when it was never changed. */
  readonly lastModified: number | null;
}

const root = 'root';
const connectors = 'levada.connector.';

/** The logger of a connector: its own, so that one of them can be watched closely. */
export function connectorLogger(connector: string): string {
  return connectors + connector;
}

const thresholdRanks: Readonly<Record<LogThreshold, number>> = {
  ALL: 0,
  TRACE: 0,
  DEBUG: 1,
  INFO: 2,
  WARN: 3,
  ERROR: 4,
  FATAL: 4,
  OFF: 5,
};

const ranks: Readonly<Record<LogLevel, number>> = { debug: 1, info: 2, warn: 3, error: 4 };

/**
 * The levels of all loggers, by dotted name; changed while the worker runs. A logger without one has its parent's. Connectors
 * come and go, so their loggers are not remembered here: the caller names those that there are.
 */
export class LoggerLevels {
  readonly #clock: Clock;
  readonly #levels = new Map<string, LoggerLevel>();
  readonly #known = new Set<string>();
  /** How often a level changed. */
  #changes = 0;

  constructor(level: LogThreshold, clock: Clock) {
    this.#clock = clock;
    this.#levels.set(root, { level, lastModified: null });
  }

  /** Makes a logger known, so that a change of its parent lists it. */
  add(name: string): void {
    if (!name.startsWith(connectors)) this.#known.add(name);
  }

  /** Whether a line of this level is to be written. */
  enabled(name: string, level: LogLevel): boolean {
    return ranks[level] >= this.#threshold(name);
  }

  /** As `enabled`, of one logger, which looks its level up once after each change: connectors ask for every message. */
  gate(name: string): (level: LogLevel) => boolean {
    let seen: number | undefined;
    let threshold = 0;
    return (level) => {
      if (seen !== this.#changes) {
        seen = this.#changes;
        threshold = this.#threshold(name);
      }
      return ranks[level] >= threshold;
    };
  }

  /** Those that have a level of their own, sorted by name. */
  list(): ReadonlyMap<string, LoggerLevel> {
    return new Map([...this.#levels].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Level of a logger that exists or was ever given a level; undefined for any other name. `root` in any case is the root.
   * `present` are the loggers of the connectors that there are.
   */
  get(given: string, present: readonly string[] = []): LoggerLevel | undefined {
    const name = canonical(given);
    const exists = this.#known.has(name) || present.includes(name);
    return this.#levels.get(name) ?? (exists ? this.#effective(name) : undefined);
  }

  /**
   * Sets the level of a logger and of all below it; those that have it already stay as they are. Returns the names concerned,
   * sorted. A connector's logger that is not named itself gets no level of its own, but has its parent's from now on.
   */
  set(given: string, level: LogThreshold, present: readonly string[] = []): readonly string[] {
    const name = canonical(given);
    this.add(name);
    const below = (other: string): boolean => name === root || other.startsWith(`${name}.`);
    const names = new Set([...this.#levels.keys(), ...this.#known, ...present].filter(below));
    names.add(name);
    const changing = [...names].filter((each) => this.#effective(each).level !== level);
    const lastModified = this.#clock.now();
    this.#changes += 1;
    for (const each of changing) {
      if (each === name || !each.startsWith(connectors)) this.#levels.set(each, { level, lastModified });
      else this.#levels.delete(each);
    }
    return [...names].sort();
  }

  #threshold(name: string): number {
    return thresholdRanks[this.#effective(name).level];
  }

  #effective(name: string): LoggerLevel {
    for (let at = name; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
      const level = this.#levels.get(at);
      if (level !== undefined) return level;
    }
    return this.#levels.get(root) as LoggerLevel;
  }
}

function canonical(name: string): string {
  return name.toLowerCase() === root ? root : name;
}
