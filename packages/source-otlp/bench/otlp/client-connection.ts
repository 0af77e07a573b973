import type { BenchRequest } from './requests.ts';

/** One connection of the sender, over HTTP/1.1 or HTTP/2. */
export interface ClientConnection {
  /** Sends the request; `startTime` in nanoseconds replaces the one in its body. */
  send(startTime: bigint | undefined): void;
}

export interface ConnectionOptions {
  readonly port: number;
  readonly request: BenchRequest;
  /** Offset of the start time in the body. */
  readonly startTimeAt: number;
  /** It takes requests. */
  readonly onReady: (connection: ClientConnection) => void;
  /** A request was answered: taken, or refused to be sent again. Every other answer ends the process. */
  readonly onAnswer: (connection: ClientConnection, taken: boolean) => void;
  /** The server ended it because nothing was on its way for long. */
  readonly onEnd: (connection: ClientConnection) => void;
}
