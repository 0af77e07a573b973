import { textAt } from '../parse/known-value.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import { clustersOf } from '../resolve/runtime-clusters.ts';
import type { Setting } from '../resolve/settings.ts';

/** What the SQL of a job has to observe in one version of the engine. */
export interface EngineTarget {
  /** The first two numbers of the version: `2.2`. */
  readonly version: string;
  /** Refuses to write rows by a key that is not one of the query, unless the statement says what to do on a conflict. */
  readonly asksOnConflict: boolean;
}

/** All differences between versions that jobs are written for. What queries may use depends on the version too: `types/functions/since-version.ts`. */
const targets = [
  { version: '1.20', asksOnConflict: false },
  { version: '2.0', asksOnConflict: false },
  { version: '2.1', asksOnConflict: false },
  { version: '2.2', asksOnConflict: false },
  { version: '2.3', asksOnConflict: true },
] as const satisfies readonly EngineTarget[];

/** The version of a cluster that does not say one. */
const defaultVersion = '2.2';

/** The target of a version such as `2.2.1` or `v1.20`; of an unknown one the nearest before it. */
export function engineTarget(version: string = defaultVersion): EngineTarget {
  const [, major = '', minor = ''] =
    /^v?(\d+)\.(\d+)/.exec(version) ?? /^v?(\d+)\.(\d+)/.exec(defaultVersion) ?? [];
  const asked = order(`${major}.${minor}`);
  return targets.findLast((target) => order(target.version) <= asked) ?? targets[0];
}

/** 1.20 comes after 1.9. */
function order(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 10_000 + minor;
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
