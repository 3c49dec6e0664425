import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { EventStreamRefused, readEventStream, type ServerSentEvent } from './sse.js';

/** A response whose body the test sends. */
function feed(): { response: Response; send: (text: string) => void; end: () => void } {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (c) => void (controller = c) });
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', date: 'Fri, 20 Nov 2026 21:04:00 GMT' };
  return {
    response: new Response(body, { headers }),
    send: (text) => controller.enqueue(new TextEncoder().encode(text)),
    end: () => controller.close(),
  };
}

describe('readEventStream', () => {
  it('sends the bearer token, reports the server clock and every event, and resolves at the end', async () => {
    const source = feed();
    const fetchMock = jest.fn<typeof fetch>().mockResolvedValue(source.response);
    const events: string[] = [];
    const onOpen = jest.fn<(time: Date | null) => void>();
    const done = readEventStream('/events/generations/1', {
      token: () => Promise.resolve('t1'),
      onEvent: (event) => events.push(event.data),
      onOpen,
      signal: new AbortController().signal,
      fetch: fetchMock,
    });
    source.send('data: o');
    source.send('ne\n\ndata: two\n\n');
    source.end();
    await done;
    expect(events).toEqual(['one', 'two']);
    expect(onOpen).toHaveBeenCalledWith(new Date('2026-11-20T21:04:00Z'));
    expect(fetchMock.mock.calls[0]?.[1]?.headers).toMatchObject({ Authorization: 'Bearer t1' });
  });

  it('reads the same events regardless of how the bytes are cut', async () => {
    const text =
      '\uFEFF: hi\r\nevent: a\r\ndata: 1\r\ndata: 2\r\n\r\nid: 9\rdata: 3\r\rdata: 4\n\nevent: b\ndata: ü€\n\n: ping\n\n';
    const bytes = new TextEncoder().encode(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
        const ends = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = ends.slice(1).map((end, index) => bytes.slice(ends[index], end));
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            for (const chunk of chunks) controller.enqueue(chunk);
            controller.close();
          },
        });
        const events: ServerSentEvent[] = [];
        await readEventStream('/e', {
          token: () => Promise.resolve(null),
          onEvent: (event) => events.push(event),
          signal: new AbortController().signal,
          fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
        });
        expect(events).toEqual([
          { event: 'a', data: '1\n2' },
          { event: 'message', data: '3' },
          { event: 'message', data: '4' },
          { event: 'b', data: 'ü€' },
        ]);
      }),
    );
  });

  it('tries a 401 once more with a fresh token', async () => {
    const source = feed();
    source.end();
    const fetchMock = jest
      .fn<typeof fetch>()
      .mockResolvedValueOnce(new Response('{}', { status: 401 }))
      .mockResolvedValueOnce(source.response);
    const token = jest.fn<(fresh: boolean) => Promise<string>>().mockResolvedValue('t');
    await readEventStream('/e', { token, onEvent: () => {}, signal: new AbortController().signal, fetch: fetchMock });
    expect(token.mock.calls).toEqual([[false], [true]]);
  });

  it('refuses an error status and an answer that is not an event stream', async () => {
    const read = (response: Response): Promise<void> =>
      readEventStream('/e', {
        token: () => Promise.resolve(null),
        onEvent: () => {},
        signal: new AbortController().signal,
        fetch: () => Promise.resolve(response),
      });
    await expect(read(new Response('', { status: 503 }))).rejects.toMatchObject({ status: 503, retryAfterMs: 0 });
    const later = new Response('', { status: 429, headers: { 'Retry-After': '30' } });
    await expect(read(later)).rejects.toMatchObject({ status: 429, retryAfterMs: 30_000 });
    await expect(read(new Response('<html>', { headers: { 'content-type': 'text/html' } }))).rejects.toBeInstanceOf(
      EventStreamRefused,
    );
  });

  it('resolves when it is aborted, and rejects when the stream stays silent too long', async () => {
    jest.useFakeTimers();
    try {
      const hanging: typeof fetch = (_url, init) =>
        new Promise((_resolve, reject) =>
          init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
        );
      const base = { token: () => Promise.resolve(null), onEvent: () => {}, fetch: hanging, silenceMs: 1_000 };
      const aborter = new AbortController();
      const aborted = readEventStream('/e', { ...base, signal: aborter.signal });
      await jest.advanceTimersByTimeAsync(10);
      aborter.abort();
      await expect(aborted).resolves.toBeUndefined();
      const silent = expect(readEventStream('/e', { ...base, signal: new AbortController().signal })).rejects.toThrow(
        'silent',
      );
      await jest.advanceTimersByTimeAsync(1_000);
      await silent;
    } finally {
      jest.useRealTimers();
    }
  });
});
