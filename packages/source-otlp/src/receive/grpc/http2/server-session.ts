import type { Socket } from 'node:net';
import { checkFrame, type FrameHead, FrameReader, type FrameSink } from './frame-reader.ts';
import { FrameTurns } from './frame-turns.ts';
import { FrameWriter } from './frame-writer.ts';
import { HeaderBlocks } from './header-blocks.ts';
import { HpackDecoder, HpackError } from './hpack-decoder.ts';
import {
  ConnectionFault,
  errorCode,
  FIRST_WINDOW_BYTES,
  ForeignProtocol,
  frameFlag,
  frameType,
  MAX_WINDOW_BYTES,
  tooMuch,
} from './protocol.ts';
import { RecentIds } from './recent-ids.ts';
import { type RequestHeaders, readTrailers, requestHeaders } from './request-headers.ts';
import { ServerStream, type StreamHost } from './server-stream.ts';
import { readInitialWindow, type SessionLimits, settingsPayload } from './settings.ts';
import { uint32 } from './uint.ts';

/** What a session asks and tells. */
export interface SessionHost {
  /** The client speaks something else. Returns what it is answered before the end, or undefined: GOAWAY. */
  onForeign(bytes: Buffer): string | undefined;
  /** A request. Whoever answers it later becomes its listener. */
  onRequest(stream: ServerStream, headers: RequestHeaders): void;
  /** A frame came that clients seldom send, or that costs an answer. False: that is too many. */
  onRareFrame(): boolean;
  /** The client gave up a request before it was answered, or made this side reset it. False: that is too many. */
  onReset(): boolean;
  /** The client's settings came; HTTP/2 is spoken. */
  onSettings(): void;
  /** The session ended in order; the client is to close the connection. */
  onDone(): void;
}

/** Streams that are remembered after they were stopped. */
const MAX_STOPPED = 1024;

/** HTTP/2 on one connection, the server's side (RFC 9113). Everything that a client can make it hold or do is bounded. */
export class ServerSession implements FrameSink, StreamHost {
  /** Bytes of data that may be sent on the connection. */
  sendWindow = FIRST_WINDOW_BYTES;
  readonly #socket: Socket;
  readonly #host: SessionHost;
  readonly #limits: SessionLimits;
  readonly #reader = new FrameReader(this);
  readonly #writer = new FrameWriter();
  readonly #turns: FrameTurns;
  readonly #decoder: HpackDecoder;
  readonly #blocks: HeaderBlocks;
  readonly #streams = new Map<number, ServerStream>();
  /** Streams that ended while the client was sending: more of them may be on its way. */
  readonly #stopped = new RecentIds(MAX_STOPPED);
  #state: 'open' | 'ending' | 'over' = 'open';
  #settled = false;
  #lastStreamId = 0;
  #firstSendWindow = FIRST_WINDOW_BYTES;
  #receiveWindow: number;
  /** The stream whose data is being read; undefined when it is over. */
  #reading: ServerStream | undefined;
  #readingEnds = false;
  /** Until then nothing may be sent. */
  #greeted = false;
  /** What is written is sent at the end of the turn. */
  #flushing = false;

