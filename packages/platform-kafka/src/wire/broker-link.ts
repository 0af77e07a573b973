import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { ConnectorError, type Timer } from '@levada/connect-runtime-core';
import { errorCodes, errorText } from '../model/broker-errors.ts';
import { kafkaApis } from './gen/messages.ts';
import {
  commonVersion,
  decodeResponse,
  type EncodableRequest,
  encodeRequest,
  type KafkaCalls,
  type OfferedVersions,
} from './kafka-calls.ts';
import type { BrokerAddress, LinkOptions, OAuthToken } from './link-options.ts';
import { type Answered, PendingAnswers } from './pending-answers.ts';
import { ResponseReader } from './response-reader.ts';
import { signOn } from './sasl-session.ts';

const CONNECTION_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Idle time before the system probes the peer. */
const KEEP_ALIVE_MS = 60_000;

/**
 * One connection to one broker: TCP or TLS, SASL authentication, framing and correlation. It costs nothing while idle: a timer
 * runs only while an answer is pending. A late answer, a broken frame or the end of the socket ends the link, and every pending
 * request fails; whether it was executed is unknown. A link is not reopened.
 */
export interface BrokerLink {
  readonly address: BrokerAddress;
  /** The reason why the link ended; undefined while it is open. */
  readonly closed: ConnectorError | undefined;
  /** Unanswered requests. */
  readonly inFlight: number;
  /** Whether the SASL session is about to end, or is being renewed: {@link transmit} nothing until {@link renew} resolved. */
  readonly stale: boolean;
  /** The newest version of a request that the broker supports, by api key; -1: none. */
  newestVersion(apiKey: number): number;
  /**
   * Sends a request by its name in Kafka, in the newest common version, and resolves with the response; the caller checks error
   * codes inside it. Rejects with `unsupported` if there is no common version, and if the link ends first. Renews a stale session
   * before.
   */
  call<Name extends keyof KafkaCalls>(
    name: Name,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer']>;
  /**
   * Sends an encoded request in pieces. The correlation id is written into the first one, at byte 8. The pieces must not change
   * before the answer.
   */
  transmit(pieces: readonly Buffer[], answered: Answered): void;
  /** The broker throttles this client: it reads nothing from this connection for this time (KIP-219). */
  noteThrottle(ms: number): void;
  /** Waits for the answers to requests in flight, then authenticates again. A failure ends the link. */
  renew(): Promise<void>;
  /** Ends the link; pending requests fail with `closed`. Idempotent. */
  close(): void;
}

class SocketLink implements BrokerLink {
  readonly address: BrokerAddress;
  readonly #options: LinkOptions;
  readonly #onClose: (error: ConnectorError) => void;
  readonly #pending: PendingAnswers;
  #socket: Socket | undefined;
  #versions: ReadonlyMap<number, OfferedVersions> = new Map();
  #closed: ConnectorError | undefined;
  #renewAt = Number.POSITIVE_INFINITY;
  #renewing: Promise<void> | undefined;
  #awaitsToken = false;
  /** Fails a wait for something other than an answer. */
  #failWait: ((error: ConnectorError) => void) | undefined;

  constructor(address: BrokerAddress, options: LinkOptions, onClose: (error: ConnectorError) => void) {
    this.address = address;
    this.#options = options;
    this.#onClose = onClose;
    const { clock, requestTimeoutMs: limitMs = REQUEST_TIMEOUT_MS } = options;
    const late = `broker ${this.#name} did not answer within ${limitMs} ms`;
    const onLate = (): void => this.#end(new ConnectorError('timeout', late));
    this.#pending = new PendingAnswers({ clock, limitMs, onLate });
  }

  get closed(): ConnectorError | undefined {
    return this.#closed;
  }

  get inFlight(): number {
    return this.#pending.size;
  }

  get stale(): boolean {
    return this.#renewing !== undefined || this.#options.clock.monotonic() > this.#renewAt;
  }

  newestVersion(apiKey: number): number {
    return this.#versions.get(apiKey)?.maxVersion ?? -1;
  }

