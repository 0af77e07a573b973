import type { ConfigKey, RawConfig } from '../config/config-key.ts';
import type { AnySourceConnector } from '../contract/source-connector.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { configError, readOptions } from './config-issues.ts';

type Options = Readonly<Record<string, unknown>>;

/** Options whose values are known, and what gives the others. */
export interface AskedOptions {
  readonly fixed: Options;
  /** The configuration with the present values of the others. Absent when there are none. */
  readonly resolve: (() => Promise<RawConfig>) | undefined;
}

/** Separates the options that are functions, where their rows allow that, from those with a value. */
export function askedOptions(connector: AnySourceConnector, options: Options): AskedOptions {
  const rows: readonly ConfigKey[] = connector.config.keys;
  const mayAsk = new Set(rows.flatMap((row) => (row.perConnection === true ? [row.option] : [])));
  const asked = Object.entries(options).filter(
    (entry): entry is [string, () => unknown] => mayAsk.has(entry[0]) && typeof entry[1] === 'function',
  );
  if (asked.length === 0) return { fixed: options, resolve: undefined };
  const names = new Set(asked.map(([name]) => name));
  const fixed = Object.fromEntries(Object.entries(options).filter(([name]) => !names.has(name)));
  const resolve = async (): Promise<RawConfig> => {
    const given = await Promise.all(
      asked.map(async ([name, ask]) => [name, await answerOf(name, ask)] as const),
    );
    const { raw, issues } = readOptions(connector, { ...fixed, ...Object.fromEntries(given) });
    if (issues.length > 0) throw configError(issues);
    return raw;
  };
  return { fixed, resolve };
}

async function answerOf(name: string, ask: () => unknown): Promise<unknown> {
  try {
    return await ask();
  } catch (cause) {
    const { message } = ConnectorError.from(cause);
    throw new ConnectorError('config_invalid', `the function in ${name} failed: ${message}`, { cause });
  }
}
