import { sqlTokens } from '../test-jobs/sql-tokens.ts';
import type { HostileProject } from './hostile-texts.ts';

/** The tokens of a statement without its comments: a name or text in quotes is its first quote and what it says. */
export function plainTokens(sql: string): readonly string[] {
  return sqlTokens(sql).flatMap(({ kind, value }) => {
    if (kind === 'comment') return [];
    return [kind === 'name' ? `\`${value}` : kind === 'text' ? `'${value}` : value];
  });
}

/** The tokens of the statements of a {@link HostileProject}, which hold its texts and nothing else that is not fixed. */
export function expectedTokens({ columns, user }: HostileProject): readonly (readonly string[])[] {
  const body = columns.flatMap(({ name, type }, index) => [
    ...(index === 0 ? [] : [',']),
    `\`${name}`,
    ...type.tokens,
  ]);
  const login = [user, 'x'].map((each) => `"${each.replaceAll(/["\\]/g, '\\$&')}"`);
  const table = (name: string, topic: string, read: readonly (readonly [string, string])[]) => {
    const options = [
      ['connector', 'kafka'],
      ['topic', topic],
      ['properties.bootstrap.servers', 'localhost:9092'],
      ['properties.security.protocol', 'SASL_SSL'],
      ['properties.sasl.mechanism', 'PLAIN'],
      [
        'properties.sasl.jaas.config',
        `org.apache.kafka.common.security.plain.PlainLoginModule required username=${login[0]} password=${login[1]};`,
      ],
      ...read,
      ['format', 'json'],
    ] as const;
    const list = options.flatMap(([key, value], index) => [
      ...(index === 0 ? [] : [',']),
      `'${key}`,
      '=',
      `'${value}`,
    ]);
    return ['CREATE', 'TEMPORARY', 'TABLE', `\`${name}`, '(', ...body, ')', 'WITH', '(', ...list, ')'];
  };
  return [
    ['SET', "'pipeline.name", '=', "'shop.m"],
    ['SET', "'table.local-time-zone", '=', "'UTC"],
    table('s', 't', [
      ['properties.group.id', 'shop.m'],
      ['scan.startup.mode', 'earliest-offset'],
    ]),
    table('m', 'm', []),
    ['INSERT', 'INTO', '`m', 'SELECT', '*', 'FROM', '`s'],
  ];
}
