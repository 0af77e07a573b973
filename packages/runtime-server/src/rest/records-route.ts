import { ConnectorError } from '@levada/connect-runtime-core';
import type { CompactedRecord, RecordPage } from '@levada/connect-runtime-core/platform';
import { RestError } from './message/rest-error.ts';
import { connectorName, type Reply, type RestCall, type RestContext, type Route } from './route.ts';

const DEFAULT_RECORDS = 10;
const MOST_RECORDS = 100;
/** Topics of which records are shown at once. */
const MOST_TOPICS = 20;
const TIMEOUT_MS = 15_000;

/** Topic, then partition, to the offset after the last record that was shown. */
type Places = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The records that a connector wrote, read back from the log. */
export const recordsRoute: Route = {
  method: 'GET',
  path: '/connectors/{connector}/records',
  status: 200,
  doc: {
    id: 'listRecords',
    summary: 'Show the last records that a connector wrote',
    query: {
      last: 'At most so many of each topic, from 0 to 100. Default: 10.',
      after: 'Only records after those of an earlier answer: its `next`.',
    },
    answer: 'Records',
    errors: {
      403: 'The worker is open to other machines without authentication.',
      404: 'There is no such connector, or the worker cannot read topics.',
    },
  },
  role: 'admin',
  timeoutMs: TIMEOUT_MS,
  handle: records,
};

async function records(call: RestCall, context: RestContext): Promise<Reply> {
  const { herder, readRecords, hidesRecords } = context;
  const name = connectorName(call);
  await herder.connector(name);
  if (hidesRecords)
    throw new RestError(
      403,
      'This worker shows no records, because other machines can ask it without authentication. Configure users (rest.basic.users.file), tokens or client certificates, or listeners on 127.0.0.1 only, or read the topics with a consumer of Kafka or the folder of an embedded log with levada tap --folder',
    );
  if (readRecords === undefined) throw new RestError(404, 'The log of this worker cannot be read back');
  const most = countOf(call.query.get('last'));
  const places = placesOf(call.query.get('after'));
  const topics = (await herder.activeTopics(name)).slice(0, MOST_TOPICS);
  const pages = await Promise.all(
    topics.map(async (topic) => {
      const after =
        places && new Map(Object.entries(places[topic] ?? {}).map(([id, at]) => [Number(id), at]));
      const query = { topic, most, ...(after === undefined ? {} : { after }) };
      return { topic, page: await readRecords(query).catch(unread) };
    }),
  );
  const next = Object.fromEntries(pages.map(({ topic, page }) => [topic, Object.fromEntries(page.next)]));
  return {
    body: {
      records: pages.flatMap(({ topic, page }) => page.records.map((record) => recordBody(topic, record))),
      next: Buffer.from(JSON.stringify(next)).toString('base64url'),
    },
  };
}

/** A topic that was deleted has no records; everything else is the cluster's trouble. */
function unread(thrown: unknown): RecordPage {
  const error = ConnectorError.from(thrown);
  if (error.code === 'topic_unavailable') return { records: [], next: new Map() };
  throw new RestError(503, error.message);
}

function countOf(text: string | null): number {
  const count = text === null ? DEFAULT_RECORDS : /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= MOST_RECORDS) return count;
  throw new RestError(400, `last is not a whole number from 0 to ${MOST_RECORDS}`);
}

function placesOf(text: string | null): Places | undefined {
  if (text === null) return undefined;
  try {
    const places: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (isPlaces(places)) return places;
  } catch {
    // no JSON: refused below
  }
  throw new RestError(400, 'after is not the "next" of an earlier answer');
}

function isPlaces(value: unknown): value is Places {
  const isMap = (one: unknown): one is Record<string, unknown> =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  return (
    isMap(value) &&
    Object.values(value).every(
      (topic) =>
        isMap(topic) && Object.values(topic).every((at) => Number.isSafeInteger(at) && Number(at) >= 0),
    )
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function recordBody(topic: string, { partition, offset, timestamp, key, value }: CompactedRecord): object {
  return { topic, partition, offset, timestamp, ...named('key', key), ...named('value', value) };
}

/** Text as text; bytes that are no UTF-8 under a name that says what they are. */
function named(name: string, bytes: Uint8Array | null): object {
  if (bytes === null) return { [name]: null };
  try {
    return { [name]: utf8.decode(bytes) };
  } catch {
    return { [`${name}_base64`]: Buffer.from(bytes).toString('base64') };
  }
}