  /** Connects, requests versions, and authenticates. */
  async open(): Promise<void> {
    if (this.#closed !== undefined) throw this.#closed;
    const limit = this.#limitSetUp();
    try {
      await this.#dial();
      await this.#askVersions();
      await this.#signOn();
    } catch (thrown) {
      const error = ConnectorError.from(thrown, 'connection_failed');
      this.#end(error);
      throw this.#closed ?? error;
    } finally {
      limit.cancel();
    }
  }

  async call<Name extends keyof KafkaCalls>(
    name: Name,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer']> {
    while (this.stale && this.#closed === undefined) await this.renew();
    return await this.#send(name, args);
  }

  transmit(pieces: readonly Buffer[], answered: Answered): void {
    const id = this.#pending.nextId();
    pieces[0]?.writeInt32BE(id, 8);
    if (!this.#await(id, answered)) return;
    const socket = this.#socket;
    socket?.cork();
    for (const piece of pieces) socket?.write(piece);
    socket?.uncork();
  }

  noteThrottle(ms: number): void {
    this.#pending.suspendLimit(ms);
  }

  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  close(): void {
    this.#end(new ConnectorError('closed', `connection to broker ${this.#name} was closed`));
  }

  get #name(): string {
    return `${this.address.host}:${this.address.port}`;
  }

  #dial(): Promise<void> {
    const { host, port } = this.address;
    return new Promise((resolve, reject) => {
      this.#failWait = reject;
      const { tls } = this.#options;
      const servername = isIP(host) === 0 ? { servername: host } : {};
      const socket =
        tls === undefined
          ? connect({ host, port }, resolve)
          : connectSecurely({ host, port, ...servername, ...tls }, resolve);
      this.#socket = socket;
      this.#listen(socket);
    });
  }

  #listen(socket: Socket): void {
    const reader = new ResponseReader((id, payload) => this.#answer(id, payload));
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.on('data', (bytes: Buffer) => {
      try {
        reader.push(bytes);
      } catch (thrown) {
        this.#end(ConnectorError.from(thrown, 'protocol_error'));
      }
    });
    socket.on('error', (error) => this.#end(this.#connectionError(reasonOf(error), error)));
    socket.on('close', () => this.#end(this.#connectionError('closed by the peer')));
  }

  #connectionError(reason: string, cause?: Error): ConnectorError {
    const established = this.#versions.size > 0;
    const code = established ? 'connection_lost' : 'connection_failed';
    return new ConnectorError(code, `connection to broker ${this.#name} failed: ${reason}`, { cause });
  }

  async #signOn(): Promise<void> {
    const { sasl, clock } = this.#options;
    if (sasl === undefined) return;
    const limited =
      sasl.mechanism === 'OAUTHBEARER' ? { ...sasl, token: () => this.#tokenOf(sasl.token) } : sasl;
    this.#renewAt = await signOn({
      ...this.address,
      sasl: limited,
      clock,
      call: (name, args) => this.#send(name, args),
    });
  }

  /** The callback may never settle: the end of the link ends the wait. */
  async #tokenOf(ask: () => Promise<OAuthToken>): Promise<OAuthToken> {
    // The link may have ended before the answer
    if (this.#closed !== undefined) throw this.#closed;
    this.#awaitsToken = true;
    try {
      return await new Promise((resolve, reject) => {
        this.#failWait = reject;
        ask().then(resolve, reject);
      });
    } finally {
      this.#awaitsToken = false;
    }
  }

  async #renew(): Promise<void> {
    let limit: Timer | undefined;
    try {
      await this.#pending.none();
      limit = this.#limitSetUp();
      if (this.#closed === undefined) await this.#signOn();
    } catch (thrown) {
      this.#end(ConnectorError.from(thrown, 'connection_lost'));
    } finally {
      limit?.cancel();
    }
  }

