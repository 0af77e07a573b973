import { describe, expect, it } from 'vitest';
import { configDef } from '../config/config-def.ts';
import type { RawConfig } from '../config/config-key.ts';
import { atLeast } from '../config/validators.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { issuesOf, refuseIssues, validateTogether } from './config-checks.ts';

const definition = configDef([
  { name: 'url', type: 'string', importance: 'high', documentation: 'Where to.' },
  {
    name: 'least',
    type: 'int',
    default: 1,
    validator: atLeast(0),
    importance: 'low',
    documentation: 'Least.',
  },
  { name: 'most', type: 'int', default: 2, validator: atLeast(0), importance: 'low', documentation: 'Most.' },
  { name: 'x.tls.cert', type: 'string', default: null, importance: 'low', documentation: 'A file.' },
]);

function errorsOf(raw: RawConfig, change: Partial<Parameters<typeof checked>[0]> = {}) {
  const values = checked(change)(raw, definition.validate(raw));
  return Object.fromEntries(
    values.filter(({ errors }) => errors.length > 0).map(({ name, errors }) => [name, errors]),
  );
}

function checked({ readTls = (): unknown => undefined, tlsRule = false } = {}) {
  return validateTogether({
    definition,
    placeholders: { url: 'placeholder' },
    rules: (config) => [
      ...(config.least > config.most ? [{ key: 'least', message: 'is more than most' }] : []),
      ...(tlsRule ? [{ key: 'x.tls.cert', message: 'breaks a rule' }] : []),
    ],
    readTls,
    shown: { url: (text) => text.replace('s3cret', '***') },
  });
}

describe('validateTogether', () => {
  it('adds what several keys have against each other', () => {
    expect(errorsOf({ url: 'u', least: '3' })).toEqual({ least: ['is more than most'] });
  });

  it('checks the sound keys although a required one is missing', () => {
    expect(Object.keys(errorsOf({ least: '3' }))).toEqual(['url', 'least']);
  });

  it('says nothing more of a key that is wrong by itself', () => {
    const errors = errorsOf({ url: 'u', least: '-1', most: '-1' });
    expect(errors['least']).toHaveLength(1);
  });

  it('reports what reading the TLS files says at its key, unless a TLS key breaks a rule', () => {
    const readTls = (): never => {
      const issues = [{ key: 'x.tls.cert', message: 'cannot be read' }];
      throw new ConnectorError('file_unreadable', 'cannot be read', { issues });
    };
    expect(errorsOf({ url: 'u' }, { readTls })).toEqual({ 'x.tls.cert': ['cannot be read'] });
    expect(errorsOf({ url: 'u' }, { readTls, tlsRule: true })).toEqual({ 'x.tls.cert': ['breaks a rule'] });
  });

  it('shows values in the form that is fit to be shown', () => {
    const raw = { url: 'u?token=s3cret' };
    const [url] = checked()(raw, definition.validate(raw));
    expect(url?.value).toBe('u?token=***');
  });
});

describe('issuesOf', () => {
  it('gives an error without issues the key of the check, and lets other errors through', () => {
    const thrown = (error: Error) => () => {
      throw error;
    };
    expect(issuesOf('k', thrown(new ConnectorError('config_invalid', 'no')))).toEqual([
      { key: 'k', message: 'no' },
    ]);
    expect(() => issuesOf('k', thrown(new TypeError('a bug')))).toThrow('a bug');
  });
});

describe('refuseIssues', () => {
  it('throws the first message with all issues, and nothing when there are none', () => {
    const issues = [
      { key: 'a', message: 'first' },
      { key: 'b', message: 'second' },
    ];
    expect(() => refuseIssues(issues)).toThrow(expect.objectContaining({ message: 'first', issues }));
    expect(() => refuseIssues([])).not.toThrow();
  });
});
