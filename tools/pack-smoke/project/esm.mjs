import { websocketSource } from '@levada/source-websocket';
import { readThree } from './read-three.mjs';

await readThree(websocketSource);
