import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(pbkdf2);

/** Header of clients without channel binding. */
const GS2_HEADER = 'n,,';
/** Fewer iterations would make a captured exchange cheap to search; Kafka's clients refuse them too. */
const LEAST_ITERATIONS = 4096;
/** An untrusted server could keep this process busy. Kafka stores at most 16 384. */
const MOST_ITERATIONS = 1_000_000;

/** Sends the client's next message. Resolves with the server's answer. */
export type SaslExchange = (message: Buffer) => Promise<Buffer>;

/** SCRAM credentials, and the hash. */
export interface ScramLogin {
  readonly hash: 'sha256' | 'sha512';
  readonly username: string;
  readonly password: string;
  /** Default: 144 random bits. */
  readonly nonce?: string;
}

/**
 * Authenticates with SCRAM (RFC 5802, RFC 7677) and verifies that the server knows the password. As in Kafka's clients, names and
 * passwords are their UTF-8 bytes without further preparation. Rejects with the problem of the server's messages, or with the
 * rejection of `exchange`.
 */
export async function scramSignOn(login: ScramLogin, exchange: SaslExchange): Promise<void> {
  const { hash, username, password, nonce = randomBytes(18).toString('base64url') } = login;
  const hmac = (key: Buffer, text: string): Buffer => createHmac(hash, key).update(text).digest();
  const clientFirst = `n=${username.replaceAll('=', '=3D').replaceAll(',', '=2C')},r=${nonce}`;
  const serverFirst = (await exchange(Buffer.from(GS2_HEADER + clientFirst))).toString();
  const { serverNonce, salt, iterations } = challengeOf(serverFirst, nonce);

  const clientFinal = `c=${Buffer.from(GS2_HEADER).toString('base64')},r=${serverNonce}`;
  const signed = `${clientFirst},${serverFirst},${clientFinal}`;
  const length = hash === 'sha256' ? 32 : 64;
  const salted = await derive(password, salt, iterations, length, hash);
  const clientKey = hmac(salted, 'Client Key');
  const storedKey = createHash(hash).update(clientKey).digest();
  const signature = hmac(storedKey, signed);
  const proof = clientKey.map((byte, i) => byte ^ (signature[i] ?? 0));
  const serverFinal = await exchange(
    Buffer.from(`${clientFinal},p=${Buffer.from(proof).toString('base64')}`),
  );

  const { e: refusal, v: verifier = '' } = attributes(serverFinal.toString());
  if (refusal !== undefined) throw new Error(`the server says "${refusal}"`);
  const expected = hmac(hmac(salted, 'Server Key'), signed);
  const given = Buffer.from(verifier, 'base64');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Error('the server does not know the password: its signature is wrong');
}

function challengeOf(message: string, nonce: string) {
  const { e: refusal, m: mandatory, r: serverNonce = '', s: salt, i: count = '' } = attributes(message);
  if (refusal !== undefined) throw new Error(`the server says "${refusal}"`);
  if (mandatory !== undefined) throw new Error(`the server demands an unknown extension "${mandatory}"`);
  if (!serverNonce.startsWith(nonce) || serverNonce === nonce)
    throw new Error("the server's nonce does not continue that of the client");
  if (!salt) throw new Error('the server sends no salt');
  const iterations = /^[1-9]\d*$/.test(count) ? Number(count) : Number.NaN;
  if (!(iterations >= LEAST_ITERATIONS && iterations <= MOST_ITERATIONS))
    throw new Error(
      `the server asks for ${count || 'no'} iterations, expected ${LEAST_ITERATIONS} to ${MOST_ITERATIONS}`,
    );
  return { serverNonce, salt: Buffer.from(salt, 'base64'), iterations };
}

/** Parses `a=text,b=text`. */
function attributes(message: string): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));
}
