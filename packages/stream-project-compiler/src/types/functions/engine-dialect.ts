import { engineFunctionNames } from './engine-functions.ts';
import { constructsSince, functionsSince } from './since-version.ts';

/** Features of an engine beyond the grammar that all versions share. */
export interface EngineDialect {
  /** Index in {@link engineVersions} of the version whose functions it has. */
  readonly release: number;
  /** As messages say it: `the cluster "main" is of version "1.20"`. Undefined where nothing says a version. */
  readonly says: string | undefined;
  /**
   * Whether all its functions are known. `stated`: it says a version whose functions are. `supposed`: nothing says a version, and the
   * newest is taken for it. `no`: it has others, as managed services and gateways do.
   */
  readonly isKnown: 'stated' | 'supposed' | 'no';
  /** Functions that the project names, in upper case; as they are written, where no variable is part of it. */
  readonly declared: ReadonlyMap<string, string | undefined>;
}

/** Something of SQL that not every version has. */
export type Construct = keyof typeof constructsSince;

/** The versions whose functions are known, oldest first. */
export const engineVersions = Object.keys(functionsSince) as readonly (keyof typeof functionsSince)[];

/** The newest engine that is known, without functions of users. */
export const newestDialect: EngineDialect = {
  release: engineVersions.length - 1,
  says: undefined,
  isKnown: 'supposed',
  declared: new Map(),
};

const RELEASES: ReadonlyMap<string, number> = new Map(
  engineVersions.flatMap((version, release) =>
    functionsSince[version].split(' ').map((name): [string, number] => [name, release]),
  ),
);

/** Since which version the engine has a function, as an index; undefined where no version has it. `name` in upper case. */
export function releaseOf(name: string): number | undefined {
  return RELEASES.get(name);
}

/** The first version that has a construct, where the engine is older; else undefined. */
export function lacks({ release }: EngineDialect, construct: Construct): string | undefined {
  const since = constructsSince[construct];
  return engineVersions.indexOf(since) > release ? since : undefined;
}

/** Functions that a misspelt name may mean. */
export function callableNames({ release, declared }: EngineDialect): readonly string[] {
  const own = engineFunctionNames.filter((name) => (RELEASES.get(name) ?? 0) <= release);
  return [...own, ...[...declared.values()].filter((name) => name !== undefined)];
}
