import type { DescMessage } from '@bufbuild/protobuf';
import { type SplitLevel, splitMessage } from '@levada/protobuf-tables';
import type { OtlpSchema } from '../model/otlp-schema.ts';
import type { ExportPart } from '../model/prepared-export.ts';
import type { SignalName } from '../model/signals.ts';
import { signalNames } from '../model/signals.ts';

/** How a request is divided. */
export interface SplitOptions {
  /** `request`: only as far as `maxBytes` demands. `resource`: one part per resource. `item`: one per span, metric or log record. */
  readonly mode: 'request' | 'resource' | 'item';
  /** Whether a part is small enough to become one record. Asked for each part; a part that is not is divided further. */
  readonly fits: (part: Uint8Array) => boolean;
}

/** What a request becomes. */
export interface SplitExport {
  /** In the order of the request, those that fit. Together with what was too large they hold each item once. */
  readonly parts: readonly ExportPart[];
  /**
   * Items of parts that cannot be divided and do not fit, and those that come after parts of 64 MiB, or four times the request if
   * that is more: a large resource in front of many small items would otherwise become as many copies of it.
   */
  readonly oversized: number;
  /** Resources and scopes without items that are in no part. */
  readonly empty: number;
}

/**
 * Divides a valid export request by resources, then scopes, then items; a part keeps its resource, scope and schema URLs, and
 * unknown fields beside them. Halves lists instead of cutting out single items, so that parts stay as large as they may be.
 * Metrics are divided down to single data points, each with the metric's name, unit and temporality; one whose points are of
 * two kinds is not divided. A metric without points is kept: its name, description and unit are what was sent. Profiles are never
 * divided, since they share one dictionary. Resources and scopes without items become no part of their own. A part that is the
 * whole request may be the same bytes; others have their own memory.
 */
export type SplitExportRequest = (
  signal: SignalName,
  request: Uint8Array,
  options: SplitOptions,
) => SplitExport;

/** Makes the splitter from the schema. What it returns is synchronous. */
export function createSplitExport(schema: Pick<OtlpSchema, 'request'>): SplitExportRequest {
  const levels = new Map(signalNames.map((signal) => [signal, splitLevels(schema, signal)]));
  return (signal, request, { mode, fits }) => {
    const divides = signal !== 'profiles';
    const split = splitMessage(request, {
      levels: levels.get(signal) ?? [],
      floor: floors[mode],
      divides,
      fits,
    });
    return { ...split, parts: split.parts.map(({ wire, items }) => ({ request: wire, items })) };
  };
}

/** The level from which on each message becomes a part of its own: ResourceSpans are at 0, spans at 2. */
const floors: Readonly<Record<SplitOptions['mode'], number>> = { request: -1, resource: 0, item: 2 };

/** Names of fields, or of the oneof of them. */
const names: Readonly<Record<SignalName, readonly string[]>> = {
  traces: ['resource_spans', 'scope_spans', 'spans'],
  metrics: ['resource_metrics', 'scope_metrics', 'metrics', 'data', 'data_points'],
  logs: ['resource_logs', 'scope_logs', 'log_records'],
  profiles: ['resource_profiles', 'scope_profiles', 'profiles'],
};

/** The levels of a signal's requests. */
function splitLevels(schema: Pick<OtlpSchema, 'request'>, signal: SignalName): readonly SplitLevel[] {
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
