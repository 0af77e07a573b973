import type { SourceEvent, SourceEventMap, SourceEventName } from '../contract/source-event.ts';
import type { Logger } from '../diagnostics/logger.ts';

/** Called with each event of one kind. What it throws is logged, and changes nothing for the source. */
export type SourceListener<E extends SourceEventName> = (event: SourceEventMap[E]) => void;

/** Listeners by event. */
export interface SourceEvents {
  on<E extends SourceEventName>(event: E, listener: SourceListener<E>): void;
  off<E extends SourceEventName>(event: E, listener: SourceListener<E>): void;
  emit(event: SourceEvent): void;
}

/** No listeners yet. A listener added twice is called once. */
export function sourceEvents(logger: Logger): SourceEvents {
  const listeners = new Map<SourceEventName, Set<(event: SourceEvent) => void>>();
  const of = (event: SourceEventName): Set<(event: SourceEvent) => void> => {
    const known = listeners.get(event) ?? new Set();
    listeners.set(event, known);
    return known;
  };
  return {
    on: (event, listener) => of(event).add(listener as (event: SourceEvent) => void),
    off: (event, listener) => of(event).delete(listener as (event: SourceEvent) => void),
    emit: (event) => {
      for (const listener of of(event.type)) {
        try {
          listener(event);
        } catch (error) {
          // Events are emitted by callbacks of the wire, where nothing could catch it.
          logger.error({ event: 'listener_failed', type: event.type, error }, 'a listener threw');
        }
      }
    },
  };
}
