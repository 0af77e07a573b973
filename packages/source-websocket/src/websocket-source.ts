import { sourceFactory } from '@levada/connect-runtime-core';
import { webSocketSourceConnector } from './connector.ts';

/**
 * A WebSocket source for a service: `for await (const record of websocketSource({ url, topic }))`. Options are the keys of
 * the connector in camel case; `websocketSource.fromConfig` takes what REST takes. Nothing is opened before it is iterated.
 */
export const websocketSource = sourceFactory(webSocketSourceConnector);
