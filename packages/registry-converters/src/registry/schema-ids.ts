import { conversionFailed, type PreparationContext } from '@levada/connect-runtime-core/converter';
import type { FormatSchema, SchemaFormatName } from '../model/format.ts';
import type { RegisteredSchema, RegistryClient, SchemaToRegister } from './registry-client.ts';

/** How the schema of a record is chosen in the registry. */
export interface IdRule {
  readonly autoRegister: boolean;
  readonly useLatest: boolean;
  /** `use.schema.id`; negative if unset. */
  readonly useId: number;
  readonly normalize: boolean;
}

/** A schema with its id, which precedes values. */
export interface IdentifiedSchema {
  readonly id: number;
  readonly schema: FormatSchema;
}

/**
 * Registers or finds the schema of records. Precedence as in Confluent's serializers: registration, a fixed id, the latest
 * version, a lookup. With a fixed id or the latest version, values are written with that schema.
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
  // Equal Protobuf files may have different texts; only the registry can compare them
  if (format === 'PROTOBUF' && (await client.lookUp(own, context)) === other.id)
    return { id: other.id, schema };
  return { id: other.id, schema: schema.as(other.text) };
}
