import { watermarkStrategies } from '@levada/stream-project-schema';
import type { Definition } from '../../parse/definition.ts';
import { textAt } from '../../parse/known-value.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import { rangeAt } from '../../text/source-file.ts';
import type { RelationColumn } from '../relations/relation.ts';
import type { EventTime } from './node-columns.ts';

/** How late the watermark is where nothing says it. */
const DEFAULT_DELAY_MS = 5000;

/** The event time that a source declares. */
export function sourceEventTime(source: Definition<'source'>): EventTime | undefined {
  const column = textAt(source.node, 'event_time.column');
  if (column === undefined) return undefined;
  const { file, path } = source;
  const origin = { path: `${path}.event_time.column`, range: rangeAt(file, column.span) };
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
): Pick<EventTime, 'strategy' | 'delayMs' | 'allowedLatenessMs' | 'idleMs'> {
  const first = (path: string) =>
    places.map((place) => placeOf(node, `${place}.${path}`).node).find((found) => found?.known === true)
      ?.value;
  const written = first('watermark.strategy');
  const strategy = isStrategy(written) ? written : 'bounded_out_of_orderness';
  const delay = first('watermark.max_out_of_orderness_ms');
  const allowed = first('allowed_lateness_ms');
  const idle = first('watermark.idle_timeout_ms');
  const bounded = typeof delay === 'number' ? delay : DEFAULT_DELAY_MS;
  return {
    strategy,
    delayMs: strategy === 'monotonously_increasing' ? 0 : bounded,
    allowedLatenessMs: typeof allowed === 'number' ? allowed : undefined,
    idleMs: typeof idle === 'number' ? idle : undefined,
  };
}

function isStrategy(value: unknown): value is EventTime['strategy'] {
  return typeof value === 'string' && Object.hasOwn(watermarkStrategies, value);
}

/** The facts from which a model's event time follows. */
export interface EventTimeFacts {
  /** Its columns, with the time attributes that its SQL hands on. */
  readonly columns: readonly RelationColumn[];
  readonly eventTimeOf: (node: NodeId) => EventTime | undefined;
  /** Event times of what it reads. */
  readonly inputs: readonly EventTime[];
}

/**
 * The event time of a model's topic: the column that `advanced.event_time` names, else the first time attribute that comes
 * through from what it reads, with the watermark that `advanced.event_time` gives, else with that of where it comes from.
 */
export function modelEventTime(model: Definition<'model'>, facts: EventTimeFacts): EventTime | undefined {
  const { file, path, node } = model;
  const own = placeOf(node, 'advanced.event_time');
  const column = textAt(node, 'advanced.event_time.column');
  const late = lateness(model, ['advanced.event_time']);
  if (column !== undefined) {
    const origin = { path: `${path}.advanced.event_time.column`, range: rangeAt(file, column.span) };
    return { column: column.value, ...late, origin, inherited: false };
  }
  const handedOn = facts.columns.find(({ time }) => time === 'event');
  if (handedOn === undefined) return undefined;
  if (own.keySpan !== undefined) {
    const origin = { path: `${path}.advanced.event_time`, range: rangeAt(file, own.keySpan) };
    return { column: handedOn.name, ...late, origin, inherited: false };
  }
  const from = upstream(handedOn, facts);
  return from === undefined ? undefined : { ...from, column: handedOn.name, inherited: true };
}

/** The event time of the inputs that the first time attribute of a query comes from. */
export function handedOnTime(facts: EventTimeFacts): EventTime | undefined {
  const handedOn = facts.columns.find(({ time }) => time === 'event');
  return handedOn === undefined ? undefined : upstream(handedOn, facts);
}

/** The event time that a column comes from; of a time that is made of many rows that of the first input. */
function upstream(
  { origins }: RelationColumn,
  { eventTimeOf, inputs }: EventTimeFacts,
): EventTime | undefined {
  for (const { node, column } of origins) {
    const found = eventTimeOf(node);
    if (found?.column === column) return found;
  }
  return inputs[0];
}
