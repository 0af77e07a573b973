import { jsonPointer, type Validator } from '@levada/connect-runtime-core/config';

/** A JSON pointer into a message, to a part of it. */
export const partOfMessage: Validator = {
  allowed: 'JSON pointer that begins with /',
  check: (value) =>
    value === ''
      ? 'String must be a JSON pointer (RFC 6901), such as /customer/id'
      : jsonPointer.check(value),
};

/** What a request resumes from: `sequence`, or a JSON pointer into the last message. */
export const resumeSource: Validator = {
  allowed: 'sequence or a JSON pointer that begins with /',
  check: (value) => {
    if (value === 'sequence' || partOfMessage.check(value) === undefined) return undefined;
    return 'String must be sequence or a JSON pointer (RFC 6901), such as /eventId';
  },
};
