import { type Clock, type Schema, systemClock } from '@levada/connect-runtime-core';
import type { Converter, PreparationContext } from '@levada/connect-runtime-core/converter';
import { registryConverters } from '../src/index.ts';

/** The converter with this simple class name. */
export function makeConverter(
  simpleName: string,
  config: Readonly<Record<string, string>>,
  isKey = false,
): Converter {
  const plugin = registryConverters.find(({ className }) => className.endsWith(`.${simpleName}`));
  if (plugin === undefined) throw new Error(`no converter ${simpleName}`);
  return plugin.create(config, isKey);
}

/** The context that delivery passes to a converter. */
export function contextWith(clock: Clock = systemClock, signal?: AbortSignal): PreparationContext {
  return { clock, signal: signal ?? new AbortController().signal, environment: {} };
}

interface ConnectRecord {
  readonly topic: string;
  readonly schema: Schema | null;
  readonly value: unknown;
}

/** Converts one value as delivery does. */
export async function convert(
  converter: Converter,
  { topic, schema, value }: ConnectRecord,
  context: PreparationContext = contextWith(),
): Promise<Buffer | null> {
  const { preparation } = converter;
  if (preparation?.knows({ topic, schema, value }) === false)
    await preparation.prepare({ topic, schema, value }, context);
  const bytes = converter.fromConnectData(topic, schema, value);
  return bytes === null ? null : Buffer.from(bytes);
}
