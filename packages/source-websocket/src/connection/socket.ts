import type { IncomingMessage } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { type Clock, ConnectorError, type EventLog, type Timer } from '@levada/connect-runtime-core';
import {
  guardedLookup,
  type HttpProxy,
  type Printable,
  printable,
  type TunnelTarget,
  tunnelledConnection,
} from '@levada/connect-runtime-core/source-kit';
import { type ClientOptions, WebSocket } from 'ws';
import type { SessionPlan } from '../config/session-plan.ts';
import { ReadingTime } from '../session/reading-time.ts';
import { Session, type SessionContext } from '../session/session.ts';
import { type CloseContext, closeError, refusalError, socketError } from './errors.ts';
import type { webSocketEvents } from './events.ts';
import { Liveness } from './liveness.ts';
import { type RejectionReason, type SubscriptionRules, SubscriptionWatch } from './subscription-watch.ts';

export interface SocketOptions {
  /** Without user info. */
  readonly url: URL;
  /** Host and port of it. */
  readonly target: TunnelTarget;
  /** The URL as it may be shown. */
  readonly shownUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly subprotocols: readonly string[];
  readonly tls: SecureContextOptions & { readonly rejectUnauthorized: boolean; readonly servername?: string };
  readonly proxy: HttpProxy | undefined;
  readonly compression: boolean;
  readonly maxMessageBytes: number;
  /** From the first step to the open connection; 0: no limit. */
  readonly connectTimeoutMs: number;
  readonly pingIntervalMs: number;
  readonly pingTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly subscription: string | undefined;
  readonly subscriptionRules: SubscriptionRules;
  /** What is said beside the subscription. Undefined: nothing. */
  readonly session: SessionPlan | undefined;
  readonly sessionContext: Omit<SessionContext, 'clock' | 'log'>;
  readonly close: Omit<CloseContext, 'print'>;
  /** Texts that must not come back to light through what the server says. */
  readonly secrets: readonly string[];
  readonly clock: Clock;
  readonly log: EventLog<typeof webSocketEvents>;
  /** The connection is open, the handshake over, and the subscription handed to it. No message came after that yet. */
  readonly onOpen: () => void;
  /** A message; `data` may be part of a larger buffer. Must not throw. */
  readonly onMessage: (data: Buffer, binary: boolean) => void;
  readonly lastMessageAt: () => number | undefined;
}

/** Options that `ws` takes or hands to Node's request, and that its typings leave out. */
interface DialOptions extends ClientOptions {
  readonly maxBufferedChunks: number;
  readonly maxFragments: number;
  readonly closeTimeout: number;
  readonly lookup: LookupFunction;
}

/** How long the closing handshake may take, in milliseconds; then the connection is cut. */
const CLOSE_TIMEOUT_MS = 1000;
/** Most fragments of one message: enough for any honest sender, and a bound for what hostile ones cost. */
const MAX_FRAGMENTS = 1024;
/**
 * A message may arrive in pieces of this size on average, and this many pieces are always allowed. Each piece costs some 300
 * bytes until the message is complete, so that one that drips in byte by byte would cost far more than its length.
 */
const MIN_PIECE_BYTES = 512;
const MIN_PIECES = 8192;
/** Most bytes that wait to be sent: a server that asks for answers has to read them. */
const MAX_UNSENT_BYTES = 1024 * 1024;
const NORMAL = 1000;
const GOING_AWAY = 1001;

