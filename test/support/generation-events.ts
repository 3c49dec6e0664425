import { type GenerationView } from '../../src/contract/generation.js';

/** Reads a stream of events as the browser does. */
export async function* eventsOf(response: Response): AsyncGenerator<GenerationView> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data !== undefined) yield JSON.parse(data) as GenerationView;
    }
  }
}
