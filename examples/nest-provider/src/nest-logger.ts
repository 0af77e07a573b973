import type { LogFields } from '@levada/connect-runtime-core/contract';
import type { ServiceLogger } from '@levada/connect-runtime-core/library';
import { Logger } from '@nestjs/common';

/** Lines of a source as lines of Nest, which takes one object and calls `info` `log`. */
export function nestLogger(context: string): ServiceLogger {
  const nest = new Logger(context);
  const line = (fields: LogFields, message?: string): object => ({ message, ...fields });
  return {
    debug: (fields, message) => nest.debug(line(fields, message)),
    info: (fields, message) => nest.log(line(fields, message)),
    warn: (fields, message) => nest.warn(line(fields, message)),
    error: (fields, message) => nest.error(line(fields, message)),
  };
}
