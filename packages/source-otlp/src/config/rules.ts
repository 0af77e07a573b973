import type { ConfigIssue } from '@levada/connect-runtime-core';
import { socketPath } from '../receive/admission/bind-server.ts';
import type { OtlpConfig } from './config.ts';
import { addressOf, portOf, protocolsOf, tlsPath, usesTls } from './protocol-settings.ts';

/** What one rule finds wrong. */
type Rule = (config: OtlpConfig) => readonly ConfigIssue[];

/** Rules over several keys; nothing outside the configuration is looked at. Empty when all is well. */
export function configProblems(config: OtlpConfig): readonly ConfigIssue[] {
  return rules.flatMap((rule) => rule(config));
}

const rules: readonly Rule[] = [protocols, http2Server, ports, paths, tls, spool, bounds, keys];

function protocols(config: OtlpConfig): readonly ConfigIssue[] {
  return issue(
    protocolsOf(config).length === 0,
    'otlp.grpc.enabled',
    'At least one protocol must be enabled',
  );
}

/** Oldest Node whose HTTP/2 server sends the status of a call that is refused before it was read; Node 22 sends INTERNAL. */
const HTTP2_NODE = 24;

function http2Server(config: OtlpConfig): readonly ConfigIssue[] {
  return issue(
    config['otlp.http2.server'] === 'node' && Number.parseInt(process.versions.node, 10) < HTTP2_NODE,
    'otlp.http2.server',
    `node needs Node.js ${HTTP2_NODE} or newer, this is ${process.versions.node}`,
  );
}

function ports(config: OtlpConfig): readonly ConfigIssue[] {
  const [first, second] = protocolsOf(config).map((protocol) => ({
    address: addressOf(protocol, config),
    port: portOf(protocol, config),
  }));
  if (first === undefined || second === undefined || first.address !== second.address) return [];
  if (socketPath(first.address) !== undefined) return checkSockets(config, first.address);
  const message = `Invalid value for otlp.http.port: ${second.port} is the port of otlp.grpc.port, too`;
  return issue(first.port !== 0 && first.port === second.port, 'otlp.http.port', message);
}

function checkSockets(config: OtlpConfig, address: string): readonly ConfigIssue[] {
  const key = config['otlp.http.bind.address'] === null ? 'otlp.bind.address' : 'otlp.http.bind.address';
  const message = `Invalid value ${address} for configuration ${key}: both receivers would have the same socket; set otlp.grpc.bind.address or otlp.http.bind.address to another`;
  return issue(true, key, message);
}

function paths(config: OtlpConfig): readonly ConfigIssue[] {
  const names = ['otlp.http.path.traces', 'otlp.http.path.metrics', 'otlp.http.path.logs'] as const;
  return names.flatMap((name, index) => {
    const other = names.slice(0, index).find((earlier) => config[earlier] === config[name]);
    return issue(
      other !== undefined,
      name,
      `Invalid value ${config[name]} for configuration ${name}: it is the path of ${other}, too`,
    );
  });
}

function tls(config: OtlpConfig): readonly ConfigIssue[] {
  const found = new Map<string, ConfigIssue>();
  for (const each of [...findMissingFiles(config), ...findUnusedFiles(config)]) found.set(each.key, each);
  return [...found.values()];
}

function findMissingFiles(config: OtlpConfig): readonly ConfigIssue[] {
  return protocolsOf(config).flatMap((protocol) => {
    if (!usesTls(protocol, config)) return [];
    const own = config[`otlp.${protocol}.tls.enabled`] === true;
    const enabled = own ? `otlp.${protocol}.tls.enabled` : 'otlp.tls.enabled';
    return (['cert', 'key'] as const).flatMap((part) => {
      const { key, value } = tlsPath(protocol, part, config);
      return issue(value === null, key, `${key} is required with ${enabled}=true`);
    });
  });
}

/** Files without TLS are a mistake that must not end in plaintext. */
function findUnusedFiles(config: OtlpConfig): readonly ConfigIssue[] {
  const plain = protocolsOf(config).filter((protocol) => !usesTls(protocol, config));
  const parts = ['cert', 'key', 'client.ca'] as const;
  const own = plain.flatMap((protocol) =>
    parts.map((part) => ({
      key: `otlp.${protocol}.tls.${part}.path` as const,
      enabled: `otlp.${protocol}.tls.enabled`,
    })),
  );
  const isUnused = plain.length === protocolsOf(config).length;
  const general = parts.map((part) => ({
    key: `otlp.tls.${part}.path` as const,
    enabled: 'otlp.tls.enabled',
  }));
  return [...own, ...(isUnused ? general : [])].flatMap(({ key, enabled }) =>
    issue(config[key] !== null, key, `${key} is set, but ${enabled} is false`),
  );
}

function spool(config: OtlpConfig): readonly ConfigIssue[] {
  const missing = config['otlp.ack.mode'] === 'spool' && (config['otlp.spool.path'] ?? '') === '';
  return issue(missing, 'otlp.spool.path', 'otlp.spool.path is required with otlp.ack.mode=spool');
}

function bounds(config: OtlpConfig): readonly ConfigIssue[] {
  const size = config['otlp.max.request.size'];
  const names = ['otlp.message.queue.bytes', 'otlp.max.inflight.bytes', 'otlp.spool.bytes'] as const;
  return names.flatMap((name) =>
    issue(
      config[name] < size,
      name,
      `Invalid value ${config[name]} for configuration ${name}: Value must be at least otlp.max.request.size (${size})`,
    ),
  );
}

function keys(config: OtlpConfig): readonly ConfigIssue[] {
  const key = config['otlp.record.key'];
  const mode = config['otlp.record.mode'];
  const needed: Readonly<Record<string, readonly string[]>> = {
    none: ['request', 'resource', 'item'],
    service_name: ['resource', 'item'],
    trace_id: ['item'],
  };
  const fits = needed[key]?.includes(mode) ?? true;
  const message = `Invalid value ${key} for configuration otlp.record.key: it needs otlp.record.mode=${needed[key]?.join(' or ')}, because a record holds several of them otherwise`;
  return issue(!fits, 'otlp.record.key', message);
}

function issue(wrong: boolean, key: string, message: string): readonly ConfigIssue[] {
  return wrong ? [{ key, message }] : [];
}
