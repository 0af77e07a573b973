import type { Clock } from '@levada/connect-runtime-core';
import type { ListenerAddress } from '../config/listener-address.ts';
import { withoutNames } from '../config/response-headers.ts';
import { createRestHandler, routes } from '../rest/handler.ts';
import { errorResponse } from '../rest/message/error-response.ts';
import { splitTarget } from '../rest/message/match-path.ts';
import type { RestHandler } from '../rest/message/rest-message.ts';
import type { RestContext } from '../rest/route.ts';
import type { AdmissionRules } from './admission.ts';
import { openListener, type RestListener, securityHeaders } from './listener.ts';
import type { TlsRenewal } from './tls-renewal.ts';

/** Where REST is to be answered. */
export interface RestOptions {
  readonly listeners: readonly ListenerAddress[];
  /** `same`: everything everywhere; otherwise admin endpoints only there. */
  readonly adminListeners: 'same' | readonly ListenerAddress[];
  /** Of `https` addresses; stopped when REST is closed. */
  readonly tls?: TlsRenewal | undefined;
  /** The same for `adminListeners`. */
  readonly adminTls?: TlsRenewal | undefined;
  readonly admission: AdmissionRules;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly clock: Clock;
}

/** REST on all its addresses. */
export interface RestServer {
  /** The addresses of `listeners` with their real ports, in order. */
  readonly listeners: readonly ListenerAddress[];
  /** Addresses of `adminListeners`; empty when they are the same listeners. */
  readonly adminListeners: readonly ListenerAddress[];
  /** From now on requests are answered; before, all of them are answered with 503: the worker is starting. */
  serve(context: RestContext): void;
  /** Always resolves; idempotent. */
  close(timeoutMs: number): Promise<void>;
}

/** Binds every address at once, so that clients get answers from the first moment. Rejects with `address_in_use`. */
export async function openRest(options: RestOptions): Promise<RestServer> {
  let handleAll: RestHandler = starting;
  let handleAdmin: RestHandler = starting;
  const opened: RestListener[] = [];
  const close = async (timeoutMs: number): Promise<void> => {
    options.tls?.stop();
    options.adminTls?.stop();
    await Promise.all(opened.map((listener) => listener.close(timeoutMs)));
  };
  const open = async (
    address: ListenerAddress,
    handle: RestHandler,
    renewal: TlsRenewal | undefined,
  ): Promise<ListenerAddress> => {
    const { admission, headers, clock } = options;
    const secure = address.scheme === 'https' ? renewal : undefined;
    const tls = secure?.loaded.server;
    if (address.scheme === 'https' && tls === undefined) throw new Error('an https listener without TLS');
    // What the worker's configuration says of a header counts.
    const all = [...withoutNames(securityHeaders, headers), ...headers];
    const listener = await openListener({ ...address, tls, handle, admission, clock, headers: all });
    secure?.onRenewal(({ server }) => listener.renewTls(server));
    opened.push(listener);
    return { ...address, port: listener.port };
  };
  try {
    const listeners: ListenerAddress[] = [];
    for (const address of options.listeners)
      listeners.push(await open(address, (request) => handleAll(request), options.tls));
    const adminListeners: ListenerAddress[] = [];
    const admin = options.adminListeners === 'same' ? [] : options.adminListeners;
    for (const address of admin) {
      adminListeners.push(await open(address, (request) => handleAdmin(request), options.adminTls));
    }
    const serve = (context: RestContext): void => {
      const here =
        options.adminListeners === 'same' ? routes : routes.filter(({ path }) => !path.startsWith('/admin'));
      handleAll = createRestHandler(here, context);
      handleAdmin = createRestHandler(
        routes.filter((route) => route.admin === true),
        context,
      );
    };
    return { listeners, adminListeners, serve, close };
  } catch (error) {
    await close(0);
    throw error;
  }
}

/** Before there is anything to ask: Connect's health body, and 503 for everything else. The process lives already. */
const starting: RestHandler = (request) => {
  const message = 'Worker is still starting up.';
  const response = errorResponse({ status: 503, message });
  const { path } = splitTarget(request.target);
  if (!/^\/health(?:\/live|\/ready)?$/.test(path)) return Promise.resolve(response);
  const status = path === '/health/live' ? 200 : 503;
  return Promise.resolve({ ...response, status, body: JSON.stringify({ status: 'starting', message }) });
};
