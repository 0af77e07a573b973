import type { GoldenAnswer, GoldenCase } from './golden-case.ts';

/** One request, repeated until the answer contains all of `until`. */
export type Probe = Pick<GoldenCase, 'call' | 'headers' | 'body' | 'until'>;

const source = 'org.apache.kafka.connect.file.FileStreamSourceConnector';
const complete = { 'connector.class': source, 'tasks.max': '1', file: '<files>/in.txt', topic: '<topic>' };
const json = { 'content-type': 'application/json' };

/** Requests that no recording has, to be sent to two workers side by side, in this order. */
export function probes(): readonly Probe[] {
  return [
    ...paths(),
    ...bodies(),
    ...headers(),
    ...validations(),
    ...lifeCycle(),
    ...offsets(),
    ...loggers(),
  ];
}

function paths(): readonly Probe[] {
  const targets = [
    '/%63onnectors',
    '/connectors%2F',
    '/connectors/%7A%7A',
    '/connectors/zz/%63onfig',
    '/connectors/zz;a=b/status',
    '/connectors;a=b',
    '/connectors/zz/status/',
    '/connectors/zz/status//',
    '/connectors/%20',
    '/connectors/.',
    '/connectors/..',
    '/connectors/%2e',
    '/connectors/zz/tasks/0/status/',
    '/connectors/zz/tasks/%30/status',
    '/connectors/zz/tasks/1e0/status',
    '/connectors/zz/tasks//status',
    '/connectors?expand=',
    '/connectors?expand=STATUS',
    '/connectors?expand=info&expand=nothing',
    '/connectors?a=%zz',
    '/connectors?',
    '/connector-plugins?connectorsOnly=nonsense',
    '/connector-plugins/FileStreamSourceConnector/config?version=1',
    '/connector-plugins/nothing/config',
    '/connector-plugins//config',
    '/CONNECTORS',
    '/health/',
    '/health?x=1',
    '/admin',
    '/admin/loggers//',
    '/connectors/zz/topics',
    '/connectors/zz/topics/',
    '/connectors/zz/fence',
    '/connectors/zz/restart',
    '/application.wadl',
  ];
  const methods = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];
  return targets.flatMap((target, index) =>
    methods
      .filter((_, at) => at === 0 || (index + at) % 3 === 0)
      .map((method) => ({ call: `${method} ${target}` })),
  );
}

const texts = [
  '{"connector.class":"FileStreamSource"} x',
  '{"a":"b"} {}',
  '{"a":"b"}]',
  '{"a":"b"}\n\n',
  '{"a":"b"}\u0000',
  '{"a":"1","a":"2"}',
  '{"name":"bb","name":"cc","config":{}}',
  '{"name":"bb","config":{"a":"1","a":"2"}}',
  '{"a":1e3,"b":-0,"c":0.10,"d":true,"e":123456789012345678901234567890}',
  '{"a":01}',
  '{"a":.5}',
  '{"a":NaN}',
  '{"a":"\t"}',
  '{"a":"\\x"}',
  '{"a":"\\ud800"}',
  '/* c */ {"a":"b"}',
  '{"a":"b"',
  '{"":"b"}',
  '"{}"',
  '[{}]',
  '[null]',
  'nul',
];

function bodies(): readonly Probe[] {
  const calls = [
    'POST /connectors',
    'PUT /connectors/bb/config',
    'PATCH /connectors/bb/config',
    'PUT /connector-plugins/FileStreamSource/config/validate',
    'PATCH /connectors/bb/offsets',
  ];
  return calls.flatMap((call) => texts.map((body) => ({ call, headers: json, body })));
}

