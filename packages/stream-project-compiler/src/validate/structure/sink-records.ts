import { connectorClasses, sinkOf } from '../../artifacts/sinks/connector-file.ts';
import {
  inputFormats,
  isChanging,
  type SinkNeeds,
  shared,
  sinkNeeds,
} from '../../artifacts/sinks/sink-inputs.ts';
import type { TopicFormat } from '../../artifacts/sinks/topic-format.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { InferredProject } from '../../infer/infer-project.ts';
import { modelMasks } from '../../infer/masks.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import { shownText } from '../../resolve/place-in-file.ts';
import type { Reference } from '../../resolve/reference.ts';
import type { ResolvedModel } from '../../resolve/resolved-project.ts';
import { at, atReference, finding, type Place } from '../finding.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { securityCodes } from '../security/security-codes.ts';
import { sinkCodes } from './sink-codes.ts';

/** A sink, with the configuration that its project writes. */
interface CheckedSink {
  readonly model: ResolvedModel;
  readonly name: string;
  readonly connector: string;
  readonly needs: SinkNeeds;
  readonly config: ReadonlyMap<string, string>;
  /** The place of a key of the configuration, or of the connector where the key is not written. */
  readonly atKey: (key: string) => Place;
}

/** Several rules look at them. */
function sinksOf({ project, memory }: RuleContext): readonly CheckedSink[] {
  return memory.recall(checkedSinks, project, []);
}

function checkedSinks(project: InferredProject): readonly CheckedSink[] {
  const classes = connectorClasses(project);
  return [...project.resolved.models.values()].flatMap((model): readonly CheckedSink[] => {
    if (project.materialized.get(model.name)?.kind !== 'sink') return [];
    const { connector, config } = sinkOf(model);
    if (connector === undefined) return [];
    const { definition } = model;
    const sink = placeOf(definition.node, 'sink').node === undefined ? ['advanced', 'sink'] : ['sink'];
    return [
      {
        model,
        name: shownText(placeOf(definition.node, 'name').node, model.name),
        connector,
        needs: sinkNeeds(connector, classes.get(connector) ?? connector),
        config: config.texts,
        atKey: (key) =>
          at(definition, [...sink, ...(config.texts.has(key) ? ['config', key] : ['connector'])]),
      },
    ];
  });
}

const words = { avro: 'Avro', json: 'JSON', protobuf: 'Protobuf' } as const;
const keyWords = { avro: 'Avro', json: 'JSON', text: 'text' } as const;

/** A connector gets records that one converter reads, with a schema if it needs one. */
export const sinkRecords: Rule = (context) =>
  sinksOf(context).flatMap((sink) => {
    const { model, name, needs, config } = sink;
    const { project } = context;
    if (needs.withoutSchema === 'never' && !config.has('value.converter')) {
      const inputs = model.inputs.flatMap((input) => {
        const [format] =
          input.target === undefined ? [] : (inputFormats(project, { ...model, inputs: [input] }) ?? []);
        const { value } = format ?? {};
        return format === undefined || value === undefined || value === 'avro' || format.hasSchema
          ? []
          : [{ input, format, value }];
      });
      const missing = inputs.filter(({ value, format }) => value === 'json' || format.isWritten);
      if (missing.length > 0) return missing.map((one) => withoutSchema(sink, one));
    }
    const formats = inputFormats(project, model) ?? [];
    const differing = (['value', 'key'] as const).flatMap((part) => {
      if (config.has(`${part}.converter`)) return [];
      const known = formats.flatMap((format) => wordOf(format, part) ?? []);
      const found = new Set(known);
      return found.size > 1 ? [`${part}s in ${[...found].sort().join(' and ')}`] : [];
    });
    if (differing.length === 0) return [];
    return [
      finding(sinkCodes['sink-formats'], atFrom(model), {
        message: `sink ${quote(name)} reads topics with ${differing.join(', and with ')}, and a connector has one converter for all of them`,
        hint: 'give the models the same "schema", or write a sink for each format',
      }),
    ];
  });

/** Keys of records without one fit every format. */
function wordOf({ value, key, hasSchema }: TopicFormat, part: 'key' | 'value'): string | undefined {
  if (part === 'value' && value === 'json' && hasSchema) return 'JSON with schemas';
  if (part === 'value') return value === undefined ? undefined : words[value];
  return key === undefined || key === 'none' ? undefined : keyWords[key];
}

function atFrom({ definition }: ResolvedModel): Place {
  return at(definition, 'from');
}

interface MissingSchema {
  readonly input: Reference;
  readonly format: TopicFormat;
  readonly value: 'json' | 'protobuf';
}

function withoutSchema(
  { model, name, connector }: CheckedSink,
  { input, format, value }: MissingSchema,
): Diagnostic {
  const of = nodeName(format.node);
  const hint = format.isWritten
    ? `write ${format.rows === 'changelog' ? 'a "key" and ' : ''}"schema: { format: avro }" in model ${quote(of)}`
    : 'select from it in a model with "schema: { format: avro }", and read that model';
  return finding(sinkCodes['sink-needs-schema'], atReference(model.definition, input), {
    message: `sink ${quote(name)} reads ${quote(input.shown)}, whose records are ${words[value]} without a schema, and ${quote(connector)} needs one`,
    hint,
  });
}

function nodeName(node: NodeId): string {
  return node.slice(node.indexOf(':') + 1);
}

