import type { Definition } from '../parse/definition.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { ProjectSymbols } from './project-symbols.ts';
import { meansTheSame } from './read-references.ts';
import type { Reference } from './reference.ts';
import type { ResolvedExposure, ResolvedModel, ResolvedProject, ResolvedTest } from './resolved-project.ts';

/** The earlier result for a definition, if it still holds and had no findings. */
export interface EarlierDefinitions {
  readonly model: (definition: Definition<'model'>) => ResolvedModel | undefined;
  readonly test: (definition: Definition<'test'>) => ResolvedTest | undefined;
  readonly exposure: (definition: Definition<'exposure'>) => ResolvedExposure | undefined;
}

const nothing: EarlierDefinitions = {
  model: () => undefined,
  test: () => undefined,
  exposure: () => undefined,
};

/**
 * Definitions of an earlier call that need not be resolved again: the same in their files, while sources and models have the
 * same names and the sections that settings come from are the same. Those with findings are left out, because hints look at
 * more than names.
 */
export function earlierDefinitions(
  previous: ResolvedProject | undefined,
  { parsed, symbols }: { readonly parsed: ParsedProject; readonly symbols: ProjectSymbols },
): EarlierDefinitions {
  if (previous === undefined) return nothing;
  const before = previous.parsed;
  const sameSections = before.defaults === parsed.defaults && before.runtime === parsed.runtime;
  if (!sameSections || before.complete !== parsed.complete) return nothing;
  if (!sameKeys(previous.sources, symbols.source) || !sameKeys(previous.models, symbols.model))
    return nothing;
  return {
    model: (definition) => {
      const found = unchanged(previous.models, definition);
      return found?.inputs.every((input) => meansTheSame(input, definition, symbols)) === true
        ? found
        : undefined;
    },
    test: (definition) => unchanged(previous.tests, definition),
    exposure: (definition) => unchanged(previous.exposures, definition),
  };
}

function unchanged<T extends { readonly definition: Definition; readonly hasFindings: boolean }>(
  earlier: ReadonlyMap<string, T>,
  definition: Definition,
): T | undefined {
  const found = earlier.get(definition.name ?? '');
  return found?.definition === definition && !found.hasFindings ? found : undefined;
}

function sameKeys(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean {
  return one.size === other.size && [...one.keys()].every((name) => other.has(name));
}

type Nodes = Pick<ResolvedProject, 'models' | 'exposures'>;

/** Whether the nodes of two projects have the same order and read the same, so that all that follows from edges is the same. */
export function sameGraph(one: Nodes, other: Nodes): boolean {
  return (
    sameNodes(one.models, other.models, readsSame) && sameNodes(one.exposures, other.exposures, consumesSame)
  );
}

function sameNodes<T>(
  one: ReadonlyMap<string, T>,
  other: ReadonlyMap<string, T>,
  isSame: (node: T, now: T) => boolean,
): boolean {
  if (one.size !== other.size) return false;
  const others = other[Symbol.iterator]();
  for (const [name, node] of one) {
    const next = others.next();
    if (next.done === true || next.value[0] !== name) return false;
    if (next.value[1] !== node && !isSame(node, next.value[1])) return false;
  }
  return true;
}

function readsSame(one: ResolvedModel, other: ResolvedModel): boolean {
  return sameTargets(one.inputs, other.inputs);
}

function consumesSame(one: ResolvedExposure, other: ResolvedExposure): boolean {
  return sameTargets(one.consumes, other.consumes) && sameTargets(one.produces, other.produces);
}

function sameTargets(one: readonly Reference[], other: readonly Reference[]): boolean {
  return one.length === other.length && one.every(({ target }, index) => target === other[index]?.target);
}
