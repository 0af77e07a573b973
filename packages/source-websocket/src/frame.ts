/** A message between the connection and `poll`. */
export interface Frame {
  /** Payload as it was on the wire. May be part of a larger buffer. */
  data: Uint8Array;
  readonly binary: boolean;
  /** Topic in force when it was received. */
  readonly topic: string;
  /** Time of receipt, milliseconds since 1970. */
  readonly receivedAt: number;
}
