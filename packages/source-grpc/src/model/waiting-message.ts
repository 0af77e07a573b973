import type { Session } from './session.ts';

/** What messages that arrive within one turn of the event loop have in common. */
export interface Stamp {
  readonly session: Session;
  /** Topic in force when they arrived. */
  readonly topic: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** A message between the stream and `poll`: wire bytes, not yet converted. */
export interface WaitingMessage {
  readonly stamp: Stamp;
  /** Number given at receipt, from 1; continues over sessions and restarts. Dropped messages have one, too. */
  readonly sequence: number;
  /** May be a view of a larger chunk, and may be exchanged for an equal copy while it waits. */
  value: Uint8Array;
}
