/** A refusal that the REST layer itself makes: its status and Connect's message for it. */
export class RestError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'RestError';
    this.status = status;
    this.headers = headers;
  }
}

/**
 * A body that cannot be read. Answered with 400; Kafka Connect itself answers 500 with the text of its JSON library, and
 * so does `rest.compat.strict=true`.
 */
export class BodyError extends Error {
  readonly strictMessage: string;

  constructor(message: string, strictMessage: string = message) {
    super(message);
    this.name = 'BodyError';
    this.strictMessage = strictMessage;
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
};

/** The text of errors that come before any handler, as Kafka Connect's HTTP framework words them. */
export function frameworkMessage(status: number): string {
  return `HTTP ${status} ${reasons[status] ?? 'Error'}`;
}
