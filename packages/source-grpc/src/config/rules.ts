import type { ConfigIssue, ConfigKey } from '@levada/connect-runtime-core';
import { proxyProblems } from '@levada/connect-runtime-core/source-kit';
import { descriptorText } from '../descriptor/descriptor-text.ts';
import { callMetadata, metadataProblem } from '../request/call-metadata.ts';
import { type GrpcConfig, grpcConfig } from './config.ts';
import { proxySettings } from './connection-plan.ts';

/** Returns the issues that one rule finds. */
type Rule = (config: GrpcConfig) => readonly ConfigIssue[];

/** Rules over several keys; nothing outside the configuration is looked at. Empty when all is well. */
export function configProblems(config: GrpcConfig): readonly ConfigIssue[] {
  return rules.flatMap((rule) => rule(config));
}

const rules: readonly Rule[] = [
  metadataNames,
  bounds,
  descriptorOrReflection,
  clientCertificate,
  needsTls,
  tokenEndpointComplete,
  proxy,
  resuming,
  protobufFormat,
  deadLetters,
];

function metadataNames(config: GrpcConfig): readonly ConfigIssue[] {
  const seen = new Set<string>();
  return [...config['grpc.metadata.']].flatMap(([name, value]) => {
    const key = `grpc.metadata.${name}`;
    const lower = name.toLowerCase();
    const again = seen.has(lower) ? `Metadata key is there twice, in different case: ${lower}` : undefined;
    seen.add(lower);
    const message = metadataProblem(name, value.reveal()) ?? again;
    return message === undefined ? [] : [{ key, message }];
  });
}

function bounds(config: GrpcConfig): readonly ConfigIssue[] {
  const {
    'grpc.message.queue.bytes': bytes,
    'grpc.max.inbound.message.size': size,
    'grpc.reconnect.interval.ms': interval,
    'grpc.reconnect.backoff.max.ms': most,
  } = config;
  return [
    ...unless(bytes >= size, 'grpc.message.queue.bytes', (key) =>
      invalid(key, bytes, `Value must be at least grpc.max.inbound.message.size (${size})`),
    ),
    ...unless(interval <= most, 'grpc.reconnect.interval.ms', (key) =>
      invalid(key, interval, `Value must be no more than grpc.reconnect.backoff.max.ms (${most})`),
    ),
  ];
}

function descriptorOrReflection(config: GrpcConfig): readonly ConfigIssue[] {
  return unless(
    descriptorText(config) !== undefined || config['grpc.reflection.enabled'],
    'grpc.proto.descriptor',
    (key) => `Invalid proto descriptor: ${key} is not set, and grpc.reflection.enabled is false`,
  );
}

function clientCertificate(config: GrpcConfig): readonly ConfigIssue[] {
  const cert = config['grpc.tls.client.cert'] !== null;
  const file = config['grpc.tls.client.key'] !== null;
  const text = config['grpc.tls.client.key.pem'] !== null;
  const given = file ? 'grpc.tls.client.key' : 'grpc.tls.client.key.pem';
  return [
    ...unless(cert || !(file || text), 'grpc.tls.client.cert', (key) => `${key} is required with ${given}`),
    ...unless(
      file || text || !cert,
      'grpc.tls.client.key',
      (key) => `${key} or grpc.tls.client.key.pem is required with grpc.tls.client.cert`,
    ),
    ...unless(
      !(file && text),
      'grpc.tls.client.key.pem',
      (key) => `${key} and grpc.tls.client.key may not both be set`,
    ),
  ];
}

/** Certificates without TLS are a mistake that must not end in plaintext. */
function needsTls(config: GrpcConfig): readonly ConfigIssue[] {
  const keys = [
    'grpc.tls.ca.cert',
    'grpc.tls.client.cert',
    'grpc.tls.client.key',
    'grpc.tls.client.key.pem',
  ] as const;
  return keys.flatMap((key) =>
    unless(
      config['grpc.tls.enabled'] || config[key] === null,
      key,
      () => `${key} needs grpc.tls.enabled=true`,
    ),
  );
}

function proxy(config: GrpcConfig): readonly ConfigIssue[] {
  return proxyProblems(proxySettings(config, undefined));
}

function tokenEndpointComplete(config: GrpcConfig): readonly ConfigIssue[] {
  const url = 'grpc.oauth2.token.url';
  if (config[url] === null) {
    const others = [
      'grpc.oauth2.client.id',
      'grpc.oauth2.client.secret',
      'grpc.oauth2.scope',
      'grpc.oauth2.audience',
    ] as const;
    const given = others.find((key) => config[key] !== null);
    return unless(given === undefined, url, () => `${url} is required with ${given}`);
  }
  const needed = ['grpc.oauth2.client.id', 'grpc.oauth2.client.secret'] as const;
  return [
    ...needed.flatMap((key) => unless(config[key] !== null, key, () => `${key} is required with ${url}`)),
    ...unless(
      !hasAuthorization(config),
      url,
      () =>
        `${url} and authorization in the metadata may not both be set: the token is sent as authorization`,
    ),
  ];
}

/** In either form. A text that is no metadata was refused before. */
function hasAuthorization(config: GrpcConfig): boolean {
  const written = callMetadata({ text: config['grpc.metadata'], named: new Map() }).map(([name]) => name);
  const named = [...config['grpc.metadata.'].keys()].map((name) => name.toLowerCase());
  return [...written, ...named].includes('authorization');
}

function resuming(config: GrpcConfig): readonly ConfigIssue[] {
  const field = 'grpc.request.resume.field';
  if (config[field] === null) {
    return unless(
      config['grpc.request.resume.from'] === 'sequence',
      'grpc.request.resume.from',
      (key) => `${key} needs ${field}`,
    );
  }
  return unless(
    config['grpc.queue.full.policy'] === 'block',
    field,
    () => `${field} needs grpc.queue.full.policy=block, as what is dropped would never be asked for again`,
  );
}

/** Keys that say what JSON looks like. */
function protobufFormat(config: GrpcConfig): readonly ConfigIssue[] {
  if (config['grpc.message.format'] !== 'protobuf') return [];
  const keys: readonly ConfigKey[] = grpcConfig.keys;
  const rows = keys.filter(({ name }) => name.startsWith('grpc.json.') || name === 'grpc.record.key');
  return rows.flatMap(({ name, default: usual }) =>
    unless(config[name as keyof GrpcConfig] === usual, name, () => `${name} needs grpc.message.format=json`),
  );
}

function deadLetters(config: GrpcConfig): readonly ConfigIssue[] {
  const topic = config['grpc.dead.letter.topic'];
  return unless(topic !== config['platform.topic'], 'grpc.dead.letter.topic', (key) =>
    invalid(key, topic ?? '', 'Topic must differ from platform.topic'),
  );
}

function unless(isWell: boolean, key: string, message: (key: string) => string): readonly ConfigIssue[] {
  return isWell ? [] : [{ key, message: message(key) }];
}

function invalid(key: string, value: string | number, problem: string): string {
  return `Invalid value ${value} for configuration ${key}: ${problem}`;
}
