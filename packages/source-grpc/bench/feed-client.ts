export interface Feed {
  readonly port: number;
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly onMessage: (message: Uint8Array) => void;
}

/** Calls the method with an empty request, and receives until its process ends. */
export type FeedClient = (feed: Feed) => Promise<void>;
