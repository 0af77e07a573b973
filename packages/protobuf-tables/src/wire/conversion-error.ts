/** What is known about a message that could not be converted. */
export interface ConversionFailure {
  /** The message's type, e.g. `shop.Orders`. */
  readonly messageType: string;
  /** Where in the message, e.g. `order.lines[3].price`, in JSON a pointer (RFC 6901); empty if it is the message itself. */
  readonly path: string;
  /** What is wrong, e.g. `truncated varint`. */
  readonly reason: string;
  /** In JSON: at which byte. */
  readonly at?: number | undefined;
}

/** The bytes are not a valid message of the type, or hold a value that has no JSON form. The next message may be fine. */
export class ConversionError extends Error implements ConversionFailure {
  readonly messageType: string;
  readonly path: string;
  readonly reason: string;
  readonly at: number | undefined;

  constructor({ messageType, path, reason, at }: ConversionFailure) {
    super(`cannot convert ${messageType}: ${path === '' ? '' : `${path}: `}${reason}`);
    this.name = 'ConversionError';
    this.messageType = messageType;
    this.path = path;
    this.reason = reason;
    this.at = at;
  }
}
