// Stands for node:worker_threads in the packages that are part of the executable: there are no files that a thread could be started
// from, so the programs of threads are assets, each a bundle of its own.
import { basename } from 'node:path';
import { getAsset } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread whose program is the asset `threads/<name of the file>`. */
class EmbeddedThread extends Worker {
  constructor(file: URL, options: WorkerOptions = {}) {
    super(getAsset(`threads/${basename(file.pathname)}`, 'utf8'), { ...options, eval: true });
  }
}

export {
  isMainThread,
  MessageChannel,
  MessagePort,
  parentPort,
  receiveMessageOnPort,
  threadId,
  workerData,
} from 'node:worker_threads';
export { EmbeddedThread as Worker };
