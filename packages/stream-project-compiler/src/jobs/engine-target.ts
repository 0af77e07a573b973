import { textAt } from '../parse/known-value.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import { clustersOf } from '../resolve/runtime-clusters.ts';
import type { Setting } from '../resolve/settings.ts';
import { engineVersions } from '../types/functions/engine-dialect.ts';
import { constructsSince } from '../types/functions/since-version.ts';

/** What the SQL of a job has to observe in one version of the engine. */
export interface EngineTarget {
  /** The first two numbers of the version: `2.2`. */
  readonly version: string;
  /** Refuses to write rows by a key unless it finds that key in the query, or the statement says what to do on a conflict. */
  readonly asksOnConflict: boolean;
  /** Lets a table say how many tasks read it. */
  readonly takesReaders: boolean;
  /** Makes rows that several INSERTs read once, if asked to. 1.20 then writes each update as a deletion and a new row. */
  readonly sharesRows: boolean;
}

/** The oldest version that jobs are written for. */
const oldestVersion = '1.20';

/** The oldest version of which a test has seen that shared rows stay updates. */
const sharesRowsSince = '2.2';

/** The version of a cluster that does not say one. */
const defaultVersion = '2.2';

/** The target of a version such as `2.2.1` or `v1.20`; of an unknown one the nearest before it. */
export function engineTarget(version: string = defaultVersion): EngineTarget {
  const [, major = '', minor = ''] =
    /^v?(\d+)\.(\d+)/.exec(version) ?? /^v?(\d+)\.(\d+)/.exec(defaultVersion) ?? [];
  const asked = order(`${major}.${minor}`);
  return targets.findLast((known) => known.since <= asked)?.target ?? oldestTarget;
}

/** The versions that jobs are written for, oldest first. */
export const targetVersions: readonly string[] = engineVersions.filter(
  (known) => order(known) >= order(oldestVersion),
);

/** Whether jobs are written for a version itself, not for the nearest one. */
export function isTargetVersion(version: string): boolean {
  const [, number = ''] = /^v?(\d+\.\d+)/.exec(version) ?? [];
  return targetVersions.includes(number);
}

/** 1.20 comes after 1.9. */
function order(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 10_000 + minor;
}

const oldestTarget = targetOf(oldestVersion);
const targets = targetVersions.map((known) => ({ target: targetOf(known), since: order(known) }));

function targetOf(version: string): EngineTarget {
  return {
    version,
    asksOnConflict: order(version) >= order(constructsSince['ON CONFLICT']),
    takesReaders: order(version) >= order('2.0'),
    sharesRows: order(version) >= order(sharesRowsSince),
  };
}

/** The target of a cluster of the project, unless a version is given. */
export function clusterTarget(
  parsed: ParsedProject,
  cluster: Setting<string> | undefined,
  given: string | undefined,
): EngineTarget {
  if (given !== undefined) return engineTarget(given);
  const node = cluster === undefined ? undefined : clustersOf(parsed, 'engine')?.byName.get(cluster.value);
  return engineTarget(node === undefined ? undefined : textAt(node, 'version')?.value);
}
