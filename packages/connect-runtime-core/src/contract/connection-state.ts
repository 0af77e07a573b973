/** The state of a connection to a peer. `IsConnected` is true in `connected` only. */
export type ConnectionState =
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'connecting'; readonly attempt: number }
  | { readonly kind: 'connected'; readonly since: number }
  | { readonly kind: 'backing-off'; readonly attempt: number; readonly until: number }
  | { readonly kind: 'closed' };

/** A connection as it is shown to people: the answer to "RUNNING but nothing flows". */
export interface ConnectionSnapshot {
  readonly state: ConnectionState['kind'] | 'listening';
  /** Milliseconds since the last message; undefined before the first. */
  readonly lastMessageAgeMs?: number;
  /** Milliseconds for which nothing is read, because the queue is full and the peer is held up; undefined while it is read. */
  readonly heldUpMs?: number;
  /** Text of the last failure, without secrets. */
  readonly lastError?: string;
  /** Reconnect attempt under way or waited for, from 1. */
  readonly attempt?: number;
  /** Milliseconds until the next attempt. */
  readonly nextTryInMs?: number;
}
