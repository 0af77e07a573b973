import type { ConfigIssue, ConfigValue, RawConfig } from '@levada/connect-runtime-core';
import { isConnectorError } from '@levada/connect-runtime-core';
import { type WebSocketConfig, webSocketConfig } from './config.ts';
import { headerProblem } from './handshake-headers.ts';
import { redactUrl } from './redact-url.ts';
import { readTlsFiles } from './tls-files.ts';

/** Rules over several keys and over local files. Empty when all is well. */
export function configProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  return [...headerProblems(config), ...boundProblems(config), ...tlsProblems(config)];
}

/** What validation says of the keys one by one, with the findings of {@link configProblems} added, and the URL fit to be shown. */
export function checkedValues(raw: RawConfig, values: readonly ConfigValue[]): readonly ConfigValue[] {
  const issues = values.some((value) => value.errors.length > 0) ? [] : problemsOf(raw);
  return values.map((value) => {
    const messages = issues.filter((issue) => issue.key === value.name).map((issue) => issue.message);
    const shown =
      value.name === 'websocket.url' && value.value !== null ? redactUrl(value.value) : value.value;
    return { ...value, value: shown, errors: [...value.errors, ...messages] };
  });
}

function problemsOf(raw: RawConfig): readonly ConfigIssue[] {
  return configProblems(webSocketConfig.parse(raw));
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

function tlsProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  const [cert, key] = ['websocket.tls.client.cert', 'websocket.tls.client.key'] as const;
  if (config[cert] !== null && config[key] === null)
    return [{ key, message: `${key} is required with ${cert}` }];
  if (config[key] !== null && config[cert] === null)
    return [{ key: cert, message: `${cert} is required with ${key}` }];
  try {
    readTlsFiles(config);
    return [];
  } catch (thrown) {
    if (!isConnectorError(thrown)) throw thrown;
    const named = [cert, key, 'websocket.tls.ca.cert'].find((name) => thrown.message.includes(name));
    return [{ key: named ?? cert, message: thrown.message }];
  }
}
