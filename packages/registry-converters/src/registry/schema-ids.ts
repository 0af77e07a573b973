import { conversionFailed, type PreparationContext } from '@levada/connect-runtime-core/converter';
import type { FormatSchema, SchemaFormatName } from '../model/format.ts';
import type { RegisteredSchema, RegistryClient, SchemaToRegister } from './registry-client.ts';

/** Which schema of the registry a record refers to. */
export interface IdRule {
  readonly autoRegister: boolean;
  readonly useLatest: boolean;
  /** `use.schema.id`; negative for none. */
  readonly useId: number;
  readonly normalize: boolean;
}

/** A schema with the id that goes before its values. */
export interface IdentifiedSchema {
  readonly id: number;
  readonly schema: FormatSchema;
}

/**
 * Registers or finds the schema of records, in the order of Confluent's serializers: registering wins over a fixed id, that over
 * the latest version, and that over looking it up. With the last but one the values are written as that schema has them.
 */
export async function identify(
  client: RegistryClient,
  rule: IdRule,
  {
    subject,
    format,
    schema,
  }: {
    readonly subject: string;
    readonly format: SchemaFormatName;
    readonly schema: FormatSchema;
  },
  context: PreparationContext,
): Promise<IdentifiedSchema> {
  const own: SchemaToRegister = { subject, format, text: schema.text, normalize: rule.normalize };
  if (rule.autoRegister) return { id: await client.register(own, context), schema };
  if (rule.useId < 0 && !rule.useLatest) return { id: await client.lookUp(own, context), schema };
  const other: RegisteredSchema =
    rule.useId >= 0 ? await client.byId(rule.useId, context) : await client.latest(subject, context);
  if (other.format !== format) {
    throw conversionFailed(
      `schema ${other.id} of the registry is ${other.format}, this converter writes ${format}`,
    );
  }
  if (other.text === schema.text) return { id: other.id, schema };
  // The text of a Protobuf file may differ although it says the same, which only the registry can tell.
  if (format === 'PROTOBUF' && (await client.lookUp(own, context)) === other.id)
    return { id: other.id, schema };
  return { id: other.id, schema: schema.as(other.text) };
}
