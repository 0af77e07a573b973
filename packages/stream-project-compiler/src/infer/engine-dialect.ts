import { quote } from '../diagnostics/quote.ts';
import { isDeclared } from '../parse/is-declared.ts';
import { isText, listAt, textAt } from '../parse/known-value.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { TypedNode } from '../parse/typed-node.ts';
import { isReplaced, shownText } from '../resolve/place-in-file.ts';
import { clustersOf, mayBeManaged } from '../resolve/runtime-clusters.ts';
import type { Setting } from '../resolve/settings.ts';
import { type EngineDialect, engineVersions, newestDialect } from '../types/functions/engine-dialect.ts';

/** The dialect of a cluster's engine; the same object for the same cluster, also in a later run with the same `runtime`. */
export type DialectOf = (cluster: Setting<string> | undefined) => EngineDialect;

/** Looks at the clusters of `runtime`, each once. A given version counts instead of those that they say. */
export function dialectReader(parsed: ParsedProject, given?: string): DialectOf {
  const { runtime } = parsed;
  const clusters = clustersOf(parsed, 'engine');
  const names = runtime === undefined ? undefined : listAt(runtime.node, 'engine.functions');
  const declared = new Map(
    (names?.items ?? [])
      .filter(isText)
      .map((name) => [name.value.toUpperCase(), isReplaced(name) ? undefined : name.value]),
  );
  // Names that are misspelt or wrong may be those of functions
  const isTrue =
    clusters !== undefined && runtime !== undefined && isDeclared(runtime.node, 'engine.functions');
  const anywhere: EngineDialect = {
    ...newestDialect,
    declared,
    isKnown: isTrue && ![...clusters.byName.values()].some(mayBeManaged) ? 'supposed' : 'no',
  };
  const known = new Map<string, EngineDialect>();
  return (cluster) => {
    const node = cluster === undefined ? undefined : clusters?.byName.get(cluster.value);
    if (cluster === undefined || node === undefined || cluster.unsure === true)
      return given === undefined ? anywhere : ofVersion({ value: given, says: givenSays(given) }, anywhere);
    const before = known.get(cluster.value);
    if (before !== undefined) return before;
    const facts = { declared, isKnown: isTrue && !mayBeManaged(node) ? 'supposed' : 'no' } as const;
    const made =
      given === undefined
        ? ofCluster(cluster.value, node, facts)
        : ofVersion({ value: given, says: givenSays(given) }, facts);
    known.set(cluster.value, made);
    return made;
  };
}

/** SQL of virtual topics runs on a gateway, whose functions are not known. */
export const gatewayDialect: EngineDialect = { ...newestDialect, isKnown: 'no' };

/** Whether two say the same, although different runs made them. */
export function sameDialect(one: EngineDialect | undefined, other: EngineDialect | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  if (one.release !== other.release || one.says !== other.says || one.isKnown !== other.isKnown) return false;
  return (
    one.declared.size === other.declared.size &&
    [...one.declared].every(([name, written]) => other.declared.get(name) === written)
  );
}

function ofCluster(
  name: string,
  node: TypedNode,
  { declared, isKnown }: Pick<EngineDialect, 'declared' | 'isKnown'>,
): EngineDialect {
  const version = textAt(node, 'version');
  if (version === undefined) return { ...newestDialect, declared, isKnown };
  const says = `the cluster ${quote(name)} is of version ${quote(shownText(version, version.value))}`;
  return ofVersion({ value: version.value, says }, { declared, isKnown });
}

function givenSays(version: string): string {
  return `the given version of the engine is ${quote(version)}`;
}

function ofVersion(
  { value, says }: { readonly value: string; readonly says: string },
  { declared, isKnown }: Pick<EngineDialect, 'declared' | 'isKnown'>,
): EngineDialect {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(value) ?? [];
  if (major === undefined || minor === undefined) return { ...newestDialect, declared, isKnown: 'no' };
  const written = numberOf(`${major}.${minor}`);
  return {
    release: Math.max(
      0,
      engineVersions.findLastIndex((one) => numberOf(one) <= written),
    ),
    says,
    declared,
    isKnown: isKnown === 'supposed' && written <= numberOf(engineVersions.at(-1) ?? '') ? 'stated' : 'no',
  };
}

/** Versions in the order of their numbers: 1.20 after 1.9. */
function numberOf(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 10_000 + minor;
}