/** One connection, from dialling to its end. Used once. */
export class SocketConnection {
  readonly #options: SocketOptions;
  readonly #peer: string;
  readonly #reading: ReadingTime;
  readonly #liveness: Liveness;
  readonly #watch: SubscriptionWatch;
  readonly #session: Session | undefined;
  readonly #close: CloseContext;
  /** Aborted when the attempt is over: ends what `ws` does not know of. */
  readonly #over = new AbortController();
  #ws: WebSocket | undefined;
  #socket: Socket | undefined;
  #connectTimer: Timer | undefined;
  #failure: ConnectorError | undefined;
  #responseCode: number | undefined;
  #clean = false;
  #stopping = false;
  #opened = false;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#peer = options.url.host;
    this.#reading = new ReadingTime(options.clock);
    this.#liveness = new Liveness({
      ...options,
      ping: () => this.#ping(),
      bytesRead: () => this.#socket?.bytesRead ?? 0,
      reading: this.#reading,
      onDead: (error) => this.#fail(error),
    });
    this.#watch = new SubscriptionWatch(options.subscriptionRules, (reason) => this.#rejected(reason));
    this.#session = options.session === undefined ? undefined : this.#newSession(options.session);
    const print: Printable = (text) =>
      printable(asSent([...options.secrets, ...(this.#session?.hidden() ?? [])]))(text);
    this.#close = { ...options.close, print };
  }

  /**
   * Connects and receives until the connection is over and its socket closed. Resolves after {@link stop}; rejects with a
   * ConnectorError otherwise.
   */
  async run(): Promise<void> {
    const error = await new Promise<ConnectorError>((over) => this.#dial(over)).catch((thrown: unknown) =>
      this.#error(thrown),
    );
    this.#end(error);
    if (!this.#stopping) throw error;
  }

  /** Ends the connection with a closing handshake, bounded in time. Idempotent. */
  stop(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    const ws = this.#ws;
    if (ws === undefined || ws.readyState === WebSocket.CLOSED) return;
    if (ws.readyState === WebSocket.OPEN) {
      this.#options.log('websocket_closing', { code: GOING_AWAY, reason: 'connector stops' });
    }
    // While reading is paused the answer cannot arrive, so there is nothing to wait for.
    if (this.#opened && !this.#reading.isPaused) ws.close(GOING_AWAY, 'connector stops');
    else ws.terminate();
  }

  /** Cuts the connection. */
  terminate(): void {
    this.#stopping = true;
    this.#ws?.terminate();
  }

  /** Stops reading, so that the server has to wait. A connection that is being closed is cut: it would not be read any more. */
  pause(): void {
    if (this.#stopping) this.#ws?.terminate();
    else if (this.#opened && !this.#reading.isPaused) {
      this.#reading.pause();
      this.#ws?.pause();
    }
  }

  /** Reads on. */
  resume(): void {
    if (!this.#reading.isPaused) return;
    this.#reading.resume();
    this.#ws?.resume();
  }

  #dial(over: (error: ConnectorError) => void): void {
    const { clock, connectTimeoutMs, url, subprotocols, onMessage, proxy } = this.#options;
    if (connectTimeoutMs > 0) {
      const late = new ConnectorError(
        'timeout',
        `no connection to ${this.#peer}${proxy === undefined ? '' : ` through the proxy ${proxy.shown}`} within ${connectTimeoutMs} ms`,
      );
      this.#connectTimer = clock.after(connectTimeoutMs, () => this.#fail(late));
    }
    const ws = new WebSocket(url, [...subprotocols], this.#clientOptions());
    this.#ws = ws;
    ws.on('upgrade', (response) => this.#upgraded(response));
    ws.on('unexpected-response', (_request, response) => this.#refused(response));
    ws.on('open', () => this.#open());
    ws.on('message', (data: Buffer, binary) => {
      if (!this.#watch.settled) this.#watch.observe(data);
      if (this.#session?.takes(data) === true) return;
      onMessage(data, binary);
    });
    ws.on('error', (error) => {
      this.#failure ??= this.#error(error);
    });
    ws.on('close', (code, reason) => over(this.#closed(code, reason)));
  }

  #clientOptions(): DialOptions {
    const { headers, tls, compression, maxMessageBytes, proxy } = this.#options;
    return {
      ...(proxy === undefined ? {} : { createConnection: this.#connectThrough(proxy) }),
      ...tls,
      headers,
      perMessageDeflate: compression,
      maxPayload: maxMessageBytes,
      maxBufferedChunks: Math.max(MIN_PIECES, Math.ceil(maxMessageBytes / MIN_PIECE_BYTES)),
      maxFragments: MAX_FRAGMENTS,
      closeTimeout: CLOSE_TIMEOUT_MS,
      followRedirects: false,
      skipUTF8Validation: false,
      allowSynchronousEvents: true,
      lookup: guardedLookup,
    };
  }

  #connectThrough(proxy: HttpProxy): NonNullable<ClientOptions['createConnection']> {
    const { target, tls } = this.#options;
    const tunnel = { proxy, target, ca: tls.ca, signal: this.#over.signal };
    // The typings of `ws` are those of `net.connect`; Node's request, which it is for, takes a socket later, too.
    return tunnelledConnection(tunnel, target.secure ? tls : undefined) as never;
  }

  #upgraded({ httpVersion, socket }: IncomingMessage): void {
    this.#socket = socket;
    if (httpVersion === '1.1') return;
    // RFC 6455, section 4.1; ws does not look at it.
    const text = `protocol violated by ${this.#peer}: the handshake was answered in HTTP/${httpVersion}`;
    this.#fail(new ConnectorError('protocol_error', text));
  }

  #open(): void {
    this.#connectTimer?.cancel();
    const ws = this.#ws;
    if (this.#stopping || ws === undefined) {
      ws?.terminate();
      return;
    }
    this.#opened = true;
    const { log, shownUrl } = this.#options;
    log('websocket_opened', { url: shownUrl, response_code: 101, subprotocol: ws.protocol });
    this.#liveness.start();
    if (this.#session === undefined) this.#subscribe();
    else this.#session.start();
  }

  #subscribe(): void {
    const { log, subscription, onOpen } = this.#options;
    if (subscription === undefined) this.#watch.stop();
    else {
      this.#ws?.send(subscription); // a failure to send also ends the connection, which says why
      this.#watch.start(this.#reading);
      log('subscription_sent', { message_bytes: Buffer.byteLength(subscription) });
    }
    onOpen();
  }

  #newSession(plan: SessionPlan): Session {
    return new Session({
      ...this.#options,
      ...this.#options.sessionContext,
      plan,
      send: (text) => this.#send(text),
      reading: this.#reading,
      onReady: () => {
        if (!this.#stopping) this.#subscribe();
      },
      onFailed: (error) => this.#leave(error),
      onExpiring: (error) => {
        this.#clean = true;
        this.#leave(error);
      },
    });
  }

  #send(text: string): void {
    if (this.#ws?.readyState !== WebSocket.OPEN) return;
    if (this.#ws.bufferedAmount <= MAX_UNSENT_BYTES) this.#ws.send(text);
    else this.#fail(new ConnectorError('protocol_error', `${this.#peer} does not read what is sent to it`));
  }

  /**
   * Ends the connection with a closing handshake, because of this error. While reading is paused the answer is read when the
   * queue has room again within the time for it.
   */
  #leave(error: ConnectorError): void {
    if (this.#stopping) return;
    this.#failure ??= error;
    this.#ws?.close(NORMAL);
  }

  /** While the last ping waits to be sent, another one would only wait with it. */
  #ping(): void {
    if (this.#ws?.bufferedAmount === 0) this.#ws.ping();
  }

  #refused(response: IncomingMessage): void {
    const status = {
      code: response.statusCode ?? 0,
      text: this.#close.print(response.statusMessage ?? ''),
      retryAfter: response.headers['retry-after'],
    };
    this.#responseCode = status.code;
    this.#fail(refusalError(status, this.#peer, this.#options.clock.now())); // the body is not read
  }

  #rejected(reason: RejectionReason): void {
    if (this.#stopping) return;
    this.#options.log('subscription_rejected', { reason });
    this.#leave(new ConnectorError('handshake_rejected', `subscription rejected (${reason})`));
  }

  #error(thrown: unknown): ConnectorError {
    const { target, tls } = this.#options;
    const handshake = { secure: target.secure, clientCertificate: tls.cert !== undefined };
    return socketError(thrown, {
      peer: this.#peer,
      print: this.#close.print,
      handshake: this.#socket === undefined ? handshake : undefined,
    });
  }

  #fail(error: ConnectorError): void {
    this.#failure ??= error;
    this.#ws?.terminate();
  }

  #closed(code: number, reason: Buffer): ConnectorError {
    const { log } = this.#options;
    if (this.#failure !== undefined) return this.#failure;
    const error = closeError(code, reason.toString(), this.#close);
    if (code === 1006) return error;
    const shown = { code, reason: this.#close.print(reason.toString()) };
    log('websocket_closed', shown);
    const said = { close_code: code, close_reason: shown.reason };
    const refused = !this.#stopping && this.#session?.closed(said) !== true && this.#watch.closed();
    if (refused) log('subscription_rejected', { reason: 'closed', ...said });
    this.#clean = true;
    return error;
  }

  #end(error: ConnectorError): void {
    this.#connectTimer?.cancel();
    this.#over.abort();
    this.#watch.stop();
    this.#session?.stop();
    this.#liveness.stop();
    if (this.#clean || this.#stopping) return;
    const code = this.#responseCode === undefined ? {} : { response_code: this.#responseCode };
    this.#options.log('websocket_failure', { error_message: error.message, ...code });
  }
}

/** Texts as they are, and as they are written in JSON. */
function asSent(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]))];
}
