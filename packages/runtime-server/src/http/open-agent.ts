import type { Clock } from '@levada/connect-runtime-core';
import type { ListenerAddress } from '../config/listener-address.ts';
import { errorResponse } from '../rest/message/error-response.ts';
import type { RestHandler } from '../rest/message/rest-message.ts';
import type { AdmissionRules } from './admission.ts';
import { openListener, type RestListener, securityHeaders } from './listener.ts';

/** Something that answers beside REST, on addresses of its own. */
export interface AgentServer {
  /** Its addresses with their real ports, in order. */
  readonly listeners: readonly ListenerAddress[];
  /** From now on requests are answered; before, all of them are answered with 503. */
  serve(handle: RestHandler): void;
  /** Always resolves; idempotent. */
  close(timeoutMs: number): Promise<void>;
}

export interface AgentOptions {
  /** May be empty: then there is no agent. */
  readonly listeners: readonly ListenerAddress[];
  readonly admission: AdmissionRules;
  readonly clock: Clock;
}

/** An answer may hold every metric of the worker, so few are made at once. */
const limits = { connections: 100, bodyBytes: 8 * 1024 * 1024, inFlight: 10 };

/** Binds every address. Rejects with `address_in_use`. */
export async function openAgent({ listeners, admission, clock }: AgentOptions): Promise<AgentServer> {
  let handle: RestHandler = () =>
    Promise.resolve(errorResponse({ status: 503, message: 'Worker is still starting up.' }));
  const opened: RestListener[] = [];
  const addresses: ListenerAddress[] = [];
  const close = async (timeoutMs: number): Promise<void> => {
    await Promise.all(opened.map((listener) => listener.close(timeoutMs)));
  };
  try {
    for (const { host, port } of listeners) {
      const listener = await openListener({
        host,
        port,
        handle: (request) => handle(request),
        admission,
        headers: securityHeaders,
        clock,
        limits,
      });
      opened.push(listener);
      addresses.push({ scheme: 'http', host, port: listener.port });
    }
  } catch (error) {
    await close(0);
    throw error;
  }
  return {
    listeners: addresses,
    serve: (given) => {
      handle = given;
    },
    close,
  };
}
