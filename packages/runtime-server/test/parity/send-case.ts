import { Agent, request } from 'node:http';
import type { GoldenCase } from './golden-case.ts';

/** What came back, with marks in place of what differs from run to run. */
export interface Received {
  readonly status: number;
  readonly head: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Marks in recorded requests and answers, and what they stand for in this run. */
export type Places = readonly (readonly [mark: string, value: string])[];

/** Sends recorded requests to a worker over one connection. */
export class CaseSender {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: URL;
  readonly #places: Places;

  constructor(url: string, places: Places) {
    this.#url = new URL(url);
    this.#places = [...places, ['<worker>', this.#url.host]];
  }

  close(): void {
    this.#agent.destroy();
  }

  send({ call, headers, body }: Pick<GoldenCase, 'call' | 'headers' | 'body'>): Promise<Received> {
    const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(call) ?? [];
    const payload =
      body === undefined ? undefined : this.#place(typeof body === 'string' ? body : JSON.stringify(body));
    const typed = body === undefined ? {} : { 'content-type': 'application/json' };
    const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) };
    const { hostname, port } = this.#url;
    const all = { ...(headers ?? typed), ...length };
    return new Promise((resolve, reject) => {
      const options = { hostname, port, agent: this.#agent, method, path, headers: all };
      const sent = request(options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const head = Object.entries(answer.headers).map(([name, value]) => [
            name,
            this.#unplace(String(value)),
          ]);
          const text = this.#unplace(Buffer.concat(chunks).toString());
          resolve({ status: answer.statusCode ?? 0, head: Object.fromEntries(head), text });
        });
      });
      sent.on('error', reject);
      sent.end(payload);
    });
  }

  #place(text: string): string {
    return this.#places.reduce((placed, [mark, value]) => placed.replaceAll(mark, value), text);
  }

  #unplace(text: string): string {
    return this.#places.reduce((marked, [mark, value]) => marked.replaceAll(value, mark), text);
  }
}
