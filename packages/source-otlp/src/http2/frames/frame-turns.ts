import type { Socket } from 'node:net';

const FRAMES_PER_TURN = 1000;

/**
 * Gives other connections their turn. Node reads up to 2 MiB of one connection before it looks at another, which may be 200,000
 * small frames.
 */
export class FrameTurns {
  readonly #socket: Socket;
  #frames = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** A frame was read. */
  count(): void {
    this.#frames += 1;
  }

  /** Called between chunks: nothing more is read in this turn when there were many frames. */
  giveWay(): void {
    if (this.#frames < FRAMES_PER_TURN) return;
    this.#frames = 0;
    this.#socket.pause();
    setImmediate(() => {
      if (!this.#socket.writableNeedDrain) this.#socket.resume();
    });
  }
}
