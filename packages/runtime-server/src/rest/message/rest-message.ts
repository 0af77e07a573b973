/** One request, as far as answering it needs: no sockets, nothing decoded. */
export interface RestRequest {
  readonly method: string;
  /** Path and query as they came over the wire, percent-encoding included. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
  /** Address of the client, or of a proxy. */
  readonly client?: string;
  /** `http://host:port` as the client addressed the worker, for `Location`. No trailing slash. */
  readonly baseUrl: string;
}

export interface RestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for answers without a body. */
  readonly body: string;
  /** The body in parts, in place of `body`; compressed for clients that take it. */
  readonly stream?: AsyncIterable<string>;
}

/** Answers any request; never rejects. */
export type RestHandler = (request: RestRequest) => Promise<RestResponse>;
