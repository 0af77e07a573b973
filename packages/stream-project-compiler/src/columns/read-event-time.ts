import { watermarkStrategies } from '@levada/stream-project-schema';
import type { Definition } from '../parse/definition.ts';
import { placeOf } from '../parse/node-place.ts';
import { rangeAt } from '../text/source-file.ts';
import type { EventTime } from './event-time.ts';
import { textAt } from './text-at.ts';

/** How late the watermark is where nothing says it. */
const DEFAULT_DELAY_MS = 5000;

/** The event time that a source declares. */
export function sourceEventTime(source: Definition<'source'>): EventTime | undefined {
  const column = textAt(source.node, 'event_time.column');
  if (column === undefined) return undefined;
  const { file, path } = source;
  const origin = { path: `${path}.event_time.column`, range: rangeAt(file, column.node.span) };
  return {
    column: column.value,
    ...lateness(source, ['event_time', 'advanced.event_time']),
    origin,
    inherited: false,
  };
}

/** How late events of a node may be, from the first of these places that says it. */
export function lateness(
  { node }: Definition<'source'> | Definition<'model'>,
  places: readonly string[],
): Pick<EventTime, 'strategy' | 'delayMs' | 'allowedLatenessMs'> {
  const first = (path: string) =>
    places.map((place) => placeOf(node, `${place}.${path}`).node).find((found) => found?.known === true)
      ?.value;
  const written = first('watermark.strategy');
  const strategy = isStrategy(written) ? written : 'bounded_out_of_orderness';
  const delay = first('watermark.max_out_of_orderness_ms');
  const allowed = first('allowed_lateness_ms');
  const bounded = typeof delay === 'number' ? delay : DEFAULT_DELAY_MS;
  return {
    strategy,
    delayMs: strategy === 'monotonously_increasing' ? 0 : bounded,
    allowedLatenessMs: typeof allowed === 'number' ? allowed : undefined,
  };
}

function isStrategy(value: unknown): value is EventTime['strategy'] {
  return typeof value === 'string' && Object.hasOwn(watermarkStrategies, value);
}
