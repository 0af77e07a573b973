import { type CloseReport, pipe } from '@levada/connect-runtime-core';
import { each, fileOffsets } from '@levada/connect-runtime-core/sinks';
import { type GrpcOptions, grpcSource } from '@levada/source-grpc';

/** What is read, where it goes, and what is remembered between two runs. */
export interface Forwarding {
  /** The method has a field in its request that says where to resume, and ends the stream when there is nothing new. `key` is the id. */
  readonly feed: Omit<GrpcOptions, 'topic'> & Required<Pick<GrpcOptions, 'resume' | 'key'>>;
  /** Gets each order as a POST request. */
  readonly webhook: string | URL;
  readonly offsetFile: string;
  /** Ends the job earlier; the next one continues there. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Forwards what is new since the last run, and ends. Resolves when each order was taken by the webhook or left for the next run; rejects
 * when one is refused, and the next run begins with that. No order is left out; after a kill some may be posted a second time, so
 * they carry their id.
 */
export async function forwardOrders(forwarding: Forwarding): Promise<CloseReport> {
  const source = grpcSource({
    ...forwarding.feed,
    topic: 'orders',
    completion: 'stop',
    offsets: fileOffsets(forwarding.offsetFile),
  });
  const post = each<string>(
    async ({ key, value }, { signal }) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': String(key) };
      const init = { method: 'POST', headers, body: value, signal };
      const { ok, status, body } = await fetch(forwarding.webhook, init);
      await body?.cancel(); // or each connection stays open until it is read
      // What the webhook refuses it will refuse again.
      const retriable = status >= 500 || status === 429;
      if (!ok) throw Object.assign(new Error(`the webhook answers ${status}`), { retriable });
    },
    { concurrency: 8, retries: 5, backoff: { initialMs: 200, maxMs: 5000 } },
  );
  return await pipe(source, post, { signal: forwarding.signal }).done;
}
