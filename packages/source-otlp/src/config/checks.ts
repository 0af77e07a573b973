import {
  type ConfigIssue,
  type ConfigValue,
  isConnectorError,
  type RawConfig,
} from '@levada/connect-runtime-core';
import { type OtlpConfig, otlpConfig } from './config.ts';
import { configuredUsers } from './configured-users.ts';
import { protocolsOf } from './protocol-settings.ts';
import { configProblems } from './rules.ts';
import { readTls, tlsFiles } from './tls-files.ts';

/** What validation says of the keys one by one, with the rules over several keys and the reading of TLS files added, all at once. */
export function checkedValues(raw: RawConfig, values: readonly ConfigValue[]): readonly ConfigValue[] {
  const wrong = new Set(values.filter((value) => value.errors.length > 0).map((value) => value.name));
  const issues = problemsOf(raw, wrong);
  return values.map((value) => {
    const messages = issues.filter((issue) => issue.key === value.name).map((issue) => issue.message);
    return { ...value, errors: [...value.errors, ...messages] };
  });
}

/** What the sound keys have against each other and their files; of what is wrong already nothing more is said. */
function problemsOf(raw: RawConfig, wrong: ReadonlySet<string>): readonly ConfigIssue[] {
  const sound = Object.entries(otlpConfig.canonical(raw)).filter(([name]) => !wrong.has(name));
  const config = otlpConfig.parse(Object.fromEntries(sound));
  const rules = configProblems(config).filter(({ key }) => !wrong.has(key));
  const hasTlsProblem = rules.some(({ key }) => key.includes('.tls.'));
  return [...rules, ...(hasTlsProblem ? [] : tlsProblems(config)), ...userProblems(config)];
}

function tlsProblems(config: OtlpConfig): readonly ConfigIssue[] {
  try {
    readTls(config);
    return [];
  } catch (thrown) {
    if (!isConnectorError(thrown)) throw thrown;
    const files = protocolsOf(config).flatMap((protocol) => tlsFiles(protocol, config));
    const named = files.find(({ key }) => thrown.message.includes(` ${key}`));
    return [{ key: named?.key ?? 'otlp.tls.enabled', message: thrown.message }];
  }
}

/** The list is checked already: what is wrong is the file. */
function userProblems(config: OtlpConfig): readonly ConfigIssue[] {
  try {
    configuredUsers(config);
    return [];
  } catch (thrown) {
    if (!isConnectorError(thrown)) throw thrown;
    return [{ key: 'otlp.auth.users.path', message: thrown.message }];
  }
}
