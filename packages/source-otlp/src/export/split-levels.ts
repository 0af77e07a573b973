import type { DescMessage } from '@bufbuild/protobuf';
import type { OtlpSchema } from '../model/otlp-schema.ts';
import type { SignalName } from '../model/signals.ts';

/** How the messages of a request lie inside each other, from the request on. */
export interface SplitLevel {
  /** Numbers of the fields in which the messages of the next level are. */
  readonly numbers: ReadonlySet<number>;
  /** Whether there must be one of them alone, since they replace each other. */
  readonly single: boolean;
}

/** The level whose messages are resources' telemetry, e.g. ResourceSpans. */
export const RESOURCE_LEVEL = 0;
/** The level whose messages are spans, metrics or log records. */
export const ITEM_LEVEL = 2;

/** Names of fields, or of the oneof of them. */
const names: Readonly<Record<SignalName, readonly string[]>> = {
  traces: ['resource_spans', 'scope_spans', 'spans'],
  metrics: ['resource_metrics', 'scope_metrics', 'metrics', 'data', 'data_points'],
  logs: ['resource_logs', 'scope_logs', 'log_records'],
  profiles: ['resource_profiles', 'scope_profiles', 'profiles'],
};

/** The levels of a signal's requests. */
export function splitLevels(schema: Pick<OtlpSchema, 'request'>, signal: SignalName): readonly SplitLevel[] {
  let message: DescMessage | undefined = schema.request(signal);
  return names[signal].map((name): SplitLevel => {
    const fields = (message?.fields ?? []).filter(
      (field) => field.name === name || field.oneof?.name === name,
    );
    // the members of the oneof have their points in the same place
    message = fields[0]?.message;
    return {
      numbers: new Set(fields.map(({ number }) => number)),
      single: fields.some(({ oneof }) => oneof !== undefined),
    };
  });
}
