/** Details of a failed conversion. */
export interface ConversionFailure {
  /** Type of the message, e.g. `shop.Orders`. */
  readonly messageType: string;
  /** Place in the message, e.g. `order.lines[3].price`; in JSON a pointer (RFC 6901). Empty if it is the message itself. */
  readonly path: string;
  /** The problem, e.g. `truncated varint`. */
  readonly reason: string;
  /** Byte offset, in JSON only. */
  readonly at?: number | undefined;
}

/** The bytes are not a valid message of the type, or contain a value that has no JSON form. Other messages are not affected. */
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
