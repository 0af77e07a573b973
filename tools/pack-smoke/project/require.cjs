const { websocketSource } = require('@levada/source-websocket');

import('./read-three.mjs').then(({ readThree }) => readThree(websocketSource));
