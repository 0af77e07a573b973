import type { SignalName } from '../../model/signals.ts';
import type { ReceiverOptions } from '../admission/receiver.ts';

/** Which web pages may send exports (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol). */
export interface CorsOptions {
  /** Origins as browsers write them, `https://shop.example`, in any case; `https://*.shop.example` stands for all hosts below that one, `*` for every origin. */
  readonly origins: readonly string[];
  /** Request headers that are allowed in addition to those that exporters send (Content-Type, Content-Encoding, Authorization). */
  readonly headers: readonly string[];
  /** Seconds for which browsers remember a preflight answer. */
  readonly maxAgeSeconds: number;
}

/** How long clients may take, in milliseconds. Looked at once a second, more often when they are shorter. */
export interface HttpTimeouts {
  /** From the connection, or the first byte of a further request, to the end of the headers; also for a TLS handshake. */
  readonly headersMs: number;
  /** From there to the end of the body; also for reading the answers. */
  readonly requestMs: number;
  /** Between an answer and the next request. */
  readonly keepAliveMs: number;
}

/** Headers 10 s, whole request 30 s, idle 65 s: longer than the idle times of usual proxies, which must close first. */
export const defaultHttpTimeouts: HttpTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
};

export interface HttpReceiverOptions extends ReceiverOptions {
  /** Exact paths, such as `/v1/traces`, to what is sent there. Those of signals that are not offered are unknown paths. */
  readonly paths: ReadonlyMap<string, SignalName>;
  /** Undefined: pages of other origins are refused. */
  readonly cors: CorsOptions | undefined;
  readonly timeouts: HttpTimeouts;
}
