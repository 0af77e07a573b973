import { type ConfigIssue, ConnectorError, type RawConfig } from '@levada/connect-runtime-core';
import type { Predicate } from '@levada/connect-runtime-core/contract';
import type { TransformationStage } from '@levada/connect-runtime-core/host';
import { keysUnder, textOf } from '../port/raw-config.ts';
import type { PluginRegistry } from './plugin-registry.ts';
import { aliasesOf, type StageKind, stagePlugin } from './stage-keys.ts';

/**
 * The transformations of a connector, in their order; undefined without any. Throws one `config_invalid` that lists every problem
 * of making them.
 */
export function transformationStages(
  registry: PluginRegistry,
  config: RawConfig,
): readonly TransformationStage[] | undefined {
  const { stages, issues } = makeStages(registry, config);
  if (issues.length > 0)
    throw new ConnectorError('config_invalid', issues.map(({ message }) => message).join('\n'), { issues });
  return stages.length === 0 ? undefined : stages;
}

/** What shows only when transformations and predicates are made. Classes and keys are looked at before. */
export function stageIssues(registry: PluginRegistry, config: RawConfig): readonly ConfigIssue[] {
  return makeStages(registry, config).issues;
}

interface Made {
  readonly stages: readonly TransformationStage[];
  readonly issues: readonly ConfigIssue[];
}

function makeStages(registry: PluginRegistry, config: RawConfig): Made {
  const issues: ConfigIssue[] = [];
  const make = <K extends StageKind>(kind: K, alias: string) => {
    const plugin = stagePlugin(registry, config, { kind, alias });
    const prefix = `${kind}.${alias}.`;
    const typeKey = `${prefix}type`;
    if (plugin === undefined) {
      const message = `Invalid value ${textOf(config, typeKey) ?? null} for configuration ${typeKey}: there is no such class`;
      issues.push({ key: typeKey, message });
      return undefined;
    }
    try {
      return { className: plugin.className, made: plugin.create(keysUnder(config, prefix)) };
    } catch (thrown) {
      const error = ConnectorError.from(thrown, 'config_invalid');
      const found = error.issues.map((issue) => ({ ...issue, key: prefix + issue.key }));
      issues.push(...(found.length > 0 ? found : [{ key: typeKey, message: error.message }]));
      return undefined;
    }
  };
  const predicates = new Map<string, Predicate>();
  for (const alias of aliasesOf(config, 'predicates')) {
    const predicate = make('predicates', alias);
    if (predicate !== undefined) predicates.set(alias, predicate.made as Predicate);
  }
  const stages: TransformationStage[] = [];
  for (const alias of aliasesOf(config, 'transforms')) {
    const transformation = make('transforms', alias);
    const key = `transforms.${alias}.predicate`;
    const predicateAlias = textOf(config, key)?.trim();
    const predicate = predicateAlias === undefined ? undefined : predicates.get(predicateAlias);
    if (predicateAlias !== undefined && !aliasesOf(config, 'predicates').includes(predicateAlias)) {
      const message = `Invalid value ${predicateAlias} for configuration ${key}: it is not one of the aliases in predicates`;
      issues.push({ key, message });
    }
    if (transformation === undefined) continue;
    stages.push({
      className: transformation.className,
      transformation: transformation.made as TransformationStage['transformation'],
      ...(predicate === undefined ? {} : { predicate }),
      negate: textOf(config, `transforms.${alias}.negate`)?.trim().toLowerCase() === 'true',
    });
  }
  return { stages, issues };
}
