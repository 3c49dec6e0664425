/** Reads a live stream until it ends, breaks or is aborted, and passes on what arrives. */
export type ReadStream<Message> = (receive: (message: Message) => void, signal: AbortSignal) => Promise<void>;

/**
 * Lets all tabs of a browser share one live stream. Over HTTP/1.1 a browser has six connections to a server, so streams
 * in seven tabs would leave none. Of the visible tabs one holds a Web Lock, reads, and passes everything on; when it is
 * hidden or closed, or its stream ends, another one takes over. A hidden tab reads nothing: the call resolves when the
 * tab is hidden, and a further call waits until it is visible. Without Web Locks each visible tab reads for itself.
 * @param name the same in all tabs that share the stream
 */
export function sharedStream<Message>(name: string, read: ReadStream<Message>): ReadStream<Message> {
  return async (receive, signal) => {
    await whenVisible(signal);
    if (signal.aborted) return;
    const turn = whileVisible(signal);
    const locks = (navigator as Partial<Navigator>).locks;
    if (!locks) return read(receive, turn);
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }: MessageEvent<Message>) => receive(data);
    const receiveAndPassOn = (message: Message): void => {
      channel.postMessage(message);
      receive(message);
    };
    try {
      await locks.request(name, { signal: turn }, () => read(receiveAndPassOn, turn));
    } catch (error) {
      // The tab was hidden or left while it waited for the lock.
      if (!turn.aborted) throw error;
    } finally {
      channel.close();
    }
  };
}

/** Resolves when the tab is visible, or with the signal. */
function whenVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => watch(signal, (hidden) => !hidden || signal.aborted, resolve));
}

/** A signal that ends with this one, and when the tab is hidden. */
function whileVisible(signal: AbortSignal): AbortSignal {
  const turn = new AbortController();
  watch(
    signal,
    (hidden) => hidden || signal.aborted,
    () => turn.abort(),
  );
  return turn.signal;
}

/** Calls back once the condition holds. It is looked at now, at each change of the visibility, and with the signal. */
function watch(signal: AbortSignal, holds: (hidden: boolean) => boolean, then: () => void): void {
  const look = (): void => {
    if (!holds(document.visibilityState === 'hidden')) return;
    document.removeEventListener('visibilitychange', look);
    signal.removeEventListener('abort', look);
    then();
  };
  document.addEventListener('visibilitychange', look);
  signal.addEventListener('abort', look);
  look();
}
