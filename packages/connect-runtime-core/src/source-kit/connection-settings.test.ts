import { describe, expect, it } from 'vitest';
import { configDef } from '../config/config-def.ts';
import type { RawConfig } from '../config/config-key.ts';
import { eventLog } from '../diagnostics/log-event.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { createRecordingLogger } from '../testing/recording-logger.ts';
import { ConnectionSettings } from './connection-settings.ts';
import { connectionEvents } from './source-events.ts';

const definition = configDef([
  { name: 'token', type: 'string', default: '', importance: 'low', documentation: 'A secret.' },
  {
    name: 'topic',
    type: 'string',
    default: 't',
    update: 'live',
    importance: 'low',
    documentation: 'A topic.',
  },
]);

function setup(resolveConfig?: () => Promise<RawConfig>) {
  const clock = createManualClock();
  const logger = createRecordingLogger();
  const settings = new ConnectionSettings({
    definition,
    config: definition.parse({ token: 'old' }),
    context: { clock, ...(resolveConfig === undefined ? {} : { resolveConfig }) },
    log: eventLog(connectionEvents, logger, clock),
    tlsFiles: () => [],
    problems: ({ token }) => (token === 'bad' ? [{ key: 'token', message: 'bad token' }] : []),
  });
  return { clock, logger, settings };
}

const never = new AbortController().signal;

describe('ConnectionSettings', () => {
  it('takes replaced secrets, and keeps live values that were changed since the start', async () => {
    const { settings } = setup(async () => ({ token: 'new', topic: 'first' }));
    settings.reconfigure(definition.parse({ token: 'old', topic: 'second' }));
    await settings.refresh(never);
    expect(settings.config).toEqual({ token: 'new', topic: 'second' });
  });

  it.each<[string, () => Promise<RawConfig>, string]>([
    ['references cannot be resolved', () => Promise.reject(new Error('no file')), 'no file'],
    ['the result breaks a rule', async () => ({ token: 'bad' }), 'bad token'],
  ])('stays as it was and logs why when %s', async (_, resolve, message) => {
    const { settings, logger } = setup(resolve);
    await settings.refresh(never);
    expect(settings.config.token).toBe('old');
    expect(logger.withEvent('credentials_unresolved')[0]?.fields).toMatchObject({ error_message: message });
  });

  it('waits ten seconds at most, and not at all once the signal aborts', async () => {
    const { clock, settings, logger } = setup(() => new Promise(() => undefined));
    const late = settings.refresh(never);
    await clock.advance(10_000);
    await late;
    expect(logger.withEvent('credentials_unresolved')).toHaveLength(1);
    const stop = new AbortController();
    const stopped = settings.refresh(stop.signal);
    stop.abort();
    await stopped;
    expect(logger.withEvent('credentials_unresolved')).toHaveLength(1);
  });
});
