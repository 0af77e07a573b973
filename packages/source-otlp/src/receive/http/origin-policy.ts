import type { Answer } from './answer.ts';
import type { CorsOptions } from './http-receiver-options.ts';
import type { ScannedHeaders } from './scanned-headers.ts';

/** What a request's origin is to the receiver. */
export type OriginVerdict =
  /** No page of another origin sent it. */
  | 'same'
  /** A page of an origin that may send exports. */
  | 'allowed'
  /** A page that may not. */
  | 'foreign';

/** Decides which web pages may send exports, and provides the CORS headers for browsers. */
export interface OriginPolicy {
  judge(headers: ScannedHeaders, receiver: OwnOrigin): OriginVerdict;
  /** Headers of every answer to an allowed page, alternating names and values. */
  answerHeaders(origin: string): readonly string[];
  /** The answer to its preflight request, beside {@link answerHeaders}. */
  readonly preflightAnswer: Answer;
}

/** Where the receiver is for a request's sender. */
export interface OwnOrigin {
  readonly host: string | undefined;
  readonly secure: boolean;
}

/** What exporters send that browsers ask about beforehand. */
const exporterHeaders = ['Content-Type', 'Content-Encoding', 'Authorization'];

/** A policy for these options; without any, pages of other origins are foreign. */
export function createOriginPolicy(cors: CorsOptions | undefined): OriginPolicy {
  const origins = cors?.origins.map((origin) => origin.toLowerCase()) ?? [];
  const allowed = new Set(origins);
  const wildcards = origins.filter((origin) => origin.includes('://*.')).map(matcherOf);
  const allowedHeaders = [...exporterHeaders, ...(cors?.headers ?? [])].join(', ');
  return {
    judge({ origin, fetchSite }, { host, secure }) {
      if (origin === undefined) return fetchSite === 'cross-site' ? 'foreign' : 'same';
      const page = origin.toLowerCase();
      if (allowed.has('*') || allowed.has(page)) return 'allowed';
      if (wildcards.some((matches) => matches(page))) return 'allowed';
      const own = `${secure ? 'https' : 'http'}://${host}`.toLowerCase();
      return page === own && fetchSite !== 'cross-site' ? 'same' : 'foreign';
    },
    answerHeaders: (origin) => [
      'Access-Control-Allow-Origin',
      origin,
      'Access-Control-Expose-Headers',
      'Retry-After',
      'Vary',
      'Origin',
    ],
    preflightAnswer: {
      status: 204,
      headers: [
        'Access-Control-Allow-Methods',
        'POST',
        'Access-Control-Allow-Headers',
        allowedHeaders,
        'Access-Control-Max-Age',
        String(cors?.maxAgeSeconds ?? 0),
      ],
      body: undefined,
    },
  };
}

/** Hosts with one or more labels. */
const labels = /^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+$/;

/** `https://*.shop.example`: all hosts below `shop.example`, but not that one, of that scheme and port. */
function matcherOf(pattern: string): (page: string) => boolean {
  const [start = '', end = ''] = pattern.split('*');
  return (page) =>
    page.startsWith(start) && page.endsWith(end) && labels.test(page.slice(start.length, -end.length));
}
