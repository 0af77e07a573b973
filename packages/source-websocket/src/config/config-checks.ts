import type { ConfigIssue, RawConfig } from '@levada/connect-runtime-core';
import {
  type ProxySettings,
  proxyProblems,
  readTlsFiles,
  type TlsFile,
  validateTogether,
} from '@levada/connect-runtime-core/source-kit';
import { type WebSocketConfig, webSocketConfig } from './config.ts';
import { headerProblem } from './handshake-headers.ts';
import { redactUrl } from './redact-url.ts';
import { sessionProblems } from './session-checks.ts';

const cert = 'websocket.tls.client.cert';
const key = 'websocket.tls.client.key';

/** Rules over several keys; files are not looked at. Empty when all is well. */
export function configProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  return [
    ...headerProblems(config),
    ...boundProblems(config),
    ...tlsPairProblems(config),
    ...sessionProblems(config),
    ...proxyProblems(proxySettings(config, undefined)),
  ];
}

export function proxySettings(
  config: WebSocketConfig,
  environment: ProxySettings['environment'],
): ProxySettings {
  return {
    prefix: 'websocket',
    url: config['websocket.proxy.url'],
    username: config['websocket.proxy.username'],
    password: config['websocket.proxy.password']?.reveal() ?? null,
    environment,
  };
}

/** The TLS files that a configuration names. */
export function tlsFiles(config: WebSocketConfig): readonly TlsFile[] {
  return [
    { option: 'ca', key: 'websocket.tls.ca.cert', value: config['websocket.tls.ca.cert'] },
    { option: 'cert', key: cert, value: config[cert] },
    { option: 'key', key, value: config[key] },
  ];
}

/** See `SourceConnector.validate`. The URL is made fit to be shown. */
export const checkedValues = validateTogether({
  definition: webSocketConfig,
  placeholders: { 'websocket.url': 'ws://placeholder.invalid/', 'platform.topic': 'placeholder' },
  rules: configProblems,
  readTls: (config) => readTlsFiles(tlsFiles(config)),
  texts: blankToken,
  shown: { 'websocket.url': redactUrl },
});

/** A token of blanks is most often a variable that was not set. Parsing trims it, and an empty token means none. */
function blankToken(raw: RawConfig): readonly ConfigIssue[] {
  const name = 'websocket.auth.token';
  const text = raw[name];
  if (typeof text !== 'string' || text === '' || text.trim() !== '') return [];
  return [{ key: name, message: `Invalid value [hidden] for configuration ${name}: Token is blank` }];
}

function headerProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  return [...config['websocket.headers.']].flatMap(([name, value]) => {
    const problem = headerProblem(name, value.reveal());
    return problem === undefined ? [] : [{ key: `websocket.headers.${name}`, message: problem }];
  });
}

function boundProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  const bytes = 'websocket.message.queue.bytes';
  if (config[bytes] < config['websocket.max.message.size']) {
    const message = `Invalid value ${config[bytes]} for configuration ${bytes}: Value must be at least websocket.max.message.size (${config['websocket.max.message.size']})`;
    issues.push({ key: bytes, message });
  }
  const interval = 'websocket.reconnect.interval.ms';
  if (config[interval] > config['websocket.reconnect.backoff.max.ms']) {
    const message = `Invalid value ${config[interval]} for configuration ${interval}: Value must be no more than websocket.reconnect.backoff.max.ms (${config['websocket.reconnect.backoff.max.ms']})`;
    issues.push({ key: interval, message });
  }
  return issues;
}

function tlsPairProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  if ((config[cert] === null) === (config[key] === null)) return [];
  const [given, missing] = config[key] === null ? [cert, key] : [key, cert];
  return [{ key: missing, message: `${missing} is required with ${given}` }];
}
