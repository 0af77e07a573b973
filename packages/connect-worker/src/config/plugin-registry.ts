import type {
  AnySourceConnector,
  PredicatePlugin,
  TransformationPlugin,
} from '@levada/connect-runtime-core/contract';
import type { ConverterPlugin } from '@levada/connect-runtime-core/converter';
import type { ConnectorPlugin } from '../port/connect-runtime.ts';
import type { PluginInfo } from '../port/herder.ts';
import { HerderError } from '../port/herder-error.ts';

/** Plugins of one kind by every name that is accepted: full, simple, and simple without the kind's suffix. */
class Names<P extends { readonly className: string; readonly aliases?: readonly string[] }> {
  readonly #byName = new Map<string, Map<string, P>>();

  constructor(plugins: readonly P[], suffix: string) {
    for (const plugin of plugins) {
      for (const fullName of [plugin.className, ...(plugin.aliases ?? [])]) {
        const simple = simpleName(fullName);
        for (const name of new Set([fullName, simple, withoutSuffix(simple, suffix)])) {
          const found = this.#byName.get(name) ?? new Map<string, P>();
          this.#byName.set(name, found.set(plugin.className, plugin));
        }
      }
    }
  }

  /** Every plugin that goes by this name; a full name always belongs to one alone. */
  find(name: string): readonly P[] {
    return [...(this.#byName.get(name)?.values() ?? [])];
  }
}

/** Plugins that a worker may be without. */
export interface StagePlugins {
  readonly transformations?: readonly TransformationPlugin[] | undefined;
  readonly predicates?: readonly PredicatePlugin[] | undefined;
}

/** The plugins of a worker, from explicit lists. Nothing is loaded by name. */
export class PluginRegistry {
  readonly connectors: readonly ConnectorPlugin[];
  readonly converters: readonly ConverterPlugin[];
  readonly transformations: readonly TransformationPlugin[];
  readonly predicates: readonly PredicatePlugin[];
  readonly #connectorNames: Names<ConnectorPlugin>;
  readonly #converterNames: Names<ConverterPlugin>;
  readonly #transformationNames: Names<TransformationPlugin>;
  readonly #predicateNames: Names<PredicatePlugin>;

  constructor(
    connectors: readonly ConnectorPlugin[],
    converters: readonly ConverterPlugin[],
    stages: StagePlugins = {},
  ) {
    const { transformations = [], predicates = [] } = stages;
    this.connectors = connectors;
    this.converters = converters;
    this.transformations = transformations;
    this.predicates = predicates;
    this.#connectorNames = new Names(connectors, 'Connector');
    this.#converterNames = new Names(converters, 'Converter');
    this.#transformationNames = new Names(transformations, 'Transformation');
    this.#predicateNames = new Names(predicates, 'Predicate');
  }

  /** The connector of a name. Throws a HerderError with Kafka Connect's message when there is none, or more than one. */
  connector(name: string): AnySourceConnector {
    const [found, ...others] = this.#connectorNames.find(name);
    if (found !== undefined && others.length === 0) return loaded(found);
    if (found !== undefined) {
      const classes = [found, ...others].map(({ className }) => className).join(', ');
      throw new HerderError(
        'unknown_class',
        `More than one connector matches alias ${name}. Please use full package and class name instead. Classes found: ${classes}`,
      );
    }
    const available = this.connectors.map(describe).join(', ');
    throw new HerderError(
      'unknown_class',
      `Failed to find any class that implements Connector and which name matches ${name}, available connectors are: ${available}`,
    );
  }

  /** The connector of a name, or undefined when there is not exactly one. */
  findConnector(name: string): AnySourceConnector | undefined {
    const [found, ...others] = this.#connectorNames.find(name);
    return found === undefined || others.length > 0 ? undefined : loaded(found);
  }

  /** The converter of a name, or undefined when there is not exactly one. */
  findConverter(name: string): ConverterPlugin | undefined {
    const [found, ...others] = this.#converterNames.find(name);
    return others.length === 0 ? found : undefined;
  }

  /** The transformation of a name, or undefined when there is not exactly one. */
  findTransformation(name: string): TransformationPlugin | undefined {
    const [found, ...others] = this.#transformationNames.find(name);
    return others.length === 0 ? found : undefined;
  }

  /** The predicate of a name, or undefined when there is not exactly one. */
  findPredicate(name: string): PredicatePlugin | undefined {
    const [found, ...others] = this.#predicateNames.find(name);
    return others.length === 0 ? found : undefined;
  }

  /** Full class name of whatever plugin goes by a name. */
  fullName(name: string): string | undefined {
    const [connector, ...others] = this.#connectorNames.find(name);
    const plugin = (others.length === 0 ? connector : undefined) ?? this.findConverter(name);
    return (plugin ?? this.findTransformation(name) ?? this.findPredicate(name))?.className;
  }

  /** Full names of the connector that goes by a name, its aliases included; empty without one. */
  allNames(name: string): readonly string[] {
    return this.#connectorNames.find(name).flatMap(({ className, aliases = [] }) => [className, ...aliases]);
  }

  /** As `/connector-plugins` lists them. What states no version carries that of the worker. */
  list(workerVersion: string, connectorsOnly: boolean): readonly PluginInfo[] {
    const sources = this.connectors.map(
      ({ className, version }): PluginInfo => ({ className, type: 'source', version }),
    );
    if (connectorsOnly) return sources;
    const converterInfo = (type: 'converter' | 'header_converter') => (converter: ConverterPlugin) => ({
      className: converter.className,
      type,
      version: converter.version ?? workerVersion,
    });
    const forRecords = this.converters.filter((converter) => converter.limitedTo !== 'headers');
    const forHeaders = this.converters.filter((converter) => converter.limitedTo !== 'records');
    const stageInfo =
      (type: 'transformation' | 'predicate') =>
      ({ className, version = workerVersion }: TransformationPlugin | PredicatePlugin): PluginInfo => ({
        className,
        type,
        version,
      });
    return [
      ...sources,
      ...this.transformations.map(stageInfo('transformation')),
      ...this.predicates.map(stageInfo('predicate')),
      ...forRecords.map(converterInfo('converter')),
      ...forHeaders.map(converterInfo('header_converter')),
    ];
  }
}

/** The last part of a full class name. Of a class within another one that is its own name, as in Java. */
export function simpleName(className: string): string {
  return className.slice(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
}

function withoutSuffix(name: string, suffix: string): string {
  return name.endsWith(suffix) && name !== suffix ? name.slice(0, -suffix.length) : name;
}

function loaded(plugin: ConnectorPlugin): AnySourceConnector {
  return 'load' in plugin ? plugin.load() : plugin;
}

function describe({ className, version }: ConnectorPlugin): string {
  return `PluginDesc{klass=class ${className}, name='${className}', version='${version}', type=source}`;
}