/** A connector for tables finds the rows that it replaces and deletes. */
export const sinkKeys: Rule = (context) =>
  sinksOf(context).flatMap((sink) => {
    const { model, needs, config } = sink;
    const formats = inputFormats(context.project, model);
    if (needs.table === undefined || formats === undefined || formats.length === 0) return [];
    const changing = formats.filter(isChanging);
    const types = [...config].flatMap(([key, value]) => (/^transforms\..*\.type$/.test(key) ? value : []));
    // It may drop deletions, or make other keys
    if (types.some((type) => /Filter|ValueToKey/.test(type))) return [];
    if (changing.length === 0) return keyOfRows(sink, formats, needs.table);
    const enveloped = types.length > 0 ? undefined : changing.find((format) => isEnveloped(format, sink));
    if (enveloped !== undefined) return [envelope(sink, enveloped)];
    const unfit = changing.find(({ key }) => key !== undefined && key !== 'avro');
    return deletions(sink, unfit ?? (changing[0] as TopicFormat), needs.table);
  });

type TableKeys = NonNullable<SinkNeeds['table']>;

/** Whether the connector gets changes with the row before and after, which it writes as a row. Values without a schema are reported anyway. */
function isEnveloped({ rows, value, hasSchema }: TopicFormat, { needs, config }: CheckedSink): boolean {
  if (rows !== 'changelog' || needs.table?.readsChanges === true) return false;
  return value === 'avro' || hasSchema || config.has('value.converter');
}

function envelope({ name, connector, model }: CheckedSink, { node }: TopicFormat): Diagnostic {
  return finding(sinkCodes['sink-deletions'], atFrom(model), {
    message: `sink ${quote(name)} reads ${nodeWords(node)}, whose records hold the row before and after each change, which ${quote(connector)} takes for columns`,
    hint: 'name "io.debezium.transforms.ExtractNewRecordState" in "transforms" of "sink.config"',
  });
}

function nodeWords(node: NodeId): string {
  return `${node.slice(0, node.indexOf(':'))} ${quote(nodeName(node))}`;
}

function deletions(
  { name, config, atKey, model }: CheckedSink,
  { node, key, isWritten }: TopicFormat,
  { keyMode }: TableKeys,
): readonly Diagnostic[] {
  const subject = `sink ${quote(name)} reads ${nodeWords(node)}, whose rows are updated and deleted`;
  if ((key === 'text' || key === 'json') && !config.has('key.converter')) {
    const schema = '"schema: { format: avro, key_format: avro }"';
    return [
      finding(sinkCodes['sink-deletions'], atFrom(model), {
        message: `${subject}, but keys in ${keyWords[key]} have no schema, so that the connector does not find the row`,
        hint: isWritten
          ? `write ${schema} in model ${quote(nodeName(node))}`
          : `select from it in a model with ${schema}, and read that model`,
      }),
    ];
  }
  const needed = { 'insert.mode': 'upsert', 'delete.enabled': 'true', [keyMode]: 'record_key' };
  return Object.entries(needed).flatMap(([one, value]) => {
    const given = config.get(one);
    if (given === undefined || given.trim().toLowerCase() === value || given.includes('${')) return [];
    return [
      finding(sinkCodes['sink-deletions'], atKey(one), {
        message: `${subject}, which needs "${one}: ${value}"`,
        hint: `remove ${quote(one)}, or write "${one}: ${value}"`,
      }),
    ];
  });
}

function keyOfRows(
  { name, config, atKey }: CheckedSink,
  formats: readonly TopicFormat[],
  { keyMode }: TableKeys,
): readonly Diagnostic[] {
  const mode = config.get(keyMode);
  const report = (key: string, message: string, hint: string) => [
    finding(sinkCodes['sink-key'], atKey(key), { message: `sink ${quote(name)} ${message}`, hint }),
  ];
  if (config.get('delete.enabled') === 'true' && mode !== undefined && mode !== 'record_key') {
    const hint = `write "${keyMode}: record_key", or remove "delete.enabled"`;
    return report('delete.enabled', `deletes rows, which needs "${keyMode}: record_key"`, hint);
  }
  const isUpsert = config.get('insert.mode') === 'upsert';
  if (!isUpsert || mode !== undefined || shared(formats, ({ key }) => key) === 'avro') return [];
  const columns = shared(formats, ({ keyColumns }) => keyColumns.join(','));
  if (columns !== '' && columns !== undefined) return [];
  const isKnown = formats.every(({ isWritten }) => isWritten);
  const hint = isKnown
    ? `name a "key" in the model that it reads, or "${keyMode}" in "sink.config"`
    : `name "${keyMode}" in "sink.config"`;
  return report('insert.mode', 'replaces rows by a key ("insert.mode: upsert"), and none is known', hint);
}

/** No record is skipped without a trace. */
export const sinkErrors: Rule = (context) =>
  sinksOf(context).flatMap(({ model, name, config, atKey }) => {
    const topic = 'errors.deadletterqueue.topic.name';
    if ((config.get(topic) ?? '') !== '') {
      const masks = modelMasks(model.definition).masks.filter(({ roles }) => roles === undefined);
      return masks.map((mask) => {
        const column = shownText(placeOf(model.definition.node, `${mask.path}.column`).node, mask.column);
        return finding(securityCodes['dead-letters-unmasked'], atKey(topic), {
          message: `dead letters of sink ${quote(name)} have column ${quote(column)}, which the sink masks, in clear`,
          hint: 'mask the column in the model that the sink reads, or protect the topic as that of the model',
        });
      });
    }
    if (config.get('errors.tolerance')?.trim().toLowerCase() !== 'all') return [];
    return [
      finding(sinkCodes['sink-drops-records'], atKey('errors.tolerance'), {
        message: `sink ${quote(name)} skips records that it cannot read, and nothing keeps them`,
        hint: 'name a topic in "errors.deadletterqueue.topic.name", or remove "errors.tolerance"',
      }),
    ];
  });
