import type { ConfigIssue, ConfigValue, RawConfig } from '@levada/connect-runtime-core';
import { isConnectorError } from '@levada/connect-runtime-core';
import { proxyProblems, readTlsFiles } from '@levada/connect-runtime-core/source-kit';
import { type WebSocketConfig, webSocketConfig } from './config.ts';
import { proxySettings } from './connection-plan.ts';
import { headerProblem } from './handshake-headers.ts';
import { redactUrl } from './redact-url.ts';
import { tlsFiles } from './tls-files.ts';

/** Rules over several keys; files are not looked at. Empty when all is well. */
export function configProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  return [
    ...headerProblems(config),
    ...boundProblems(config),
    ...tlsPairProblems(config),
    ...proxyProblems(proxySettings(config, undefined)),
  ];
}

/**
 * What validation says of the keys one by one, with the findings of {@link configProblems} and of reading the TLS files
 * added, and the URL fit to be shown.
 */
export function checkedValues(raw: RawConfig, values: readonly ConfigValue[]): readonly ConfigValue[] {
  const wrong = new Set(values.filter((value) => value.errors.length > 0).map((value) => value.name));
  const issues = [...blankToken(raw), ...problemsOf(raw, wrong)];
  return values.map((value) => {
    const messages = issues.filter((issue) => issue.key === value.name).map((issue) => issue.message);
    const shown =
      value.name === 'websocket.url' && value.value !== null ? redactUrl(value.value) : value.value;
    return { ...value, value: shown, errors: [...value.errors, ...messages] };
  });
}

/** A token of blanks is most often a variable that was not set. Parsing trims it, and an empty token means none. */
function blankToken(raw: RawConfig): readonly ConfigIssue[] {
  const name = 'websocket.auth.token';
  const text = raw[name];
  if (typeof text !== 'string' || text === '' || text.trim() !== '') return [];
  return [{ key: name, message: `Invalid value [hidden] for configuration ${name}: Token is blank` }];
}

/** What the sound keys have against each other; the `wrong` ones are left out, so that everything is told at once. */
function problemsOf(raw: RawConfig, wrong: ReadonlySet<string>): readonly ConfigIssue[] {
  const sound = Object.entries(raw).filter(([name]) => !wrong.has(name));
  const config = webSocketConfig.parse({ ...placeholders, ...Object.fromEntries(sound) });
  const problems = configProblems(config).filter(({ key }) => !wrong.has(key));
  return problems.length > 0 || wrong.size > 0 ? problems : tlsFileProblems(config);
}

/** Stand in for required keys that are wrong or missing. */
const placeholders: RawConfig = {
  'websocket.url': 'ws://placeholder.invalid/',
  'platform.topic': 'placeholder',
};

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

const cert = 'websocket.tls.client.cert';
const key = 'websocket.tls.client.key';

function tlsPairProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  if ((config[cert] === null) === (config[key] === null)) return [];
  const [given, missing] = config[key] === null ? [cert, key] : [key, cert];
  return [{ key: missing, message: `${missing} is required with ${given}` }];
}

function tlsFileProblems(config: WebSocketConfig): readonly ConfigIssue[] {
  try {
    readTlsFiles(tlsFiles(config));
    return [];
  } catch (thrown) {
    if (!isConnectorError(thrown)) throw thrown;
    const named = [cert, key, 'websocket.tls.ca.cert'].find((name) => thrown.message.includes(name));
    return [{ key: named ?? cert, message: thrown.message }];
  }
}