function headers(): readonly Probe[] {
  const from = { origin: 'https://other.example' };
  return [
    { call: 'GET /connectors', headers: from },
    { call: 'GET /connectors', headers: { ...from, 'sec-fetch-site': 'cross-site' } },
    { call: 'OPTIONS /connectors', headers: { ...from, 'access-control-request-method': 'POST' } },
    { call: 'PUT /connectors/zz/pause', headers: from },
    { call: 'DELETE /connectors/zz', headers: from },
    { call: 'PUT /connectors/zz/config', headers: { ...from, ...json }, body: '{}' },
    { call: 'POST /connectors', headers: { ...from, ...json }, body: '{}' },
    { call: 'POST /connectors/zz/restart', headers: { ...from, ...json } },
    { call: 'GET /connectors', headers: { accept: 'application/*' } },
    { call: 'GET /connectors', headers: { accept: 'application/json;q=0.1, */*' } },
    { call: 'GET /connectors', headers: { accept: 'nonsense' } },
    { call: 'GET /connectors', headers: { 'content-type': 'text/plain' } },
    { call: 'DELETE /connectors/zz', headers: { 'content-type': 'text/plain' } },
    { call: 'PUT /connectors/zz/pause', headers: json, body: 'not json' },
    { call: 'PUT /connectors/zz/config', headers: { 'content-type': 'application/JSON' }, body: '{}' },
    { call: 'PUT /connectors/zz/config', headers: { 'content-type': 'application/vnd.a+json' }, body: '{}' },
    { call: 'POST /connectors/zz/tasks', headers: json, body: '[]' },
    {
      call: 'POST /connectors/zz/tasks',
      headers: {
        ...json,
        'x-connect-authorization': 'AAAA',
        'x-connect-request-signature-algorithm': 'HmacSHA256',
      },
      body: '[]',
    },
    {
      call: 'POST /connectors/zz/tasks',
      headers: {
        ...json,
        'x-connect-authorization': 'AAAA',
        'x-connect-request-signature-algorithm': 'HmacSHA1',
      },
      body: '[]',
    },
    {
      call: 'POST /connectors/zz/tasks',
      headers: {
        ...json,
        'x-connect-authorization': 'AAAA',
        'x-connect-request-signature-algorithm': 'Nothing',
      },
      body: '[]',
    },
  ];
}

function validations(): readonly Probe[] {
  const call = 'PUT /connector-plugins/FileStreamSource/config/validate';
  const changes: readonly Readonly<Record<string, string | null>>[] = [
    { 'batch.size': 'abc' },
    { 'batch.size': '' },
    { 'batch.size': null },
    { 'batch.size': '1.0' },
    { 'batch.size': '-1' },
    { 'batch.size': '0x10' },
    { 'batch.size': ' 5 ' },
    { 'batch.size': '99999999999' },
    { 'tasks.max': 'abc' },
    { 'tasks.max': '' },
    { 'tasks.max': null },
    { 'tasks.max': '0' },
    { 'tasks.max.enforce': 'maybe' },
    { 'tasks.max.enforce': '' },
    { file: null },
    { topic: null },
    { topic: '' },
    { 'errors.retry.timeout': 'x' },
    { 'errors.retry.timeout': '-2' },
    { 'errors.retry.delay.max.ms': 'x' },
    { 'errors.retry.delay.max.ms': '1.5' },
    { 'errors.tolerance': 'some' },
    { 'errors.tolerance': null },
    { 'errors.tolerance': 'ALL' },
    { 'errors.log.enable': 'x' },
    { 'config.action.reload': 'never' },
    { 'config.action.reload': 'NONE' },
    { 'exactly.once.support': 'required' },
    { 'exactly.once.support': 'x' },
    { 'transaction.boundary': 'x' },
    { 'transaction.boundary': 'CONNECTOR' },
    { 'transaction.boundary.interval.ms': 'x' },
    { 'transaction.boundary.interval.ms': '0' },
    { 'offsets.storage.topic': '' },
    { 'offsets.storage.topic': ' ' },
    { 'offsets.storage.topic': 'mine' },
    { 'offsets.storage.topic': 'not a topic' },
    { 'topic.creation.groups': 'a,a' },
    { 'topic.creation.groups': 'a' },
    { 'topic.creation.groups': 'default' },
    { 'topic.creation.default.partitions': 'x' },
    { 'topic.creation.default.partitions': '3' },
    { 'topic.creation.default.replication.factor': '0' },
    { 'producer.override.linger.ms': '5' },
    { 'producer.override.linger.ms': 'x' },
    { 'producer.override.acks': 'x' },
    { 'producer.override.bootstrap.servers': 'a:1' },
    { 'producer.override.nothing': '5' },
    { 'producer.override.compression.type': 'gzip' },
    { 'consumer.override.max.poll.records': '5' },
    { 'admin.override.retries': 'x' },
    { name: '' },
    { name: null },
    { name: 'a\nb' },
    { 'key.converter': 'x' },
    { 'key.converter': null },
    { 'key.converter': 'org.apache.kafka.connect.storage.StringConverter' },
    { 'key.converter': 'org.apache.kafka.connect.json.JsonConverter', 'key.converter.schemas.enable': 'x' },
    { 'header.converter': 'x' },
    { 'value.converter': '' },
    { unknown: null },
    { unknown: 'x' },
    { predicates: 'p', 'predicates.p.type': 'x' },
    { 'connector.class': null },
    { 'connector.class': '' },
    { 'connector.class': 'FileStreamSource' },
    { 'connector.class': 'FileStreamSourceConnector' },
  ];
  return changes.map((change) => ({ call, headers: json, body: { name: 'v', ...complete, ...change } }));
}

