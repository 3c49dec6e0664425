import Replicate from 'replicate';
import { type ReplicateSettings } from '../../platform/config/provider-settings.js';
import { type CallProblem, OneCallTransport } from './replicate-transport.js';

/** The transport reported a problem. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  constructor(readonly problem: CallProblem) {
    super(
      problem.kind === 'status'
        ? `The provider answered ${problem.status}${problem.title === '' ? '' : ` (${problem.title})`}.`
        : 'The provider did not answer.',
    );
  }
}

/**
 * Makes one call through the SDK, without its retries.
 * @throws CallFailed when there is no usable answer. Other errors concern the content of the answer.
 */
export async function callReplicate<T>(
  settings: ReplicateSettings,
  work: (client: Replicate) => Promise<T>,
  { timeoutMs, headers = {} }: { readonly timeoutMs: number; readonly headers?: Readonly<Record<string, string>> },
): Promise<T> {
  const transport = new OneCallTransport(timeoutMs, headers);
  const client = new Replicate({
    auth: settings.apiToken,
    ...(settings.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl }),
    fetch: transport.fetch,
    useFileOutput: false,
  });
  try {
    return await work(client);
  } catch (error) {
    // The SDK's error contains the request with the token and the prompt, so it must not leave this function.
    if (transport.problem) throw new CallFailed(transport.problem);
    throw error;
  }
}
