import type { DropCause } from '../diagnostics/source-metrics.ts';

/** What happens to a source's connection and queue, reported through `context.emit`. */
export type SourceEvent =
  | { readonly type: 'connected'; readonly peer: string }
  | { readonly type: 'disconnected'; readonly reason: string }
  | {
      readonly type: 'reconnecting';
      /** 1 for the first attempt after a connection or start. */
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: Error;
    }
  | {
      readonly type: 'dropped';
      readonly cause: DropCause;
      readonly count: number;
      /** True: the peer was asked to send them again, so they are not lost yet. */
      readonly refused?: boolean;
    }
  | { readonly type: 'gap'; readonly expected: number; readonly received: number }
  | { readonly type: 'session'; readonly sessionId: string };

/** Names of all events. */
export const sourceEventNames = [
  'connected',
  'disconnected',
  'reconnecting',
  'dropped',
  'gap',
  'session',
] as const satisfies readonly SourceEvent['type'][];

/** Name of something that happens to a source. */
export type SourceEventName = SourceEvent['type'];

/** Event name to its payload, for typed listeners. */
export type SourceEventMap = { [E in SourceEvent as E['type']]: E };