  constructor(socket: Socket, options: { readonly host: SessionHost; readonly limits: SessionLimits }) {
    this.#socket = socket;
    this.#turns = new FrameTurns(socket);
    this.#host = options.host;
    this.#limits = options.limits;
    this.#receiveWindow = options.limits.connectionWindowBytes;
    this.#decoder = new HpackDecoder(options.limits.maxHeaderBytes);
    this.#blocks = new HeaderBlocks(4 * options.limits.maxHeaderBytes);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('drain', () => socket.resume());
    socket.once('close', () => this.#lost());
  }

  /** Requests that are not answered, or whose answers are not sent. */
  get streams(): ReadonlyMap<number, ServerStream> {
    return this.#streams;
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  get unwrittenBytes(): number {
    return this.#writer.length + this.#socket.writableLength;
  }

  /** GOAWAY: requests that are open go on, and the connection ends with the last of them. */
  end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    if (this.#greeted) this.#goaway(errorCode.noError);
    this.#endWhenIdle();
  }

  /** GOAWAY with that code, and the end of everything. */
  fail(code: number): void {
    if (this.#state === 'over') return;
    this.#goaway(code);
    this.#flush();
    this.#drop();
    this.#socket.destroySoon();
  }

  /** The end of everything, without a word. */
  destroy(): void {
    this.#drop();
    this.#socket.destroy();
  }

  write(type: number, flags: number, { streamId, payload }: { streamId: number; payload: Uint8Array }): void {
    if (this.#state === 'over') return;
    this.#writer.frame(type, { flags, streamId }, payload);
    if (this.#flushing) return;
    this.#flushing = true;
    process.nextTick(() => this.#flush());
  }

  over({ id, remoteEnded }: ServerStream): void {
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
    this.#greeted = true;
  }

  onFrame(head: FrameHead, payload: Buffer): void {
    this.#turns.count();
    const { type, flags } = head;
    const isFirst = !this.#settled;
    if (isFirst && (type !== frameType.settings || (flags & frameFlag.ack) !== 0)) {
      throw new ConnectionFault(errorCode.protocolError, 'the client does not begin with SETTINGS');
    }
    this.#blocks.check(head);
    if (type === frameType.headers || type === frameType.continuation) this.#onHeaders(head, payload);
    else {
      this.#rare();
      this.#onControl(head, payload);
    }
  }

  onDataHead(head: FrameHead): void {
    this.#turns.count();
    const { streamId, length, flags } = head;
    this.#blocks.check(head);
    this.#checkKnown(streamId);
    this.#receiveWindow -= length;
    const stream = this.#streams.get(streamId);
    this.#readingEnds = (flags & frameFlag.endStream) !== 0;
    if (length === 0 && !this.#readingEnds) this.#rare();
    this.#reading = undefined;
    if (stream === undefined) {
      this.#onClosedStream(streamId);
      return;
    }
    stream.receiveWindow -= length;
    if (stream.remoteEnded) this.#violated(stream, errorCode.streamClosed);
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
    if (this.#readingEnds) this.#remoteEnd(stream);
    else if (stream.receiveWindow < this.#limits.streamWindowBytes / 2) this.#widenStream(stream);
  }

  #read(chunk: Buffer): void {
    if (this.#state === 'over') return;
    this.#flushing = true;
    try {
      this.#reader.read(chunk);
      this.#flush();
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

  /** A client that does not read is not read from, either: so nothing piles up for it. */
  #flush(): void {
    this.#flushing = false;
    if (this.#writer.length === 0 || !this.#socket.writable) return;
    if (!this.#socket.write(this.#writer.take())) this.#socket.pause();
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
    } else if (stream.remoteEnded) this.#violated(stream, errorCode.streamClosed);
    else if (!ends || !wellFormed) this.#violated(stream, errorCode.protocolError);
    else this.#remoteEnd(stream);
  }

  #onRequest(id: number, remoteEnded: boolean, block: Buffer): void {
    const headers = requestHeaders(block, this.#decoder, this.#limits.includedHeaders);
    const stream = new ServerStream(this, {
      id,
      remoteEnded,
      contentLength: typeof headers === 'string' ? undefined : headers.contentLength,
      receiveWindow: this.#limits.streamWindowBytes,
      sendWindow: this.#firstSendWindow,
    });
    if (typeof headers === 'string' || this.#streams.size >= this.#limits.maxStreams) {
      this.#rare();
      const codes = { malformed: errorCode.protocolError, too_large: errorCode.enhanceYourCalm };
      stream.reset(typeof headers === 'string' ? codes[headers] : errorCode.refusedStream);
      return;
    }
    this.#streams.set(id, stream);
    this.#host.onRequest(stream, headers);
    if (remoteEnded && this.#streams.has(id)) this.#remoteEnd(stream);
  }

  #remoteEnd(stream: ServerStream): void {
    stream.remoteEnded = true;
    const { contentLength = stream.received } = stream;
    if (contentLength !== stream.received) this.#violated(stream, errorCode.protocolError);
    else stream.listener?.onEnd();
  }

  #onControl(head: FrameHead, payload: Buffer): void {
    const { type, flags, streamId } = head;
    if (type === frameType.settings) this.#onSettings(head, payload);
    else if (type === frameType.ping) {
      checkFrame(head, { length: 8, onConnection: true });
      if ((flags & frameFlag.ack) === 0) this.write(type, frameFlag.ack, { streamId: 0, payload });
    } else if (type === frameType.windowUpdate) this.#onWindowUpdate(head, payload);
    else if (type === frameType.reset) {
      checkFrame(head, { length: 4, onConnection: false });
      this.#checkKnown(streamId);
      this.#onReset(this.#streams.get(streamId));
    } else if (type === frameType.priority) checkFrame(head, { length: 5, onConnection: false });
    else if (type === frameType.pushPromise)
      throw new ConnectionFault(errorCode.protocolError, 'clients push nothing');
    else if (type === frameType.goaway && streamId !== 0) {
      throw new ConnectionFault(errorCode.protocolError, 'GOAWAY of a stream');
    }
    // GOAWAY of a client says nothing that it does not do; unknown frames are ignored.
  }

  #onReset(stream: ServerStream | undefined): void {
    if (stream === undefined) return;
    stream.remoteEnded = true; // nothing more of it may come
    stream.close();
    this.#gaveUp(stream);
  }

  /** The client breaks a rule of the stream, which resets it: another way to give up a request (CVE-2025-8671). */
  #violated(stream: ServerStream, code: number): void {
    stream.reset(code);
    this.#gaveUp(stream);
  }

  #gaveUp({ answered }: ServerStream): void {
    if (!answered && !this.#host.onReset()) throw tooMuch();
  }

  #onSettings(head: FrameHead, payload: Buffer): void {
    if (head.streamId !== 0) throw new ConnectionFault(errorCode.protocolError, 'SETTINGS of a stream');
    const isAck = (head.flags & frameFlag.ack) !== 0;
    if (payload.length % 6 !== 0 || (isAck && payload.length > 0)) {
      throw new ConnectionFault(errorCode.frameSizeError, `SETTINGS of ${payload.length} bytes`);
    }
    if (isAck) return;
    this.write(frameType.settings, frameFlag.ack, { streamId: 0, payload: Buffer.alloc(0) });
    const window = readInitialWindow(payload) ?? this.#firstSendWindow;
    // Once, however often a frame changes it.
    if (window !== this.#firstSendWindow) this.#setWindow(window);
    this.#settled = true;
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

  #onWindowUpdate(head: FrameHead, payload: Buffer): void {
    const { streamId } = head;
    checkFrame(head, { length: 4, onConnection: streamId === 0 });
    this.#checkKnown(streamId === 0 ? 1 : streamId, streamId === 0);
    const bytes = payload.readUInt32BE(0) & 0x7fff_ffff;
    const stream = this.#streams.get(streamId);
    if (streamId === 0) {
      this.sendWindow += bytes;
      if (bytes === 0) throw new ConnectionFault(errorCode.protocolError, 'window update of 0');
      if (this.sendWindow > MAX_WINDOW_BYTES)
        throw new ConnectionFault(errorCode.flowControlError, 'window too large');
      for (const waiting of this.#streams.values()) waiting.pump();
    } else if (stream === undefined) return;
    else if (bytes === 0) this.#violated(stream, errorCode.protocolError);
    else if (!stream.widen(bytes)) this.#violated(stream, errorCode.flowControlError);
    else stream.pump();
  }

  #onClosedStream(streamId: number): void {
    if (this.#stopped.has(streamId)) return;
    this.#rare();
    this.write(frameType.reset, 0, { streamId, payload: uint32(errorCode.streamClosed) });
  }

  #checkKnown(streamId: number, anyway = false): void {
    if (anyway || (streamId % 2 === 1 && streamId <= this.#lastStreamId)) return;
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

  #rare(): void {
    if (!this.#host.onRareFrame()) throw tooMuch();
  }

  #goaway(code: number): void {
    const payload = Buffer.concat([uint32(this.#lastStreamId), uint32(code)]);
    this.write(frameType.goaway, 0, { streamId: 0, payload });
  }

  #endWhenIdle(): void {
    if (this.#state !== 'ending' || this.#streams.size > 0) return;
    this.#flush();
    this.#state = 'over';
    this.#socket.end();
    this.#host.onDone();
  }

  /** The client is gone: what it left unanswered, it gave up. */
  #lost(): void {
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