function lifeCycle(): readonly Probe[] {
  const status = (name: string, state: string): Probe => ({
    call: `GET /connectors/${name}/status`,
    until: [`"state":"${state}"`],
  });
  return [
    { call: 'POST /connectors', headers: json, body: { name: ' p1 ', config: complete } },
    { ...status('p1', 'RUNNING'), until: ['"id":0,"state":"RUNNING"'] },
    { call: 'GET /connectors/p1' },
    { call: 'GET /connectors/p1/config' },
    { call: 'GET /connectors/p1/tasks' },
    { call: 'GET /connectors/p1/tasks-config' },
    { call: 'GET /connectors/p1/tasks/0/status' },
    { call: 'GET /connectors/p1/tasks/1/status' },
    { call: 'GET /connectors?expand=info&expand=status' },
    { call: 'PUT /connectors/p1/config', headers: json, body: { ...complete, 'batch.size': '100' } },
    { call: 'PUT /connectors/p1/config', headers: json, body: { ...complete, name: 'p2' } },
    { call: 'PUT /connectors/p1/config', headers: json, body: { ...complete, 'tasks.max': 'x' } },
    { call: 'PATCH /connectors/p1/config', headers: json, body: '{"topic":null}' },
    { call: 'PATCH /connectors/p1/config', headers: json, body: '{}' },
    { call: 'PATCH /connectors/p1/config', headers: json, body: '{"extra":"1"}' },
    { call: 'PATCH /connectors/p1/config', headers: json, body: '{"extra":null}' },
    { call: 'GET /connectors/p1/config' },
    { call: 'PUT /connectors/p1/pause' },
    { ...status('p1', 'PAUSED'), until: ['"connector":{"state":"PAUSED"', '"id":0,"state":"PAUSED"'] },
    { call: 'PUT /connectors/p1/stop' },
    { ...status('p1', 'STOPPED'), until: ['"connector":{"state":"STOPPED"', '"tasks":[]'] },
    { call: 'GET /connectors/p1/tasks' },
    { call: 'POST /connectors/p1/restart?includeTasks=true' },
    { call: 'POST /connectors/p1/tasks/0/restart' },
    { call: 'PUT /connectors/p1/topics/reset' },
  ];
}

