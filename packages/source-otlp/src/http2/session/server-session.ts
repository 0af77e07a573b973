import type { Socket } from 'node:net';
import {
  checkFrame,
  type FrameHead,
  type FrameRules,
  type FrameSink,
  Http2FrameReader,
} from '../frames/frame-reader.ts';
import { FrameTurns } from '../frames/frame-turns.ts';
import { FrameWriter } from '../frames/frame-writer.ts';
import { freeMemory } from '../frames/free-memory.ts';
import {
  ConnectionFault,
  createFloodFault,
  errorCode,
  FIRST_WINDOW_BYTES,
  ForeignProtocol,
  frameFlag,
  frameType,
  MAX_WINDOW_BYTES,
  uint32,
} from '../frames/protocol.ts';
import { HpackDecoder, HpackError } from '../hpack/hpack-decoder.ts';
import { HeaderBlocks } from './header-blocks.ts';
import { readTrailers, requestHeaders } from './request-headers.ts';
import { RecentIds, ServerStream, type StreamHost } from './server-stream.ts';
import type { SessionHost } from './session-host.ts';
import { readInitialWindow, type SessionLimits, settingsPayload } from './settings.ts';

/** What a type of frames means. */
interface FrameRow extends FrameRules {
  /** It belongs to a request, and is bounded with it. All others cost the client: see {@link SessionHost.onRareFrame}. */
  readonly isCall?: true;
  readonly handle: (own: ServerSession, head: FrameHead, payload: Buffer) => void;
}

const ignore = (): void => undefined;

