import type { Section } from '../fields/field.ts';
import { watermarkStrategies } from '../fields/vocabulary.ts';

/** How late events may be; the same keys in `event_time` and in `advanced.event_time`. */
export const latenessFields = {
  watermark: {
    type: 'object',
    doc: 'How far event time has come. Written as `WATERMARK FOR <column> AS <column> - INTERVAL ...`.',
    fields: {
      strategy: {
        type: 'enum',
        values: watermarkStrategies,
        default: 'bounded_out_of_orderness',
        doc: 'How events come.',
      },
      max_out_of_orderness_ms: {
        type: 'integer',
        min: 0,
        max: 31_536_000_000,
        unit: 'ms',
        default: 5000,
        doc: 'How late an event may come, in milliseconds. Not read with `monotonously_increasing`.',
      },
      idle_timeout_ms: {
        type: 'integer',
        min: 1,
        unit: 'ms',
        status: 'extension',
        doc: 'How long a partition may be without records, in milliseconds, before event time advances without it. Its next records may then be late. Default: event time waits for every partition.',
      },
    },
  },
  allowed_lateness_ms: {
    type: 'integer',
    min: 0,
    unit: 'ms',
    status: 'parsed',
    doc: 'How late an event may come within its window, in milliseconds.',
  },
} as const satisfies Section;
