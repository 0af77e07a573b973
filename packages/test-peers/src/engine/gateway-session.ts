import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 20;
const STATEMENT_LIMIT_MS = 180_000;

/** What a statement answers: names of columns, and of each row what it changes and its values in their order as JSON has them. */
export interface StatementRows {
  readonly columns: readonly string[];
  /** One for each row. */
  readonly kinds: readonly ('INSERT' | 'UPDATE_BEFORE' | 'UPDATE_AFTER' | 'DELETE')[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A statement that the engine refuses, or that fails while it runs; the message is the innermost cause. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
}

interface ResultPage {
  readonly resultType: 'NOT_READY' | 'PAYLOAD' | 'EOS';
  readonly nextResultUri?: string;
  readonly results?: {
    readonly columns: readonly { readonly name: string }[];
    readonly data: readonly {
      readonly kind: StatementRows['kinds'][number];
      readonly fields: readonly unknown[];
    }[];
  };
}

/** A session of a SQL gateway, over its HTTP interface. */
export class GatewaySession {
  readonly #gateway: string;
  readonly #session: string;

  private constructor(gateway: string, session: string) {
    this.#gateway = gateway;
    this.#session = session;
  }

  static async open(gateway: string): Promise<GatewaySession> {
    const { sessionHandle } = (await postJson(`${gateway}/v2/sessions`, {})) as {
      readonly sessionHandle: string;
    };
    return new GatewaySession(gateway, `/v2/sessions/${sessionHandle}`);
  }

  /** Runs one statement and reads what it answers to the end; an INSERT answers with the id of its job as soon as that is submitted. */
  async run(statement: string): Promise<StatementRows> {
    const { operationHandle } = (await postJson(`${this.#gateway}${this.#session}/statements`, {
      statement,
    })) as {
      readonly operationHandle: string;
    };
    const deadline = performance.now() + STATEMENT_LIMIT_MS;
    let columns: readonly string[] = [];
    const kinds: StatementRows['kinds'][number][] = [];
    const rows: (readonly unknown[])[] = [];
    let next: string | undefined = `${this.#session}/operations/${operationHandle}/result/0?rowFormat=JSON`;
    while (next !== undefined) {
      const page = (await getJson(`${this.#gateway}${next}`)) as ResultPage;
      if (page.results !== undefined) columns = page.results.columns.map(({ name }) => name);
      kinds.push(...(page.results?.data ?? []).map(({ kind }) => kind));
      rows.push(...(page.results?.data ?? []).map(({ fields }) => fields));
      if (performance.now() > deadline)
        throw new Error(`no end of "${statement}" after ${STATEMENT_LIMIT_MS} ms`);
      // A page is empty while the job has nothing more yet.
      if (page.resultType !== 'EOS' && (page.results?.data.length ?? 0) === 0) await wait(POLL_MS);
      next = page.nextResultUri;
    }
    return { columns, kinds, rows };
  }
}

/** The JSON at a URL. Rejects with a {@link StatementError} when the answer is not OK. */
export async function getJson(url: string): Promise<unknown> {
  return answered(await fetch(url));
}

async function postJson(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return answered(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function answered(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  const { errors = [text] } = JSON.parse(text) as { readonly errors?: readonly string[] };
  throw new StatementError(innermostCause(errors.at(-1) ?? ''));
}

/** The line of a Java stack trace that says what went wrong in the first place. */
export function innermostCause(trace: string): string {
  return [...trace.matchAll(/^Caused by: (.*)$/gm)].at(-1)?.[1] ?? trace;
}
