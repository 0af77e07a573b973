import { describe, expect, it } from 'vitest';
import { type ScramLogin, scramSignOn } from './scram.ts';

/** The example of RFC 7677. */
const example = {
  login: { hash: 'sha256', username: 'user', password: 'pencil', nonce: 'rOprNGfwEbeRWgbNEkqO' },
  clientFirst: 'n,,n=user,r=rOprNGfwEbeRWgbNEkqO',
  serverFirst: 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096',
  clientFinal:
    'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
  serverFinal: 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
} as const;

/** Authenticates with a server that answers with these messages. Resolves with the client's messages. */
async function sent(login: ScramLogin, answers: readonly string[]): Promise<readonly string[]> {
  const messages: string[] = [];
  await scramSignOn(login, async (message) => {
    messages.push(message.toString());
    return Buffer.from(answers[messages.length - 1] ?? '');
  });
  return messages;
}

describe('SCRAM', () => {
  it('the messages are those of RFC 7677', async () => {
    const { login, clientFirst, clientFinal, serverFirst, serverFinal } = example;
    expect(await sent(login, [serverFirst, serverFinal])).toEqual([clientFirst, clientFinal]);
  });

  it('commas and equals signs of a name are escaped, and each exchange has a new nonce', async () => {
    const first: string[] = [];
    for (let i = 0; i < 2; i++) {
      await scramSignOn({ hash: 'sha512', username: 'a=b,c', password: 'pencil' }, async (message) => {
        first.push(message.toString());
        throw new Error('enough');
      }).catch(() => undefined);
    }
    expect(first[0]).toMatch(/^n,,n=a=3Db=2Cc,r=[\w-]{24}$/);
    expect(first[0]).not.toBe(first[1]);
  });

  const [nonce, rest] = example.serverFirst.split(',s=');
  it.each([
    [
      'a wrong signature',
      [example.serverFirst, 'v=AAAATRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4='],
      'signature is wrong',
    ],
    ['no signature', [example.serverFirst, ''], 'signature is wrong'],
    ['an error', [example.serverFirst, 'e=invalid-proof'], 'says "invalid-proof"'],
    ['an error at once', ['e=unknown-user'], 'says "unknown-user"'],
    ['a nonce of its own', [`r=other,s=${rest}`], 'does not continue'],
    ['the nonce of the client alone', [`r=rOprNGfwEbeRWgbNEkqO,s=${rest}`], 'does not continue'],
    ['too few iterations', [`${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4095`], 'asks for 4095 iterations'],
    ['endless iterations', [`${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=2000000000`], 'expected 4096 to 1000000'],
    ['no iterations', [`${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==`], 'asks for no iterations'],
    [
      'iterations that are not decimal digits',
      [`${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=1e5`],
      'asks for 1e5 iterations',
    ],
    ['iterations in hexadecimal', [`${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=0x2000`], 'asks for 0x2000 iter'],
    ['no salt', [`${nonce},i=4096`], 'sends no salt'],
    ['an empty salt', [`${nonce},s=,i=4096`], 'sends no salt'],
    ['an unknown extension', [`m=new,${example.serverFirst}`], 'unknown extension "new"'],
  ])('a server that sends %s is refused', async (_, answers, text) => {
    await expect(sent(example.login, answers)).rejects.toThrow(text);
  });
});