function offsets(): readonly Probe[] {
  const call = 'PATCH /connectors/p1/offsets';
  const partition = { filename: '<files>/in.txt' };
  return [
    ...[
      { offsets: [{ partition, offset: { position: 4 } }] },
      { offsets: [{ partition, offset: { position: '4' } }] },
      { offsets: [{ partition, offset: { position: -1 } }] },
      { offsets: [{ partition, offset: { position: 1.5 } }] },
      { offsets: [{ partition, offset: {} }] },
      { offsets: [{ partition, offset: null }] },
      { offsets: [{ partition }] },
      { offsets: [{ partition: null, offset: { position: 4 } }] },
      { offsets: [{ partition: {}, offset: { position: 4 } }] },
      { offsets: [{ offset: { position: 4 } }] },
      { offsets: [{ partition: { filename: null }, offset: null }] },
      { offsets: [null] },
      { offsets: [{}] },
      { offsets: null },
    ].map((body) => ({ call, headers: json, body })),
    { call: 'GET /connectors/p1/offsets' },
    { call: 'DELETE /connectors/p1/offsets' },
    { call: 'GET /connectors/p1/offsets' },
    { call: 'DELETE /connectors/p1' },
    { call: 'DELETE /connectors/p1' },
  ];
}

function loggers(): readonly Probe[] {
  return [
    '{"level":"debug"}',
    '{"level":""}',
    '{"level":null}',
    '{"level":"x"}',
    '{"level":1}',
    '{"x":"y"}',
  ].map((body) => ({ call: 'PUT /admin/loggers/probe.one', headers: json, body }));
}

interface Known {
  readonly why: string;
  readonly fits: (probe: Probe, java: GoldenAnswer, ours: GoldenAnswer) => boolean;
}

/** What is different, and stays so. */
const known: readonly Known[] = [
  {
    why: "texts of Java's JSON library and null pointer errors",
    fits: (_probe, java, ours) => java.status === 500 && ours.status === 500,
  },
  {
    why: 'values are masked while it is not known which are secrets',
    fits: (_probe, java, ours) =>
      java.status === ours.status && textOf(java).includes('contains no connector type'),
  },
  {
    why: 'other plugins are installed',
    fits: ({ call }, java, ours) => call.startsWith('GET /connector-plugins') && java.status === ours.status,
  },
  {
    why: 'half of a surrogate pair cannot be stored as UTF-8',
    fits: ({ body }) => body === '{"a":"\\ud800"}',
  },
  { why: 'our file connector checks batch.size', fits: (probe) => hasKey(probe, 'batch.size') },
  { why: 'null is refused for a required key', fits: (probe) => givenValue(probe, 'topic') === null },
  {
    why: 'a wrong override is an error of its key, not of the worker',
    fits: (probe) => givenValue(probe, 'producer.override.linger.ms') === 'x',
  },
  {
    why: 'keys without effect on our producer have no row in the validation',
    fits: (probe) =>
      hasKey(probe, 'producer.override.bootstrap.servers') || hasKey(probe, 'producer.override.nothing'),
  },
  {
    why: 'a name that no topic can have is refused before a task fails with it',
    fits: (probe) => givenValue(probe, 'offsets.storage.topic') === 'not a topic',
  },
  { why: 'predicates are checked in another way', fits: (probe) => hasKey(probe, 'predicates') },
  {
    why: 'a worker alone has no session key, and it names the algorithms that it takes',
    fits: ({ call }, _java, ours) => call === 'POST /connectors/zz/tasks' && [400, 503].includes(ours.status),
  },
  {
    why: 'Kafka Connect rebalances after a stop',
    fits: ({ call }, java) => call === 'POST /connectors/p1/tasks/0/restart' && java.status === 409,
  },
];

function textOf({ answer }: GoldenAnswer): string {
  return JSON.stringify(answer) ?? '';
}

function hasKey({ body }: Probe, key: string): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, key);
}

function givenValue(probe: Probe, key: string): unknown {
  return hasKey(probe, key) ? (probe.body as Readonly<Record<string, unknown>>)[key] : undefined;
}

/** Why two answers differ; undefined when that is not decided. */
export function knownDifference(probe: Probe, java: GoldenAnswer, ours: GoldenAnswer): string | undefined {
  return known.find(({ fits }) => fits(probe, java, ours))?.why;
}
