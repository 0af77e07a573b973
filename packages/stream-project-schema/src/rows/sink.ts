import type { ObjectField } from '../fields/field.ts';
import type { ValueOf } from '../fields/field-value.ts';
import { sinkConnectors } from '../fields/vocabulary.ts';

export const sinkField = {
  type: 'object',
  doc: 'The connector that writes to another system.',
  requiredWhen: 'the model has `from` and no `sql`',
  movedFrom: ['models[].connector'],
  fields: {
    connector: {
      type: 'enum',
      values: sinkConnectors,
      otherwise: 'class-name',
      required: true,
      doc: 'Type of connector; `runtime.connect.connector_classes` has the class of each. The class name of any other connector is accepted too.',
      movedFrom: ['models[].sink.type', 'models[].advanced.sink.type'],
    },
    config: {
      type: 'map',
      keys: 'key',
      required: true,
      doc: 'Configuration of the connector, for example `tasks.max`. A mapping of topics to tables is written `<topic>:<table>`. Secrets are written as variables.',
      values: { type: 'any', doc: 'Value of one key.' },
      secretKeys: true,
    },
  },
} as const satisfies ObjectField;

/** The key `sink` of a model. */
export type Sink = ValueOf<typeof sinkField>;
