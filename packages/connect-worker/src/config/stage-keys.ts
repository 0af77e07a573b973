import { type ConfigDef, type ConfigKey, configDef, type RawConfig } from '@levada/connect-runtime-core';
import { hiddenText, type Validator } from '@levada/connect-runtime-core/config';
import type { PredicatePlugin, TransformationPlugin } from '@levada/connect-runtime-core/contract';
import { printInMessage, violation } from '@levada/connect-runtime-core/host';
import { textOf } from '../port/raw-config.ts';
import { aliasList } from './connector-validators.ts';
import type { PluginRegistry } from './plugin-registry.ts';

/** Transformations and predicates are configured alike: a list of aliases, and keys below each of them. */
export type StageKind = 'transforms' | 'predicates';

/** Keys of every transformation, beside its own, which they hide. */
const conditionKeys: readonly ConfigKey[] = [
  {
    name: 'predicate',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation:
      'Alias of the predicate that says which records the transformation applies to. Default: all.',
  },
  {
    name: 'negate',
    type: 'boolean',
    default: false,
    importance: 'medium',
    documentation: 'Whether the transformation applies where the predicate does not hold.',
  },
];

const kinds = {
  transforms: { group: 'Transforms', word: 'transformation', port: 'Transformation', implied: conditionKeys },
  predicates: { group: 'Predicates', word: 'predicate', port: 'Predicate', implied: [] },
} as const;

/** The aliases of one kind. */
export function aliasesOf(config: RawConfig, kind: StageKind): readonly string[] {
  return aliasList(textOf(config, kind));
}

/** Takes aliases out of a text that are not written in the configuration itself: references stand for them, perhaps for secrets. */
export function aliasMask(raw: RawConfig, resolved: RawConfig): (text: string) => string {
  const forms = (['transforms', 'predicates'] as const).flatMap((kind) => {
    const written = new Set(aliasesOf(raw, kind));
    const revealed = aliasesOf(resolved, kind).filter((alias) => !written.has(alias));
    return revealed.flatMap((alias) => aliasForms(kind, alias));
  });
  return (text) => forms.reduce((clean, [form, shown]) => clean.replaceAll(form, () => shown), text);
}

/** How the texts of {@link aliasRows} name an alias, and how they do without it. */
function aliasForms(kind: StageKind, alias: string): readonly (readonly [form: string, shown: string])[] {
  const { group, word, port } = kinds[kind];
  const form = (text: (alias: string) => string) => [text(alias), text(hiddenText)] as const;
  return [
    form((name) => `${kind}.${name}.`),
    form((name) => `${group}: ${name}`),
    form((name) => `${word} '${name}'`),
    form((name) => `${port} type for ${name}`),
  ];
}

/** The plugin that an alias names; undefined when there is none of that name and kind. */
export function stagePlugin<K extends StageKind>(
  registry: PluginRegistry,
  config: RawConfig,
  { kind, alias }: { readonly kind: K; readonly alias: string },
): (K extends 'transforms' ? TransformationPlugin : PredicatePlugin) | undefined {
  const name = textOf(config, `${kind}.${alias}.type`)?.trim() ?? '';
  const found = kind === 'transforms' ? registry.findTransformation(name) : registry.findPredicate(name);
  return found as (K extends 'transforms' ? TransformationPlugin : PredicatePlugin) | undefined;
}

/**
 * The keys of all transformations and predicates that a configuration names: `transforms.<alias>.type`, the plugin's own and those
 * of the condition, in the order, groups and words of Kafka Connect.
 */
export function stageKeys(registry: PluginRegistry, config: RawConfig): ConfigDef {
  const rows = new Map<string, ConfigKey>();
  for (const kind of ['transforms', 'predicates'] as const) {
    for (const alias of aliasesOf(config, kind))
      for (const row of aliasRows(registry, config, { kind, alias })) rows.set(row.name, row);
  }
  return configDef([...rows.values()]);
}