/** HTTP/2 on one connection, the server's side (RFC 9113). Everything that a client can make it hold or do is bounded. */
export class ServerSession implements FrameSink, StreamHost {
  static readonly #headerBlock: FrameRow = {
    isCall: true,
    handle: (own, head, bytes) => own.#onHeaders(head, bytes),
  };
  /**
   * The frames of RFC 9113, section 6, in its order. DATA (6.1) is not among them: it is read piece by piece, by `onDataHead` and
   * `onData`.
   */
  static readonly #frames: Readonly<Record<number, FrameRow>> = {
    [frameType.headers]: ServerSession.#headerBlock,
    [frameType.priority]: { length: 5, on: 'stream', handle: ignore },
    [frameType.reset]: { length: 4, on: 'stream', handle: (own, head) => own.#onReset(head) },
    [frameType.settings]: { on: 'connection', handle: (own, head, bytes) => own.#onSettings(head, bytes) },
    [frameType.pushPromise]: {
      handle: () => {
        throw new ConnectionFault(errorCode.protocolError, 'clients push nothing');
      },
    },
    [frameType.ping]: { length: 8, on: 'connection', handle: (own, head, bytes) => own.#onPing(head, bytes) },
    // GOAWAY of a client says nothing that it does not do.
    [frameType.goaway]: { on: 'connection', handle: ignore },
    [frameType.windowUpdate]: { length: 4, handle: (own, head, bytes) => own.#onWindowUpdate(head, bytes) },
    [frameType.continuation]: ServerSession.#headerBlock,
  };
  /** Bytes of data that may be sent on the connection. */
  sendWindow = FIRST_WINDOW_BYTES;
  readonly #socket: Socket;
  readonly #host: SessionHost;
  readonly #limits: SessionLimits;
  readonly #reader = new Http2FrameReader(this);
  readonly #writer: FrameWriter;
  readonly #turns: FrameTurns;
  readonly #decoder: HpackDecoder;
  readonly #blocks: HeaderBlocks;
  readonly #streams = new Map<number, ServerStream>();
  /** Streams that ended while the client was sending: more of them may be on its way. */
  readonly #stopped = new RecentIds();
  #state: 'open' | 'ending' | 'over' = 'open';
  #lastStreamId = 0;
  #firstSendWindow = FIRST_WINDOW_BYTES;
  #receiveWindow: number;
  /** The stream whose data is being read; undefined when it is over. */
  #reading: ServerStream | undefined;
  #readingEnds = false;
  /** How far the beginning went: nothing may be sent before the preface came, nothing else read before the client's SETTINGS. */
  #begun: 'none' | 'preface' | 'settings' = 'none';

  constructor(socket: Socket, options: { readonly host: SessionHost; readonly limits: SessionLimits }) {
    this.#socket = socket;
    this.#turns = new FrameTurns(socket);
    this.#writer = new FrameWriter(socket);
    this.#host = options.host;
    this.#limits = options.limits;
    this.#receiveWindow = options.limits.connectionWindowBytes;
    this.#decoder = new HpackDecoder(options.limits.maxHeaderBytes);
    this.#blocks = new HeaderBlocks(4 * options.limits.maxHeaderBytes);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('drain', () => socket.resume());
    socket.once('close', () => this.#onLost());
  }

  /** Requests that are not answered, or whose answers are not sent. */
  get streams(): ReadonlyMap<number, ServerStream> {
    return this.#streams;
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  get unwrittenBytes(): number {
    return this.#writer.unwrittenBytes;
  }

  /** GOAWAY: requests that are open continue, and the connection ends with the last of them. */
  end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    if (this.#begun !== 'none') this.#goaway(errorCode.noError);
    this.#endWhenIdle();
  }

  /** GOAWAY with that code, and the end of everything. */
  fail(code: number): void {
    if (this.#state === 'over') return;
    this.#goaway(code);
    this.#writer.flush();
    this.#drop();
    this.#socket.destroySoon();
  }

  /** The end of everything, without GOAWAY. */
  destroy(): void {
    this.#drop();
    this.#socket.destroy();
  }

  write(type: number, flags: number, { streamId, payload }: { streamId: number; payload: Uint8Array }): void {
    if (this.#state === 'over') return;
    this.#writer.frame(type, { flags, streamId }, payload);
  }

  forget({ id, remoteEnded }: ServerStream): void {
    this.#streams.delete(id);
    if (!remoteEnded) this.#stopped.add(id);
    this.#endWhenIdle();
  }

  /** Greets: a client of another protocol must not see HTTP/2. */
  onPreface(): void {
    const payload = settingsPayload(this.#limits);
    this.write(frameType.settings, 0, { streamId: 0, payload });
    const more = this.#limits.connectionWindowBytes - FIRST_WINDOW_BYTES;
    this.write(frameType.windowUpdate, 0, { streamId: 0, payload: uint32(more) });
    this.#begun = 'preface';
  }

  onFrame(head: FrameHead, payload: Buffer): void {
    this.#turns.count();
    const { type, flags } = head;
    const isFirst = this.#begun !== 'settings';
    if (isFirst && (type !== frameType.settings || (flags & frameFlag.ack) !== 0)) {
      throw new ConnectionFault(errorCode.protocolError, 'the client does not begin with SETTINGS');
    }
    this.#blocks.check(head);
    const row = ServerSession.#frames[type];
    if (row?.isCall !== true) this.#countRareFrame();
    if (row === undefined) return; // a type that is not known is ignored (section 5.5)
    checkFrame(head, row);
    row.handle(this, head, payload);
  }

  onDataHead(head: FrameHead): void {
    this.#turns.count();
    const { streamId, length, flags } = head;
    this.#blocks.check(head);
    this.#checkKnown(streamId);
    this.#receiveWindow -= length;
    const stream = this.#streams.get(streamId);
    this.#readingEnds = (flags & frameFlag.endStream) !== 0;
    if (length === 0 && !this.#readingEnds) this.#countRareFrame();
    this.#reading = undefined;
    if (stream === undefined) {
      this.#onClosedStream(streamId);
      return;
    }
    stream.receiveWindow -= length;
    if (stream.remoteEnded) this.#resetForViolation(stream, errorCode.streamClosed);
    else this.#reading = stream;
  }

  onData(piece: Buffer, last: boolean): void {
    const stream = this.#reading;
    if (stream !== undefined && piece.length > 0) {
      stream.received += piece.length;
      stream.listener?.onBytes(piece);
    }
    if (!last) return;
    if (this.#receiveWindow < this.#limits.connectionWindowBytes / 2) this.#widenConnection();
    if (stream === undefined || !this.#streams.has(stream.id)) return;
    if (this.#readingEnds) this.#endRemote(stream);
    else if (stream.receiveWindow < this.#limits.streamWindowBytes / 2) this.#widenStream(stream);
  }

  #read(chunk: Buffer): void {
    if (this.#state === 'over') return;
    this.#writer.hold();
    try {
      this.#reader.read(chunk);
      freeMemory(chunk);
      this.#writer.flush();
      this.#turns.giveWay();
    } catch (error) {
      if (error instanceof ConnectionFault) this.fail(error.code);
      else if (error instanceof ForeignProtocol) this.#onForeign(error.bytes);
      else if (error instanceof HpackError) this.fail(errorCode.compressionError);
      else throw error;
    }
  }

  #onForeign(bytes: Buffer): void {
    const answer = this.#host.onForeign(bytes);
    if (answer === undefined) {
      this.onPreface();
      this.fail(errorCode.protocolError);
      return;
    }
    this.#state = 'over';
    this.#socket.end(answer);
    this.#host.onDone();
  }

  #onHeaders(head: FrameHead, payload: Buffer): void {
    const block = this.#blocks.add(head, payload);
    if (block === undefined) return;
    const { streamId, ends, bytes } = block;
    if (streamId > this.#lastStreamId) {
      this.#lastStreamId = streamId;
      this.#onRequest(streamId, ends, bytes);
      return;
    }
    const wellFormed = readTrailers(bytes, this.#decoder);
    const stream = this.#streams.get(streamId);
    if (stream === undefined) {
      if (!this.#stopped.has(streamId))
        throw new ConnectionFault(errorCode.streamClosed, 'headers of a closed stream');
    } else if (stream.remoteEnded) this.#resetForViolation(stream, errorCode.streamClosed);
    else if (!ends || !wellFormed) this.#resetForViolation(stream, errorCode.protocolError);
    else this.#endRemote(stream);
  }

  #onRequest(id: number, remoteEnded: boolean, block: Buffer): void {
    const headers = requestHeaders(block, this.#decoder, this.#limits);
    const stream = new ServerStream(this, {
      id,
      remoteEnded,
      contentLength: typeof headers === 'string' ? undefined : headers.contentLength,
      receiveWindow: this.#limits.streamWindowBytes,
      sendWindow: this.#firstSendWindow,
    });
    if (typeof headers === 'string' || this.#streams.size >= this.#limits.maxStreams) {
      this.#countRareFrame();
      const codes = { malformed: errorCode.protocolError, too_large: errorCode.enhanceYourCalm };
      stream.reset(typeof headers === 'string' ? codes[headers] : errorCode.refusedStream);
      return;
    }
    this.#streams.set(id, stream);
    this.#host.onRequest(stream, headers);
    if (remoteEnded && this.#streams.has(id)) this.#endRemote(stream);
  }

  #endRemote(stream: ServerStream): void {
    stream.remoteEnded = true;
    const { contentLength = stream.received } = stream;
    if (contentLength !== stream.received) this.#resetForViolation(stream, errorCode.protocolError);
    else stream.listener?.onEnd();
  }

  #onPing({ flags }: FrameHead, payload: Buffer): void {
    if ((flags & frameFlag.ack) === 0) {
      this.write(frameType.ping, frameFlag.ack, { streamId: 0, payload });
    }
  }

  #onReset({ streamId }: FrameHead): void {
    this.#checkKnown(streamId);
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return;
    stream.remoteEnded = true; // nothing more of it may come
    stream.close();
    this.#countGivenUp(stream);
  }

  /** The client breaks a rule of the stream, which resets it: another way to give up a request (CVE-2025-8671). */
  #resetForViolation(stream: ServerStream, code: number): void {
    stream.reset(code);
    this.#countGivenUp(stream);
  }

  #countGivenUp({ answered }: ServerStream): void {
    if (!answered && !this.#host.onReset()) throw createFloodFault();
  }

  #onSettings(head: FrameHead, payload: Buffer): void {
    const isAck = (head.flags & frameFlag.ack) !== 0;
    if (payload.length % 6 !== 0 || (isAck && payload.length > 0)) {
      throw new ConnectionFault(errorCode.frameSizeError, `SETTINGS of ${payload.length} bytes`);
    }
    if (isAck) return;
    this.write(frameType.settings, frameFlag.ack, { streamId: 0, payload: Buffer.alloc(0) });
    const window = readInitialWindow(payload) ?? this.#firstSendWindow;
    // Once, however often a frame changes it.
    if (window !== this.#firstSendWindow) this.#setWindow(window);
    this.#begun = 'settings';
    this.#host.onSettings();
  }

  #setWindow(bytes: number): void {
    const more = bytes - this.#firstSendWindow;
    this.#firstSendWindow = bytes;
    for (const stream of this.#streams.values()) {
      if (!stream.widen(more)) throw new ConnectionFault(errorCode.flowControlError, 'window too large');
      stream.pump();
    }
  }

  #onWindowUpdate({ streamId }: FrameHead, payload: Buffer): void {
    if (streamId !== 0) this.#checkKnown(streamId);
    const bytes = payload.readUInt32BE(0) & 0x7fff_ffff;
    const stream = this.#streams.get(streamId);
    if (streamId === 0) {
      this.sendWindow += bytes;
      if (bytes === 0) throw new ConnectionFault(errorCode.protocolError, 'window update of 0');
      if (this.sendWindow > MAX_WINDOW_BYTES)
        throw new ConnectionFault(errorCode.flowControlError, 'window too large');
      for (const waiting of this.#streams.values()) waiting.pump();
    } else if (stream === undefined) return;
    else if (bytes === 0) this.#resetForViolation(stream, errorCode.protocolError);
    else if (!stream.widen(bytes)) this.#resetForViolation(stream, errorCode.flowControlError);
    else stream.pump();
  }

  #onClosedStream(streamId: number): void {
    if (this.#stopped.has(streamId)) return;
    this.#countRareFrame();
    this.write(frameType.reset, 0, { streamId, payload: uint32(errorCode.streamClosed) });
  }

  #checkKnown(streamId: number): void {
    if (streamId % 2 === 1 && streamId <= this.#lastStreamId) return;
    throw new ConnectionFault(errorCode.protocolError, `frame of stream ${streamId}, which is not open`);
  }

  #widenConnection(): void {
    const more = this.#limits.connectionWindowBytes - this.#receiveWindow;
    this.#receiveWindow += more;
    this.write(frameType.windowUpdate, 0, { streamId: 0, payload: uint32(more) });
  }

  #widenStream(stream: ServerStream): void {
    const more = this.#limits.streamWindowBytes - stream.receiveWindow;
    stream.receiveWindow += more;
    this.write(frameType.windowUpdate, 0, { streamId: stream.id, payload: uint32(more) });
  }

  #countRareFrame(): void {
    if (!this.#host.onRareFrame()) throw createFloodFault();
  }

  #goaway(code: number): void {
    const payload = Buffer.concat([uint32(this.#lastStreamId), uint32(code)]);
    this.write(frameType.goaway, 0, { streamId: 0, payload });
  }

  #endWhenIdle(): void {
    if (this.#state !== 'ending' || this.#streams.size > 0) return;
    this.#writer.flush();
    this.#state = 'over';
    this.#socket.end();
    this.#host.onDone();
  }

  /** The client is gone: what it left unanswered, it gave up. */
  #onLost(): void {
    if (this.#state !== 'over') {
      for (const { answered } of this.#streams.values()) if (!answered) this.#host.onReset();
    }
    this.#drop();
  }

  #drop(): void {
    this.#state = 'over';
    for (const stream of this.#streams.values()) stream.close();
  }
}
