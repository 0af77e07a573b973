import { ConnectorError } from '@levada/connect-runtime-core';
import {
  backoffDelay,
  conversionFailed,
  type PreparationContext,
} from '@levada/connect-runtime-core/converter';
import {
  type ClientTls,
  type HttpProxy,
  printable,
  proxyFor,
  readSsl,
  tunnelTarget,
} from '@levada/connect-runtime-core/source-kit';
import type { RegistrySettings } from '../config/registry-settings.ts';
import type { SchemaFormatName } from '../model/format.ts';
import { type HttpAnswer, httpCall } from './http-call.ts';

export interface SchemaToRegister {
  readonly subject: string;
  readonly format: SchemaFormatName;
  readonly text: string;
  /** Whether the registry ignores irrelevant differences. */
  readonly normalize: boolean;
}

/** A schema of a registry. */
export interface RegisteredSchema {
  readonly id: number;
  readonly text: string;
  readonly format: SchemaFormatName;
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

const mediaType = 'application/vnd.schemaregistry.v1+json';

/**
 * Requests of converters to a registry with Confluent's HTTP interface. If the registry does not answer, the next URL and some
 * retries are tried before a retriable ConnectorError. If it refuses this worker, the error is not retriable. If it refuses a
 * schema, the error is `conversion_failed`.
 */
export class RegistryClient {
  readonly #settings: RegistrySettings;
  readonly #print: (text: string) => string;
  #tls: ClientTls | undefined;
  /** Index of the URL that answered last. */
  #current = 0;

  constructor(settings: RegistrySettings) {
    this.#settings = settings;
    const secrets = [...settings.authorization, ...settings.headers.values()].flatMap((secret) =>
      secret === undefined ? [] : [secret.reveal(), secret.reveal().replace(/^\w+ /, '')],
    );
    this.#print = printable(secrets);
  }

  /** Registers a schema unless it is registered. Resolves with its id. */
  async register(schema: SchemaToRegister, context: PreparationContext): Promise<number> {
    const path = `${subjectPath(schema)}/versions${query(schema)}`;
    const answer = await this.#call({ method: 'POST', path, body: bodyOf(schema) }, context);
    return numberOf(answer, 'id');
  }

  /** The id of a schema of the subject. Rejects with `conversion_failed` if the subject has no equal one. */
  async lookUp(schema: SchemaToRegister, context: PreparationContext): Promise<number> {
    const path = `${subjectPath(schema)}${query(schema)}`;
    const answer = await this.#call({ method: 'POST', path, body: bodyOf(schema) }, context);
    return numberOf(answer, 'id');
  }

  /** The latest version of a subject. */
  async latest(subject: string, context: PreparationContext): Promise<RegisteredSchema> {
    const path = `${subjectPath({ subject })}/versions/latest`;
    const answer = await this.#call({ method: 'GET', path }, context);
    return readRegistered(answer, numberOf(answer, 'id'));
  }

