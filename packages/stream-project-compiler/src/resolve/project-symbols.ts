import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Definition, DefinitionKind } from '../parse/definition.ts';
import { objectAt, textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import type { ParsedProject } from '../parse/parse-project.ts';
import type { TextRange } from '../text/range.ts';
import { rangeAt } from '../text/source-file.ts';
import { type NodeId, nodeId } from './node-id.ts';
import { resolveCodes } from './resolve-codes.ts';

/** Definitions by name, each kind with names of its own, in order of the files. Of those with one name it is the first. */
export type ProjectSymbols = {
  readonly [K in DefinitionKind]: ReadonlyMap<string, Definition<K>>;
} & {
  /** Computed when asked for: most projects name no topic in `from`. */
  readonly topicOwners: () => TopicOwners;
};

/** The names of a project. */
export function projectSymbols(parsed: ParsedProject): ProjectSymbols {
  const [source, model] = [byName(parsed.sources), byName(parsed.models)];
  let owners: TopicOwners | undefined;
  return {
    source,
    model,
    test: byName(parsed.tests),
    exposure: byName(parsed.exposures),
    topicOwners: () => {
      owners ??= topicOwners(model.values(), source.values());
      return owners;
    },
  };
}

function byName<K extends DefinitionKind>(
  definitions: readonly Definition<K>[],
): ReadonlyMap<string, Definition<K>> {
  const named = new Map<string, Definition<K>>();
  for (const definition of definitions) {
    const { name } = definition;
    if (name !== undefined && !named.has(name)) named.set(name, definition);
  }
  return named;
}

/** Reports duplicate names within a kind, and sources and models that share one. */
export function checkNames(parsed: ParsedProject, symbols: ProjectSymbols): readonly Diagnostic[] {
  return [
    ...duplicates(parsed.sources, symbols.source),
    ...duplicates(parsed.models, symbols.model),
    ...duplicates(parsed.tests, symbols.test),
    ...duplicates(parsed.exposures, symbols.exposure),
    ...sharedNames(symbols),
  ];
}

function duplicates<K extends DefinitionKind>(
  definitions: readonly Definition<K>[],
  named: ReadonlyMap<string, Definition<K>>,
): readonly Diagnostic[] {
  return definitions.flatMap((definition) => {
    const first = definition.name === undefined ? undefined : named.get(definition.name);
    if (first === undefined || first === definition) return [];
    const message = `duplicate ${definition.kind} ${quote(definition.name ?? '')}`;
    const related = [{ message: 'first defined here', range: nameRange(first) }];
    return [diagnose(resolveCodes['duplicate-name'], { ...aboutName(definition), message, related })];
  });
}

/** Tables of sources and models are in one catalogue of the engine. */
function sharedNames({ source, model }: ProjectSymbols): readonly Diagnostic[] {
  return [...model].flatMap(([name, definition]) => {
    const other = source.get(name);
    if (other === undefined) return [];
    const message = `model ${quote(name)} has the same name as a source`;
    const related = [{ message: 'source defined here', range: nameRange(other) }];
    return [diagnose(resolveCodes['shared-name'], { ...aboutName(definition), message, related })];
  });
}

function aboutName(definition: Definition): { range: TextRange; path: string; object: string } {
  return { range: nameRange(definition), path: `${definition.path}.name`, object: definition.object };
}

/** Where the name of a definition is written. */
export function nameRange({ file, node }: Definition): TextRange {
  return rangeAt(file, placeOf(node, 'name').span);
}

/** Sources and models by the topic that they have: models before sources, otherwise in order of the files. */
type TopicOwners = ReadonlyMap<string, readonly NodeId[]>;

/**
 * Who has which topic. The topic of a model that says no name has the name of the model, by which it is found anyway. Sources
 * with a `cluster` of their own are left out: their topics are others.
 */
function topicOwners(
  models: Iterable<Definition<'model'>>,
  sources: Iterable<Definition<'source'>>,
): TopicOwners {
  const owners = new Map<string, NodeId[]>();
  const add = (topic: string | undefined, id: NodeId) => {
    if (topic === undefined) return;
    const known = owners.get(topic);
    if (known === undefined) owners.set(topic, [id]);
    else known.push(id);
  };
  for (const model of models) add(topicOfModel(model), nodeId('model', model.name ?? ''));
  for (const { name, value } of sources) {
    if (value?.cluster === undefined) add(value?.topic, nodeId('source', name ?? ''));
  }
  return owners;
}

/** A virtual topic has the name that the gateway serves it by; a sink has no topic. */
function topicOfModel({ node }: Definition<'model'>): string | undefined {
  const own = textAt(node, 'advanced.topic.name')?.value;
  if ((objectAt(node, 'advanced.gateway')?.entries.size ?? 0) > 0) {
    return textAt(node, 'advanced.gateway.virtual_topic.name')?.value ?? own;
  }
  return node.entries.has('from') && !node.entries.has('sql') ? undefined : own;
}
