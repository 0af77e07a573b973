export { fileStreamSourceConnector } from './file-stream-source.ts';
