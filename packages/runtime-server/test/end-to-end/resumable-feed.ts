import { messageBytes, messageJson, type ServerCall } from '@levada/test-peers/grpc';

/** A server's history in which any client can resume: the messages of `teststream.RichService/Watch`. */
export interface ResumableFeed {
  /** What {@link startStreamServer} is started with. */
  readonly service: string;
  readonly method: string;
  readonly onCall: (call: ServerCall) => void;
  /** Number of the last message that there is. */
  readonly last: number;
  /** Messages that were sent, repeated ones included. */
  readonly sent: number;
  /** The message after which each call resumed, in order. */
  readonly resumedAfter: readonly number[];
  /** Ends the feed after the last message. */
  readonly finish: () => void;
}

/** The positions after which a client may resume. */
interface WatchRequest {
  readonly cursor?: { readonly sequence?: string };
  readonly afterId?: string;
}

const EVERY_MS = 2;
/** About 20,000 a second. */
const AT_ONCE = 40;

/** A feed that grows as long as somebody reads its end. */
export function resumableFeed(): ResumableFeed {
  const resumedAfter: number[] = [];
  const feed = { last: 0, sent: 0, finished: false };
  const onCall = (call: ServerCall): void => {
    let next = resumedFrom(messageJson('teststream.WatchRequest', call.request) as WatchRequest);
    resumedAfter.push(next);
    const timer = setInterval(() => {
      if (call.cancelled()) clearInterval(timer);
      for (let i = 0; i < AT_ONCE && !(feed.finished && next === feed.last); i += 1) {
        next += 1;
        feed.sent += 1;
        feed.last = Math.max(feed.last, next);
        call.send(messageBytes('teststream.RichEvent', { eventId: `e${next}`, sequence: next }));
      }
    }, EVERY_MS);
  };
  return {
    service: 'teststream.RichService',
    method: 'Watch',
    onCall,
    resumedAfter,
    get last() {
      return feed.last;
    },
    get sent() {
      return feed.sent;
    },
    finish: () => {
      feed.finished = true;
    },
  };
}

function resumedFrom({ cursor, afterId }: WatchRequest): number {
  return Number(afterId?.slice(1) ?? cursor?.sequence ?? 0);
}
