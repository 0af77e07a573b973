import type { ObjectField } from '../fields/field.ts';
import { compressions, deliveryGuarantees, jobStarts, stateBackends } from '../fields/vocabulary.ts';
import { latenessFields } from './event-time.ts';
import { sinkField } from './sink.ts';
import { partitions, replicationFactor } from './topic-numbers.ts';

const engine = {
  type: 'object',
  doc: 'Settings of the job.',
  movedFrom: ['models[].engine'],
  fields: {
    parallelism: {
      type: 'integer',
      min: 1,
      max: 32_768,
      doc: 'Number of parallel instances.',
      movedFrom: ['models[].parallelism', 'models[].advanced.parallelism'],
    },
    checkpoint_interval_ms: {
      type: 'integer',
      min: 10,
      unit: 'ms',
      doc: 'Time between checkpoints, in milliseconds. Default: a minute.',
      movedFrom: ['models[].advanced.engine.checkpoint_interval'],
    },
    state_backend: { type: 'enum', values: stateBackends, status: 'parsed', doc: 'Where state is kept.' },
    state_ttl_ms: {
      type: 'integer',
      min: 1,
      unit: 'ms',
      doc: 'How long idle state is kept, in milliseconds: 86400000 is a day.',
      movedFrom: ['models[].advanced.engine.state_ttl'],
    },
    start: {
      type: 'enum',
      values: jobStarts,
      default: 'earliest',
      status: 'extension',
      doc: 'Where the job begins to read when it has no state. Topics with the latest row of each key are always read from the beginning.',
    },
    start_timestamp_ms: {
      type: 'integer',
      min: 0,
      unit: 'ms',
      status: 'extension',
      doc: 'In place of `start`: the job begins with records that have this timestamp or a later one, in milliseconds since 1970.',
    },
    delivery: {
      type: 'enum',
      values: deliveryGuarantees,
      default: 'at_least_once',
      status: 'extension',
      doc: 'What happens to records when the job fails and goes back to a checkpoint.',
    },
    ends_job: {
      type: 'boolean',
      status: 'extension',
      doc: 'Whether models that read this one do so through its topic, in jobs of their own unless other models connect them. Default: false, models of a cluster that read one another are one job.',
    },
    checkpoint_timeout_ms: {
      type: 'integer',
      min: 1,
      unit: 'ms',
      status: 'planned',
      doc: 'How long a checkpoint may take, in milliseconds.',
    },
    checkpoint_min_pause_ms: {
      type: 'integer',
      min: 0,
      unit: 'ms',
      status: 'planned',
      doc: 'Shortest time between two checkpoints, in milliseconds.',
    },
    max_concurrent_checkpoints: {
      type: 'integer',
      min: 1,
      status: 'planned',
      doc: 'Checkpoints that may run at the same time.',
    },
  },
  constraints: [
    {
      kind: 'excludes',
      keys: ['start', 'start_timestamp_ms'],
      message: 'a job begins at "start" or at "start_timestamp_ms", not both',
    },
  ],
} as const satisfies ObjectField;

const topic = {
  type: 'object',
  doc: 'The output topic.',
  movedFrom: ['models[].topic'],
  fields: {
    name: {
      type: 'text',
      notEmpty: true,
      format: 'topic',
      doc: 'Name of the topic. Default: the name of the model.',
    },
    partitions: { ...partitions, movedFrom: ['models[].partitions'] },
    replication_factor: {
      ...replicationFactor,
      movedFrom: ['models[].replication_factor', 'models[].replicas', 'models[].advanced.topic.replicas'],
    },
    config: {
      type: 'map',
      keys: 'key',
      keyFormat: 'config-key',
      doc: 'Configuration of the topic.',
      values: { type: 'scalar', doc: 'Value of one key.' },
      movedFrom: ['defaults.models.topic.config', 'defaults.topic.config'],
    },
  },
} as const satisfies ObjectField;

const eventTime = {
  type: 'object',
  doc: 'Event time and watermark of the output.',
  movedFrom: ['models[].event_time'],
  fields: {
    column: {
      type: 'text',
      notEmpty: true,
      refersTo: 'column',
      status: 'extension',
      movedFrom: ['models[].advanced.event_time.field'],
      doc: 'Column that holds the event time. Default: the event time that comes through from upstream.',
    },
    ...latenessFields,
  },
} as const satisfies ObjectField;

const gateway = {
  type: 'object',
  doc: 'Settings of the gateway. A model that has them is a virtual topic.',
  movedFrom: ['models[].gateway', 'models[].virtual_topic', 'models[].advanced.virtual_topic'],
  fields: {
    virtual_topic: {
      type: 'object',
      doc: 'The virtual topic.',
      fields: {
        name: { type: 'text', notEmpty: true, format: 'topic', doc: 'Name of the virtual topic.' },
        compression: { type: 'enum', values: compressions, doc: 'Compression of what the gateway serves.' },
      },
    },
  },
} as const satisfies ObjectField;

export const modelAdvancedField = {
  type: 'object',
  doc: 'What most models can leave to defaults.',
  fields: {
    engine,
    engine_cluster: {
      type: 'text',
      refersTo: 'engine-cluster',
      doc: 'Engine cluster that runs the job.',
      movedFrom: ['models[].engine_cluster', 'models[].cluster', 'models[].advanced.engine.cluster'],
    },
    topic,
    connect_cluster: {
      type: 'text',
      refersTo: 'connect-cluster',
      doc: 'Cluster of the connector runtime that runs the sink.',
      movedFrom: ['models[].connect_cluster', 'models[].sink.cluster', 'models[].advanced.sink.cluster'],
    },
    event_time: eventTime,
    gateway,
    sink: {
      ...sinkField,
      doc: 'The same as `sink` of the model.',
      movedFrom: ['models[].advanced.connector'],
    },
  },
} as const satisfies ObjectField;
