import type { ConfigDef, RawConfig } from '@levada/connect-runtime-core';
import type { UpdateMode } from '@levada/connect-runtime-core/config';
import { changedKeys } from './raw-config.ts';

/** A key that was added, removed or given another text, and what that needs. */
export interface KeyChange {
  readonly name: string;
  readonly update: UpdateMode;
}

/** The effect that storing a configuration would have. */
export interface ConfigUpdate {
  /**
   * `create`: there is no such connector yet; `restart`: it gets new tasks; `reconnect`, `live`: its tasks are handed the new
   * values, which hold from the next connection, or at once; `none`: nothing would change.
   */
  readonly effect: 'create' | 'none' | UpdateMode;
  /** In the order of the stored configuration, then of the new one; values are never part of it. */
  readonly changed: readonly KeyChange[];
}

/** Weakest first. */
const modes: readonly UpdateMode[] = ['live', 'reconnect', 'restart'];

/** What differs between two configurations of one connector. Keys that are not the connector's own need a new task. */
export function keyChanges(
  definition: Pick<ConfigDef, 'canonical' | 'find'>,
  before: RawConfig,
  after: RawConfig,
): readonly KeyChange[] {
  return changedKeys(definition.canonical(before), definition.canonical(after)).map((name) => ({
    name,
    update: definition.find(name)?.update ?? 'restart',
  }));
}

/** What changes need together: as much as the one that needs most. */
export function effectOf(changes: readonly KeyChange[]): 'none' | UpdateMode {
  const needed = Math.max(-1, ...changes.map(({ update }) => modes.indexOf(update)));
  return modes[needed] ?? 'none';
}
