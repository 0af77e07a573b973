import { ConnectorError } from '@levada/connect-runtime-core';
import { readError } from '../broker-errors.ts';
import type { BrokerLink } from '../wire/broker-link.ts';
import { encodeFetch, FETCH, FETCH_VERSION, type FetchRequest } from './fetch-request.ts';
import { decodeFetch, type FetchResponse } from './fetch-response.ts';

/** One fetch over a connection of its own: the broker answers when there is something, or after the time to wait. */
export async function fetchOnce(link: BrokerLink, request: FetchRequest): Promise<FetchResponse> {
  while (link.stale && link.closed === undefined) await link.renew();
  if (link.newestVersion(FETCH) < FETCH_VERSION && link.closed === undefined) {
    throw new ConnectorError('unsupported', 'the broker is older than Kafka 2.1');
  }
  const payload = await new Promise<Buffer>((resolve, reject) => {
    link.transmit([encodeFetch(request)], (error, bytes) =>
      bytes === null ? reject(error) : resolve(bytes),
    );
  });
  const answer = read(payload);
  if (answer.errorCode === 0) return answer;
  throw readError(answer.errorCode, `cannot read topic "${request.topic}"`);
}

function read(payload: Buffer): FetchResponse {
  try {
    return decodeFetch(payload);
  } catch (error) {
    throw new ConnectorError('protocol_error', 'the broker sent an answer that is cut off', { cause: error });
  }
}