  /** Ends the link unless it is cancelled within the time for connecting and authenticating. */
  #limitSetUp(): Timer {
    const limitMs = this.#options.connectionTimeoutMs ?? CONNECTION_TIMEOUT_MS;
    return this.#options.clock.after(limitMs, () => {
      this.#end(
        this.#awaitsToken
          ? new ConnectorError('handshake_rejected', `no token to sign on with came within ${limitMs} ms`)
          : new ConnectorError(
              'connection_failed',
              `broker ${this.#name} did not answer within ${limitMs} ms`,
            ),
      );
    });
  }

  /** The first request on a connection: it requests the versions of all others. */
  async #askVersions(): Promise<void> {
    const { key, newest } = kafkaApis.ApiVersions;
    let answer = await this.#exchange('ApiVersions', newest, clientSoftware);
    if (answer.errorCode === errorCodes.UNSUPPORTED_VERSION) {
      // Brokers before Kafka 2.4 do not report their versions of this request
      const offered = answer.apiKeys.find(({ apiKey }) => apiKey === key);
      answer = await this.#exchange(
        'ApiVersions',
        commonVersion('ApiVersions', offered) ?? 0,
        clientSoftware,
      );
    }
    if (answer.errorCode !== 0) {
      const why = errorText(answer.errorCode);
      const message = `broker ${this.#name} does not say which requests it knows: ${why}`;
      throw new ConnectorError('protocol_error', message);
    }
    this.#versions = new Map(answer.apiKeys.map((row) => [row.apiKey, row]));
  }

  async #send<Name extends keyof KafkaCalls>(
    name: Name,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer']> {
    const { key, newest, request } = kafkaApis[name];
    const offered = this.#versions.get(key);
    const version = commonVersion(name, offered);
    if (version !== undefined) return await this.#exchange(name, version, args);
    const theirs =
      offered === undefined ? 'no version' : `versions ${offered.minVersion} to ${offered.maxVersion}`;
    const expected = `${request.versions[0]} to ${newest}`;
    const message = `broker ${this.#name} offers ${theirs} of the request ${name}, expected one of ${expected}`;
    throw new ConnectorError('unsupported', message);
  }

  async #exchange<Name extends keyof KafkaCalls>(
    name: Name,
    version: number,
    args: KafkaCalls[Name]['args'],
  ): Promise<KafkaCalls[Name]['answer']> {
    const correlationId = this.#pending.nextId();
    const frame = this.#encode({ name, version, correlationId, clientId: this.#options.clientId, args });
    const payload = await new Promise<Buffer>((resolve, reject) => {
      const settle: Answered = (error, bytes) => (bytes === null ? reject(error) : resolve(bytes));
      if (this.#await(correlationId, settle)) this.#socket?.write(frame);
    });
    try {
      return decodeResponse(name, version, payload);
    } catch (cause) {
      // Unreadable bytes do not come from a broker: the rest of the connection cannot be trusted
      const message = `broker ${this.#name} sent an answer that cannot be read`;
      const error = new ConnectorError('protocol_error', message, { cause });
      this.#end(error);
      throw error;
    }
  }

  #encode<Name extends keyof KafkaCalls>(asked: EncodableRequest<Name>): Buffer {
    try {
      return encodeRequest(asked);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `version ${asked.version} of the request ${asked.name} to broker ${this.#name} cannot be written: ${reason}`;
      throw new ConnectorError('unsupported', message, { cause });
    }
  }

  /** Returns false if the link has ended; the request has failed then. */
  #await(id: number, answered: Answered): boolean {
    if (this.#closed === undefined) this.#pending.add(id, answered);
    else answered(this.#closed, null);
    return this.#closed === undefined;
  }

  #answer(id: number, payload: Buffer): void {
    if (this.#pending.answer(id, payload)) return;
    const message = `broker ${this.#name} answered a request that was not made`;
    throw new ConnectorError('protocol_error', message);
  }

  #end(error: ConnectorError): void {
    if (this.#closed !== undefined) return;
    this.#closed = error;
    this.#socket?.destroy();
    // First, so that a caller whose request fails below does not send it again here
    this.#onClose(error);
    this.#failWait?.(error);
    this.#pending.failAll(error);
  }
}

/** A name with several addresses fails with one error for each, and an empty message. */
function reasonOf(error: Error): string {
  if (!(error instanceof AggregateError)) return error.message;
  return error.errors.map((each) => (each instanceof Error ? each.message : String(each))).join(', ');
}

/** Brokers count connections by this (KIP-511). They also use "unknown" for a client without a version. */
const clientSoftware = { clientSoftwareName: 'levada', clientSoftwareVersion: 'unknown' };

export interface LinkHooks {
  /**
   * Called once when an open link ends, including by {@link BrokerLink.close}, before pending requests fail. Not called if it
   * never opened.
   */
  readonly onClose?: (error: ConnectorError, link: BrokerLink) => void;
  /** Cancels the attempt to connect. */
  readonly signal?: AbortSignal;
}

/**
 * Connects to a broker. Rejects with `connection_failed`, `handshake_rejected`, `protocol_error` or `closed`; with
 * `connection_lost` or `timeout` if the broker fails after it has reported its versions, and with `unsupported` if it lacks a
 * request for authentication.
 */
export async function openLink(
  address: BrokerAddress,
  options: LinkOptions,
  { onClose, signal }: LinkHooks = {},
): Promise<BrokerLink> {
  let opened = false;
  const link = new SocketLink(address, options, (error) => {
    if (opened) onClose?.(error, link);
  });
  const abort = (): void => link.close();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await link.open();
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  // Bytes after the last answer may have ended it in the same turn of the event loop
  if (link.closed !== undefined) throw link.closed;
  opened = true;
  return link;
}
