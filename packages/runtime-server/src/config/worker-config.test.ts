import { describe, expect, it } from 'vitest';
import { readWorkerConfig, workerConfigDef } from './worker-config.ts';

const kafka = {
  'bootstrap.servers': 'localhost:9092',
  'group.id': 'g',
  'config.storage.topic': 'c',
  'offset.storage.topic': 'o',
  'status.storage.topic': 's',
  'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
  'key.converter.schemas.enable': 'false',
  'value.converter': 'org.apache.kafka.connect.storage.StringConverter',
};

function problemsOf(raw: Record<string, string>): readonly string[] {
  try {
    readWorkerConfig(raw);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

describe('readWorkerConfig', () => {
  it("replaces a response header by 'set' and keeps the values of 'add'", () => {
    const text = 'add X-A: 1, set x-a: 2, add X-A: 3, "set Cache-Control: no-cache, private"';
    expect(readWorkerConfig({ 'response.http.headers.config': text }).responseHeaders).toEqual([
      ['x-a', '2'],
      ['X-A', '3'],
      ['Cache-Control', 'no-cache, private'],
    ]);
  });

  it('needs no key at all for the embedded log', () => {
    const config = readWorkerConfig({});
    expect(config).toMatchObject({
      storage: 'embedded',
      groupId: 'levada',
      listeners: [{ scheme: 'http', host: '', port: 8083 }],
      adminListeners: 'same',
      topics: { config: 'connect-configs', offset: 'connect-offsets', status: 'connect-status' },
      converters: { value: { className: 'org.apache.kafka.connect.storage.StringConverter', config: {} } },
    });
    expect(config.values['embedded.storage.folder']).toBe('.levada');
  });

  it('reads where telemetry goes, and shows no header in what is wrong with them', () => {
    const endpoint = { 'otel.exporter.otlp.endpoint': 'https://collector.example:4318' };
    expect(readWorkerConfig({}).otel).toBeUndefined();
    const lists = { 'otel.exporter.otlp.headers': ' a=b%2Cc , d=', 'otel.resource.attributes': 'e=f,,' };
    expect(readWorkerConfig({ ...endpoint, ...lists }).otel).toEqual({
      endpoint: 'https://collector.example:4318',
      headers: { a: 'b,c', d: '' },
      attributes: { e: 'f' },
    });
    for (const headers of ['s3cret', 'a=s3cret%', 'a b=s3cret', 'a=s3cret%0Ax']) {
      const problems = problemsOf({ ...endpoint, 'otel.exporter.otlp.headers': headers }).join();
      expect(problems).toContain('otel.exporter.otlp.headers: The value must have the form name=value');
      expect(problems).not.toContain('s3cret');
    }
    expect(problemsOf({ 'otel.exporter.otlp.endpoint': 'collector:4318' }).join()).toContain(
      'URL must begin with http:// or https://',
    );
    expect(problemsOf({ 'jolokia.listeners': 'ftp://x:1' }).join()).toContain('jolokia.listeners');
  });

  it('takes a distributed worker as Kafka Connect has it', () => {
    const config = readWorkerConfig(kafka);
    expect(config.storage).toBe('kafka');
    expect(config.converters.key).toEqual({
      className: 'org.apache.kafka.connect.json.JsonConverter',
      config: { 'schemas.enable': 'false' },
    });
  });

  it("uses Kafka Connect's partitions and replication for internal topics", () => {
    expect(readWorkerConfig(kafka).values).toMatchObject({
      'config.storage.replication.factor': 3,
      'offset.storage.partitions': 25,
      'offset.storage.replication.factor': 3,
      'status.storage.partitions': 5,
      'status.storage.replication.factor': 3,
    });
  });

  it("names every missing key of a distributed worker in Kafka Connect's words", () => {
    expect(problemsOf({ 'bootstrap.servers': 'localhost:9092' })).toEqual(
      [
        'group.id',
        'config.storage.topic',
        'offset.storage.topic',
        'status.storage.topic',
        'key.converter',
        'value.converter',
      ].map((key) => `Missing required configuration "${key}" which has no default value.`),
    );
  });

  it('names all problems at once, each with key, value and expectation', () => {
    const problems = problemsOf({
      'offset.flush.interval.ms': 'soon',
      listeners: 'ftp://x:1,http://y',
      'rest.status.connection': 'never',
      'response.http.headers.config': 'put X: 1',
      'rest.extension.classes': 'a.B',
      'connector.client.config.override.policy': 'Some',
      'session.timeout.ms': '3000',
      'value.converter': 'Json',
      'value.converter.schemas.enable': 'maybe',
    });
    expect(problems).toEqual([
      'Invalid value never for configuration rest.status.connection: String must be one of: expand, always',
      'Invalid value soon for configuration offset.flush.interval.ms: Not a number of type LONG',
      'Invalid value ftp://x:1 for configuration listeners: Expected http://host:port or https://host:port',
      'Invalid value http://y for configuration listeners: Expected http://host:port or https://host:port',
      expect.stringContaining('Invalid value a.B for configuration rest.extension.classes: The only'),
      expect.stringContaining(
        'Invalid value put X: 1 for configuration response.http.headers.config: Expected',
      ),
      'Invalid value Some for configuration connector.client.config.override.policy: String must be one of: None, Principal, Allowlist, All',
      'Invalid value 3000 for configuration heartbeat.interval.ms: Value must be less than session.timeout.ms',
      expect.stringContaining('Invalid value maybe for configuration value.converter.schemas.enable'),
    ]);
    expect(problemsOf({ listeners: '' })).toEqual([
      'Invalid value  for configuration listeners: List cannot be empty',
    ]);
  });

  it.each([
    [{ 'value.converter': 'Nope' }, 'Class Nope could not be found.'],
    [{ 'value.converter': 'Json', 'value.converter.schemas.enable': 'maybe' }, 'schemas.enable'],
    [{ 'value.converter': 'AvroConverter' }, 'value.converter.schema.registry.url'],
    [{ 'header.converter': 'AvroConverter' }, 'does not implement the HeaderConverter interface'],
    [{ 'key.converter': 'SimpleHeaderConverter' }, 'does not implement the Converter interface'],
    [{ 'config.storage.topic': 't', 'status.storage.topic': 't' }, 'It is the config.storage.topic'],
    [{ 'offset.storage.topic': 'a b' }, 'Topic name may hold only'],
    [{ 'rest.advertised.host.name': 'a b' }, 'Expected a host name or an IP address'],
    [{ listeners: 'http://:1,http://:1' }, 'The address is listed twice'],
  ])('refuses %j', (raw, problem) => {
    expect(problemsOf(raw as Record<string, string>).join()).toContain(problem);
  });

  it.each([
    ['http://127.0.0.1:8083', { scheme: 'http', host: '127.0.0.1', port: 8083 }],
    ['http://[::1]:0', { scheme: 'http', host: '::1', port: 0 }],
    ['HTTP://connect.example:80/', { scheme: 'http', host: 'connect.example', port: 80 }],
    ['http://:8083', { scheme: 'http', host: '', port: 8083 }],
  ])('reads the listener %s', (text, address) => {
    expect(readWorkerConfig({ listeners: text }).listeners).toEqual([address]);
  });

  it('refuses a heartbeat interval in which a session or a rebalance would end', () => {
    const times = { 'session.timeout.ms': '4000', 'rebalance.timeout.ms': '3001' };
    expect(problemsOf(times)).toEqual([]);
    const invalid = 'Invalid value 3000 for configuration heartbeat.interval.ms:';
    expect(problemsOf({ ...times, 'session.timeout.ms': '3000' })).toEqual([
      `${invalid} Value must be less than session.timeout.ms`,
    ]);
    expect(problemsOf({ ...times, 'rebalance.timeout.ms': '3000' })).toEqual([
      `${invalid} Value must be less than rebalance.timeout.ms`,
    ]);
  });

  it('refuses algorithms and keys with which no request could be signed', () => {
    const signature = 'inter.worker.signature.algorithm';
    const verification = 'inter.worker.verification.algorithms';
    expect(problemsOf({ [signature]: 'HmacSHA512', [verification]: 'HmacSHA256,HmacSHA512' })).toEqual([]);
    expect(problemsOf({ [signature]: 'HmacSHA512' })).toEqual([
      `Invalid value HmacSHA512 for configuration ${signature}: Signature algorithm must be present in ${verification} list`,
    ]);
    expect(problemsOf({ [verification]: 'HmacSHA256,Nope' })).toEqual([
      expect.stringContaining(`for configuration ${verification}: the algorithm is not supported`),
    ]);
    expect(problemsOf({ [verification]: '' })[0]).toContain('At least one signature verification algorithm');
    expect(problemsOf({ 'inter.worker.key.generation.algorithm': 'AES' })).toEqual([
      expect.stringMatching(/^Invalid value AES .*supported algorithms are: \[.*HmacSHA256/),
    ]);
    expect(problemsOf({ 'inter.worker.key.size': '39' })).toEqual([
      'Unable to create key generator with algorithm HmacSHA256 and key size 39: Key length must be at least 40 bits',
    ]);
  });

  it('distinguishes disabled admin endpoints from those on ports of their own', () => {
    expect(readWorkerConfig({ 'admin.listeners': '' }).adminListeners).toEqual([]);
    expect(readWorkerConfig({ 'admin.listeners': 'http://:1' }).adminListeners).toEqual([
      { scheme: 'http', host: '', port: 1 },
    ]);
  });

  it.each(['All', 'all', 'org.apache.kafka.connect.connector.policy.AllConnectorClientConfigOverridePolicy'])(
    'takes the override policy %s',
    (text) => {
      expect(readWorkerConfig({ 'connector.client.config.override.policy': text }).overridePolicy).toBe(
        'All',
      );
    },
  );

  it('takes exactly-once support in any case, and refuses it on the embedded log', () => {
    const key = 'exactly.once.source.support';
    const cluster = {
      'bootstrap.servers': 'a:1',
      'group.id': 'g',
      'config.storage.topic': 'c',
      'offset.storage.topic': 'o',
      'status.storage.topic': 's',
      'key.converter': 'StringConverter',
      'value.converter': 'StringConverter',
    };
    expect(readWorkerConfig({ ...cluster, [key]: 'ENABLED' }).values[key]).toBe('ENABLED');
    expect(readWorkerConfig({ [key]: 'preparing' }).values[key]).toBe('preparing');
    expect(() => readWorkerConfig({ [key]: 'enabled' })).toThrow(
      'Invalid value enabled for configuration exactly.once.source.support: The embedded log has no transactions, bootstrap.servers must name a Kafka cluster',
    );
    expect(() => readWorkerConfig({ ...cluster, [key]: 'on' })).toThrow('String must be one of');
  });

  it('refuses tasks in threads with the embedded log, which has one writer', () => {
    expect(() => readWorkerConfig({ 'task.isolation': 'thread' })).toThrow(
      'Invalid value thread for configuration task.isolation: The embedded log has one writer, the thread of the worker; for tasks in threads bootstrap.servers must name a Kafka cluster',
    );
  });

  it('sorts keys that are not its own', () => {
    const config = readWorkerConfig({
      'group.idd': 'x',
      'metric.reporters': 'x',
      'log4j.root.loglevel': 'INFO',
      'sasl.mechanism': 'PLAIN',
      'producer.linger.ms': '5',
      __proto__x: 'y',
    });
    expect(config.unknownKeys).toEqual([
      { key: 'group.idd', suggestion: 'group.id' },
      { key: '__proto__x', suggestion: undefined },
    ]);
    expect(config.meaninglessKeys.map(({ key }) => key)).toEqual(['metric.reporters', 'log4j.root.loglevel']);
  });

  it('documents every key under a unique name', () => {
    const names = workerConfigDef.keys.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(workerConfigDef.keys.every(({ documentation }) => documentation.endsWith('.'))).toBe(true);
  });
});