  async byId(id: number, context: PreparationContext): Promise<RegisteredSchema> {
    return readRegistered(await this.#call({ method: 'GET', path: `/schemas/ids/${id}` }, context), id);
  }

  async #call(request: Request, context: PreparationContext): Promise<Readonly<Record<string, unknown>>> {
    const { urls, maxRetries, retryWaitMs, retryMaxWaitMs } = this.#settings;
    const policy = { intervalMs: retryWaitMs, maxMs: retryMaxWaitMs };
    let failure: ConnectorError | undefined;
    for (let attempt = 0; attempt <= maxRetries; attempt += 1) {
      if (attempt > 0) {
        await context.clock.sleep(backoffDelay(policy, attempt, Math.random), context.signal);
      }
      for (let tried = 0; tried < urls.length; tried += 1) {
        const at = (this.#current + tried) % urls.length;
        try {
          const answer = await this.#once(request, at, context);
          this.#current = at;
          return answer;
        } catch (thrown) {
          failure = ConnectorError.from(thrown);
          if (!failure.retriable) throw failure;
        }
      }
    }
    throw failure ?? new ConnectorError('internal', 'no schema registry is configured');
  }

  async #once(
    { method, path, body }: Request,
    at: number,
    context: PreparationContext,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { urls, authorization, headers, timeoutMs } = this.#settings;
    const url = `${urls[at] ?? ''}${path}`;
    this.#tls ??= readSsl(this.#settings.tls, 'schema.registry.');
    const text = body === undefined ? undefined : JSON.stringify(body);
    const own = authorization[at];
    try {
      const answer = await httpCall({
        method,
        url,
        body: text,
        tls: this.#tls,
        proxy: this.#proxy(url, context),
        timeoutMs,
        clock: context.clock,
        signal: context.signal,
        headers: {
          accept: `${mediaType}, application/json`,
          ...(text === undefined
            ? {}
            : { 'content-type': mediaType, 'content-length': String(Buffer.byteLength(text)) }),
          ...(own === undefined ? {} : { authorization: own.reveal() }),
          ...Object.fromEntries([...headers].map(([name, value]) => [name, value.reveal()])),
        },
      });
      return this.#read(answer);
    } catch (thrown) {
      const error = ConnectorError.from(thrown);
      if (error.code === 'aborted' || error.code === 'config_invalid') throw error;
      const message = `schema registry ${urls[at] ?? ''}: ${error.message}`;
      throw new ConnectorError(error.code, this.#print(message), {
        cause: error,
        retriable: error.retriable,
      });
    }
  }

  #proxy(url: string, { environment }: PreparationContext): HttpProxy | undefined {
    const { proxy } = this.#settings;
    const prefix = 'schema.registry';
    if (proxy === undefined) {
      const none = { prefix, url: null, username: null, password: null, environment };
      return proxyFor(tunnelTarget(new URL(url)), none);
    }
    return {
      ...proxy,
      secure: false,
      authorization: undefined,
      shown: `${proxy.host}:${proxy.port}`,
      source: 'proxy.host',
      credentials: 'proxy.host, which takes none',
      ca: 'schema.registry.ssl.truststore.location',
    };
  }

  #read({ status, text }: HttpAnswer): Readonly<Record<string, unknown>> {
    const json = parseObject(text);
    if (status >= 200 && status <= 299) {
      if (json !== undefined) return json;
      throw new ConnectorError('protocol_error', 'its answer is not a JSON object');
    }
    const said = typeof json?.['message'] === 'string' ? json['message'] : `HTTP ${status}`;
    const reason = `${said} (HTTP ${status})`;
    if (status === 401 || status === 403) {
      const hint = 'check basic.auth.*, bearer.auth.* and what this user may do';
      throw new ConnectorError('connection_failed', `${reason}; ${hint}`, { retriable: false });
    }
    if (status === 408 || status === 429 || status >= 500) {
      throw new ConnectorError('connection_failed', reason);
    }
    if (status < 400)
      throw new ConnectorError('connection_failed', `${reason}, redirects are not followed`, {
        retriable: false,
      });
    if ((status === 404 || status === 405) && typeof json?.['error_code'] !== 'number') {
      const hint = 'this is no answer of a schema registry: check the path of schema.registry.url';
      throw new ConnectorError('connection_failed', `${reason}; ${hint}`, { retriable: false });
    }
    throw conversionFailed(reason);
  }
}

function subjectPath({ subject }: { readonly subject: string }): string {
  return `/subjects/${encodeURIComponent(subject)}`;
}

function query({ normalize }: SchemaToRegister): string {
  return normalize ? '?normalize=true' : '';
}

/** Registries assume Avro if no type is given, even those that support nothing else. */
function bodyOf({ text, format }: SchemaToRegister): unknown {
  return { schema: text, ...(format === 'AVRO' ? {} : { schemaType: format }) };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function numberOf(answer: Readonly<Record<string, unknown>>, name: string): number {
  const value = answer[name];
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff)
    return value;
  throw new ConnectorError('protocol_error', `the schema registry answered without a usable "${name}"`);
}

function readRegistered(answer: Readonly<Record<string, unknown>>, id: number): RegisteredSchema {
  const { schema, schemaType } = answer;
  if (typeof schema !== 'string')
    throw new ConnectorError('protocol_error', 'the schema registry answered without a schema');
  return { id, text: schema, format: (schemaType ?? 'AVRO') as SchemaFormatName };
}