function aliasRows(
  registry: PluginRegistry,
  config: RawConfig,
  { kind, alias }: { readonly kind: StageKind; readonly alias: string },
): readonly ConfigKey[] {
  const { group: groupName, word, port, implied } = kinds[kind];
  const prefix = `${kind}.${alias}.`;
  const group = `${groupName}: ${alias}`;
  const installed = kind === 'transforms' ? registry.transformations : registry.predicates;
  const type: ConfigKey = {
    name: `${prefix}type`,
    type: 'class',
    importance: 'high',
    documentation: `Class of the ${word} '${alias}'.`,
    validator: typeValidator(registry, config, { kind, prefix }),
    group,
    order: 0,
    width: 'long',
    displayName: `${port} type for ${alias}`,
    recommend: () => installed.map(({ className }) => className),
  };
  const plugin = stagePlugin(registry, config, { kind, alias });
  if (plugin === undefined) return [type];
  const hidden = new Set<string>(implied.map(({ name }) => name));
  const own = plugin.config.keys.filter(({ name }) => !hidden.has(name));
  const keys = [...implied, ...own].toSorted(inConnectsOrder);
  return [type, ...keys.map((key, index) => embedded(key, { prefix, group, order: index + 1 }))];
}

const importances = ['high', 'medium', 'low'];

/** Required keys first, then by importance, then by name. */
function inConnectsOrder(one: ConfigKey, other: ConfigKey): number {
  const required = Number(one.default !== undefined) - Number(other.default !== undefined);
  if (required !== 0) return required;
  const importance = importances.indexOf(one.importance) - importances.indexOf(other.importance);
  if (importance !== 0) return importance;
  return one.name < other.name ? -1 : 1;
}

/** A plugin's key below its alias. As in Kafka, what its validator says names it without the alias. */
function embedded(
  key: ConfigKey,
  { prefix, group, order }: { readonly prefix: string; readonly group: string; readonly order: number },
): ConfigKey {
  const { validator, displayName = key.name, aliases: _, ...rest } = key;
  const row = { ...rest, name: prefix + key.name, displayName, group, order };
  return validator === undefined ? row : { ...row, validator: named(validator, key.name) };
}

function named(validator: Validator, name: string): Validator {
  return {
    allowed: validator.allowed,
    verbatim: true,
    check: (value) => {
      const found = violation(validator, value);
      if (found === undefined || found.verbatim) return found?.problem;
      return `Invalid value ${printInMessage(value)} for configuration ${name}: ${found.problem}`;
    },
  };
}

function typeValidator(
  registry: PluginRegistry,
  config: RawConfig,
  { kind, prefix }: { readonly kind: StageKind; readonly prefix: string },
): Validator {
  return {
    allowed: `class of a ${kinds[kind].word}`,
    verbatim: true,
    check: (value) => {
      const problem =
        typeof value === 'string'
          ? classProblem(registry, kind, { name: value, key: `${prefix}type` })
          : undefined;
      const negated =
        Object.hasOwn(config, `${prefix}negate`) && !Object.hasOwn(config, `${prefix}predicate`);
      if (kind === 'predicates' || !negated) return problem;
      const orphan = `Config '${prefix}negate' was provided but there is no config '${prefix}predicate' defining a predicate to be negated.`;
      return problem === undefined ? orphan : `${problem}\n${orphan}`;
    },
  };
}

function classProblem(
  registry: PluginRegistry,
  kind: StageKind,
  { name, key }: { readonly name: string; readonly key: string },
): string | undefined {
  const found = kind === 'transforms' ? registry.findTransformation(name) : registry.findPredicate(name);
  if (found !== undefined) return undefined;
  const nested = [`${name}$Value`, `${name}$Key`].filter(
    (one) => registry.findTransformation(one) !== undefined,
  );
  if (nested.length > 0)
    return `This class is abstract and cannot be created. Did you mean ${nested.join(', ')}?`;
  const other = registry.fullName(name);
  if (other !== undefined) return `Class class ${other} does not implement the ${kinds[kind].port} interface`;
  return `Invalid value ${name} for configuration ${key}: Class ${name} could not be found.`;
}
