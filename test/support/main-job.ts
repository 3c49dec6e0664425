import { expect } from '@jest/globals';
import { type ApiUser, rpc } from './api-client.js';
import { until } from './until.js';

/** A row of the fan's own generations. */
export interface GenerationRow {
  readonly id: string;
  readonly status: string;
  /** Address of the picture; a path for one of the app. */
  readonly image_url: string;
}

/** Starts an image in the style of the first public creator. @returns the id of the generation */
export async function draw(fan: ApiUser, url: string): Promise<string> {
  const { body: creators } = await rpc<{ id: string }[]>(url, 'get_public_creators');
  const request = { p_prompt: 'a lighthouse at dusk', p_creator_id: creators[0]?.id };
  const { status, body } = await fan.rpc<{ generation_id: string }>('start_generation_by_jwt', request);
  expect([status, body]).toEqual([200, expect.objectContaining({ generation_id: expect.any(String) })]);
  return body.generation_id;
}

/** Waits until no generation of the fan is pending. Processes may be killed meanwhile. */
export async function untilDrawn(fan: ApiUser): Promise<void> {
  // A call on a connection to a killed process fails.
  const isIdle = async (): Promise<boolean> =>
    fan.rpc<boolean>('has_active_pending_generation_jwt').then(
      ({ status, body }) => status === 200 && !body,
      () => false,
    );
  await until(isIdle, 'the end of the generation', 120_000, 1_000);
}

/** The fan's generations. */
export async function generationsOf(fan: ApiUser, url: string): Promise<GenerationRow[]> {
  const headers = { Authorization: `Bearer ${await fan.token()}` };
  return (await (await fetch(`${url}/rest/v1/generations`, { headers })).json()) as GenerationRow[];
}

/** Credits of the fan by kind, and how many generations there are. Equal before and after a restore. */
export async function stateOf(
  fan: ApiUser,
  url: string,
): Promise<{ readonly credits: unknown; readonly pictures: number }> {
  const { body } = await fan.rpc('get_user_credit_breakdown');
  return { credits: body, pictures: (await generationsOf(fan, url)).length };
}
